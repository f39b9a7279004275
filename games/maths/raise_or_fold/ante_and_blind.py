"""Ante, Blind and a Raise of two Antes against the dealer's hand: how they end, from counts by result and class.

§ 687a.7(d)(1), § 687a.11(b), (e). Not here: counting and dealing the results (`exact`, `rounds`).
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.raise_or_fold.exact import FOLD, LOSE, PAIRS, TIE, WIN
from games.maths.results import OutcomeRow
from games.maths.wagers import net_of, row
from games.rules.model import Paytable, Row

# In Antes: Ante and Blind are one each, the Raise is two.
INITIAL, ALL = 2, 4
ANTE_AND_RAISE = 3
TIED, BEATEN, FOLDED = "Tie", "Beaten by the dealer", "Folded"
Counts = NDArray[np.int64]


def blind_pays(blind: Paytable, classes: tuple[str, ...]) -> tuple[int, ...]:
    """What a winning Blind Wager wins, by class."""
    return tuple(int(net_of(_blind_row(blind, name).pays[0], blind)) for name in classes)


def required_counts(results: Counts, blind: Paytable, classes: tuple[str, ...]) -> dict[str, int]:
    """Outcome → count, from counts by [result, player's class]."""
    counts = {_win(line): 0 for line in blind.rows}
    for place, name in enumerate(classes):
        counts[_win(_blind_row(blind, name))] += int(results[WIN, place])
    ends = ((TIED, TIE), (BEATEN, LOSE), (FOLDED, FOLD))
    return counts | {outcome: int(results[result].sum()) for outcome, result in ends}


def required_rows(pairs: Counts, blind: Paytable, classes: tuple[str, ...]) -> list[OutcomeRow]:
    """§ 687a.11(b), (e): how many pairs of hands end so."""
    counts = required_counts(pairs, blind, classes)
    rows = [
        row(
            _win(line),
            counts[_win(line)],
            PAIRS,
            ANTE_AND_RAISE + net_of(line.pays[0], blind),
            ALL,
            f"1 to 1; Blind {line.pays[0].printed}",
            "§ 687a.11(e)(1)",
        )
        for line in blind.rows
    ]
    return [
        *rows,
        row(TIED, counts[TIED], PAIRS, 0, ALL, section="§ 687a.11(e)(2)"),
        row(BEATEN, counts[BEATEN], PAIRS, -ALL, ALL, section="§ 687a.11(e)(3)"),
        row(FOLDED, counts[FOLDED], PAIRS, -INITIAL, INITIAL, section="§ 687a.11(b)"),
    ]


def _blind_row(blind: Paytable, name: str) -> Row:
    """The row of § 687a.12(b) for a winning hand of this class; the last is "Three-of-a-Kind or less"."""
    return next((line for line in blind.rows if line.outcome == name), blind.rows[-1])


def _win(line: Row) -> str:
    return f"Wins with {line.outcome}"
