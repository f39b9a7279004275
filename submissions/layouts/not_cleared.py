"""Why the tables of a filing are not cleared for play, in words for pages and notices. Not here: the papers' states
(`readiness`).
"""

from collections.abc import Iterable, Sequence

from submissions.layouts.payout_limit import joined
from submissions.layouts.readiness import GroupReadiness, PaperState
from submissions.models import Part

TEXT_INCOMPLETE = "the text of the chapter is incomplete"


def parts_not_approved(groups: Iterable[GroupReadiness]) -> list[Part]:
    """The parts that lack an approval at a table of these groups, in the order of `Part`."""
    lacking = {row.part for group in groups for row in group.parts if row.state is not PaperState.APPROVED}
    return [part for part in Part if part in lacking]


def why_not_cleared(groups: Sequence[GroupReadiness]) -> str:
    """ "payout sign and gaming guide not approved"; "" if all tables of the groups are cleared for play."""
    if parts := parts_not_approved(groups):
        return f"{joined([part.label.lower() for part in parts])} not approved"
    return TEXT_INCOMPLETE if any(group.not_cleared_for_play for group in groups) else ""
