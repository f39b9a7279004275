"""A drawing compared with what the answers call for: each required element and its places, and the differences.

Pure. `inspector` uses the other modules: `tokens` makes words comparable, `drawing_text` orders lines, `phrases`
searches, `amounts` and `printed_rows` read printed odds, `odds_comparison` compares them; `findings` are the result.
"""

from submissions.layouts.inspection.findings import DifferenceKind, ElementFinding, Inspection, to_json
from submissions.layouts.inspection.inspector import inspect

__all__ = ["DifferenceKind", "ElementFinding", "Inspection", "inspect", "to_json"]
