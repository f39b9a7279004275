"""The rows of a wager that a paytable pays, from counts by hand; what the table does not name is lost."""

from collections.abc import Iterable, Mapping

from games.maths.results import OutcomeRow
from games.maths.wagers import LOST_NET, net_of, row
from games.rules.model import Paytable

LOST_OUTCOME = "Lost"


def paid_counts(
    table: Paytable, rows: Iterable[str], counts: Iterable[int], total: int, instead: Mapping[str, str]
) -> dict[str, int]:
    """Outcome → count, of `total`, from the row that each hand takes ("" = none) and how many such hands there are.

    `instead`: a row that not every paytable has → the row that then pays.
    """
    paid = {line.outcome: 0 for line in table.rows}
    for name, count in zip(rows, counts, strict=True):
        outcome = name if name in paid else instead.get(name, "")
        if outcome in paid:
            paid[outcome] += int(count)
    return paid | {LOST_OUTCOME: total - sum(paid.values())}


def paid_rows(table: Paytable, counts: Mapping[str, int], cycle: int, lost: str) -> list[OutcomeRow]:
    """A row per line of the table, in its order, and the lost rest; `lost`: the subsection that collects it."""
    rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST_NET, section=lost)]
