"""Small charts as SVG, the same on pages and in the PDF: no script, no style attributes, reproducible bytes.

One module for each chart, with its template in `templates/documents/*.svg`. A chart is an image with a title and a
description, legible in gray; the page or document also has its numbers in a table.
"""

from submissions.evidence.charts.convergence import convergence_svg
from submissions.evidence.charts.dot_plot import dots_svg
from submissions.evidence.charts.outcome_histogram import spread_svg
from submissions.evidence.charts.return_contributions import returns_svg

__all__ = ["convergence_svg", "dots_svg", "returns_svg", "spread_svg"]
