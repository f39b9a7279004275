"""How rounds end: every decision, result and hand with what the wagers that are decided together then win.

Not here: the data that it follows from (`parts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.maths.results import OutcomeRow
from games.maths.showdown.against import RESULTS
from games.maths.showdown.order import Groups, HandOrder
from games.maths.showdown.parts import ByRow, RequiredWagers
from games.maths.wagers import net_of, row
from games.rules.model import Paytable

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which the required wagers end, all in Antes."""

    outcome: str
    net: Fraction
    wagered: Fraction
    pays: str
    section: str


Endings = tuple[tuple[tuple[Ending, ...], ...], ...]
"""`endings[decision][result][group]`."""


def endings(wagers: RequiredWagers, tables: Sequence[Paytable], order: HandOrder, groups: Groups) -> Endings:
    """How each decision ends, by result and group; `ValueError` for a row that the paytables do not have."""
    by_wager = {table.wager: table for table in tables}
    forfeited = sum(part.stake == "initial" and part.forfeited for part in wagers.parts)
    fold = wagers.ends.folds
    folded = Ending(fold.outcome, Fraction(-forfeited), Fraction(wagers.initial), fold.pays, fold.section)
    taken = [
        {by_row: order.row_of(by_row.rows, strength) for by_row in wagers.by_rows} for strength in groups.strengths
    ]
    played = (
        tuple(tuple(_ending(wagers, antes, result, rows, by_wager) for rows in taken) for result in range(RESULTS))
        for antes in wagers.raises
    )
    return (((folded,) * len(taken),) * RESULTS, *played)


def _ending(
    wagers: RequiredWagers, antes: int, result: int, taken: Mapping[ByRow, str], tables: Mapping[str, Paytable]
) -> Ending:
    end = wagers.ends.of(result)
    net, wagered, printed = Fraction(0), Fraction(0), ("", "")
    for part in wagers.parts:
        pays, units = part.pays(result), antes if part.stake == "raise" else 1
        wagered += 0 if part.stake == "nothing" else units
        if not isinstance(pays, ByRow):
            net += units * pays
        elif not (row_name := taken[pays]):
            net += units * pays.otherwise
        else:
            table = tables[pays.wager]
            pay = next((line.pays[0] for line in table.rows if line.outcome == row_name), None)
            if pay is None:
                raise ValueError(f"the paytable {table.name} of {table.wager} has no row {row_name!r}")
            net += units * net_of(pay, table)
            printed = printed if printed[0] else (row_name, pay.printed)
    row_name, odds = printed
    if row_name and end.of_row:
        end = end.of_row
    words = {"antes": antes, "row": row_name, "hand": row_name.lower(), "odds": odds}
    return Ending(end.outcome.format(**words), net, wagered, end.pays.format(**words), end.section)


def outcome_counts(met: Ints, ends: Endings) -> dict[str, int]:
    """Outcome → count, for those that occur, from `met[decision, result, group]`."""
    counts: dict[str, int] = {}
    for decision, result, group in zip(*np.nonzero(met), strict=True):
        outcome = ends[decision][result][group].outcome
        counts[outcome] = counts.get(outcome, 0) + int(met[decision, result, group])
    return counts


def outcome_rows(met: Ints, ends: Endings, cycle: int) -> list[OutcomeRow]:
    """A row per outcome, of the largest wagers first, the best net first; `ValueError` if one outcome pays unalike."""
    by_outcome: dict[str, Ending] = {}
    for decision, result, group in zip(*np.nonzero(met), strict=True):
        end = ends[decision][result][group]
        if by_outcome.setdefault(end.outcome, end) != end:
            raise ValueError(f"{end.outcome!r} ends in {by_outcome[end.outcome].net} and in {end.net}")
    counts = outcome_counts(met, ends)
    return [
        row(end.outcome, counts[end.outcome], cycle, end.net, end.wagered, end.pays, end.section)
        for end in sorted(by_outcome.values(), key=lambda end: (-end.wagered, -end.net))
    ]
