"""A drawing compared with what the answers call for: each required element and its places, and the differences.

Pure. `inspector` uses the other modules: `tokens` makes words and payouts comparable, `drawing_text` orders lines,
`phrases` searches, `printed_rows` reads printed odds, `odds_comparison` compares them; `findings` are the result, and
`recognized_findings` keeps what the letters of a picture bear out.
"""

from submissions.layouts.inspection.findings import DifferenceKind, ElementFinding, Inspection, to_json
from submissions.layouts.inspection.recognized_findings import inspect

__all__ = ["DifferenceKind", "ElementFinding", "Inspection", "inspect", "to_json"]
