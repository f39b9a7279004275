"""The rows of a wager that a paytable pays, from counts by outcome; what the table does not name is lost."""

from collections.abc import Callable, Iterable, Mapping

from games.maths.results import OutcomeRow
from games.maths.wagers import LOST_NET, net_of, row
from games.rules.model import Paytable

LOST_OUTCOME = "Lost"


def paid_counts(outcomes: Iterable[str], counts: Iterable[int], outcome_of: Callable[[int], str]) -> dict[str, int]:
    """Outcome → count, from counts by number; `outcome_of` names the outcome of each number, what it pays or not."""
    totals = dict.fromkeys((*outcomes, LOST_OUTCOME), 0)
    for number, count in enumerate(counts):
        if count:
            outcome = outcome_of(number)
            totals[outcome if outcome in totals else LOST_OUTCOME] += int(count)
    return totals


def outcomes_of(table: Paytable) -> tuple[str, ...]:
    return tuple(line.outcome for line in table.rows)


def paid_rows(table: Paytable, counts: Mapping[str, int], cycle: int, lost_by: str) -> list[OutcomeRow]:
    """A row per line of the table, in its order, and the lost rest; `lost_by`: the subsection that collects it."""
    rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST_NET, section=lost_by)]
