"""Holding a drawing against what the answers call for: what was found and where, and what differs.

Pure. `letters` makes words comparable, `sheet` says which lines follow each other, `phrases` searches, `amounts` and
`rows` read printed odds, `odds` compares them, `surplus` names what is not offered, `judging` brings it together.
"""

from submissions.layouts.inspection.judging import inspect
from submissions.layouts.inspection.results import Difference, Found, Inspection, Kind, Place, State, to_json

__all__ = ["Difference", "Found", "Inspection", "Kind", "Place", "State", "inspect", "to_json"]
