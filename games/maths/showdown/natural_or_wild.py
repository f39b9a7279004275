"""A paytable with the columns Natural and With Wild: a hand without the joker takes the better of the two.

It may count its wild cards as plain ones. Not here: counting hands (`five_counts`).
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.results import OutcomeRow
from games.maths.showdown.deck import NATURAL as NO_WILD
from games.maths.showdown.deck import WILD_JOKER, WILD_RANK
from games.maths.showdown.paytable_rows import LOST_OUTCOME
from games.maths.wagers import LOST_NET, net_of, row
from games.rules.model import Paytable

NATURAL, WITH_WILD = range(2)
COLUMNS = ("Natural", "With Wild")
Counts = NDArray[np.int64]
Classes = tuple[str, ...]


def pays_by_class(table: Paytable, classes: Classes) -> tuple[Counts, Counts]:
    """What the wager wins by class of the natural hand, and of the hand with wilds; −1 = it loses."""
    pays = np.full((2, len(classes)), -1, dtype=np.int64)
    for outcome, column, pay in table.lines():
        if not pay.na:
            place = (hands.STANDARD, classes)[COLUMNS.index(column)].index(outcome)
            pays[COLUMNS.index(column), place] = int(net_of(pay, table))
    return pays[NATURAL], pays[WITH_WILD]


def better_of(by_kind: Counts, natural: Counts, wild: Counts) -> Counts:
    """`[column, class]` of the better payout, from `HandCounts.by_kind` and what either column wins."""
    class_counts = np.zeros((2, len(wild)), dtype=np.int64)
    for place in range(len(wild)):
        class_counts[WITH_WILD, place] += by_kind[WILD_JOKER, place].sum()
        for plain in range(len(hands.STANDARD)):
            better = WITH_WILD if wild[place] > natural[plain] else NATURAL
            class_counts[NATURAL, plain] += by_kind[NO_WILD, place, plain]
            class_counts[better, place if better == WITH_WILD else plain] += by_kind[WILD_RANK, place, plain]
    return class_counts


def cell_counts(class_counts: Counts, table: Paytable, classes: Classes) -> dict[str, int]:
    """Outcome → count, from counts by [column, class]; n/a cells have no outcome."""
    counts = {_cell(outcome, column): 0 for outcome, column, pay in table.lines() if not pay.na} | {LOST_OUTCOME: 0}
    for column, names in enumerate((hands.STANDARD, classes)):
        for place, name in enumerate(names):
            outcome = _cell(name, COLUMNS[column])
            counts[outcome if outcome in counts else LOST_OUTCOME] += int(class_counts[column, place])
    return counts


def cell_rows(counts: Mapping[str, int], table: Paytable, cycle: int, lost: str) -> list[OutcomeRow]:
    """A row per cell of the table, and the lost rest; `lost`: the subsection that collects it."""
    rows = [
        row(_cell(outcome, column), counts[_cell(outcome, column)], cycle, net_of(pay, table), pays=pay.printed)
        for outcome, column, pay in table.lines()
        if not pay.na
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST_NET, section=lost)]


def _cell(outcome: str, column: str) -> str:
    return f"{outcome}, {column.lower()}"
