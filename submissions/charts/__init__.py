"""Small plots as SVG, alike on pages and in the PDF: no script, no style attributes, the same bytes for the same data.

One module per plot; how it looks is `templates/documents/*.svg`. A plot is an image with a title and a description,
legible in grey; whoever shows it gives the numbers in a table besides.
"""

from submissions.charts.convergence import convergence_svg
from submissions.charts.dots import dots_svg
from submissions.charts.returns import returns_svg
from submissions.charts.spread import spread_svg

__all__ = ["convergence_svg", "dots_svg", "returns_svg", "spread_svg"]
