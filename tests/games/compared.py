"""One wager's counts compared with its analysis, as a run with this wager alone."""

from __future__ import annotations

from collections.abc import Mapping

from games.maths.results import WagerAnalysis, WagerSimulation
from games.runs.agreement import REJECTION, compare_to_exact


def compared(row: WagerAnalysis, counts: Mapping[str, int], amounts=None, limit: float = REJECTION) -> WagerSimulation:
    (found,) = compare_to_exact([row], {row.key: counts}, {} if amounts is None else {row.key: amounts}, limit)
    return found
