"""Rounds of a shoe's first three cards: a decision after the first, settlement by the total of the points.

The shoe is shuffled before every round; its first card is discarded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play
from games.second.cashier import LOST, endings
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

SURRENDER, OVER, UNDER = range(3)
MOST_POINTS = 33
DRAWN = 4  # from the shoe: a card that no one is dealt, then those of the round
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FirstCardsTable:
    """The table of one game; the required wager has no paytable and pays even money."""

    decks: int
    points: tuple[int, ...]  # of the ranks, from deuce to ace
    over: str  # the decision to wager once more that the total is at least `over_from`
    over_from: int
    under: str  # that it is at most `under_to`
    under_to: int
    lost_totals: str  # of an optional wager: all totals without a row

    def deal(self, chapter: Chapter, answers: Answers, strategy: Mapping[int, str], stream: Stream) -> Dealt:
        """Deal and settle the rounds; `strategy`: points of the first card → `over`, `under` or another name."""
        shoe = np.repeat(np.arange(52), self.decks)
        codes = np.full(max(self.points) + 1, SURRENDER)
        for first, name in strategy.items():
            codes[first] = {self.over: OVER, self.under: UNDER}.get(name, SURRENDER)
        won, lost, totals = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(MOST_POINTS + 1, np.int64)
        points = np.repeat(self.points, 4)
        _deal(*stream, self.over_from, self.under_to, shoe, points, codes, won, lost, totals)
        required = [
            Ending("Surrendered", Fraction(1), LOST, int(lost[SURRENDER])),
            *(
                Ending(f"{name} {result}", Fraction(2), Fraction(net), int(rounds[code]))
                for code, name in ((OVER, self.over), (UNDER, self.under))
                for result, net, rounds in (("wins", 2, won), ("loses", -2, lost))
            ),
        ]
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if not name:
                settled[wager] = required
                continue
            table = chapter.paytable(wager, name)
            counts = {row.outcome: _rounds_with(row.outcome, totals) for row in table.rows}
            settled[wager] = endings(table, counts, stream[2], {}, self.lost_totals)
        return Dealt(settled, tuple(shoe[1:DRAWN].tolist()))


def _rounds_with(outcome: str, totals: Ints) -> int:
    """Return the rounds with a total that the row "6 or 33" names."""
    return sum(int(totals[int(total)]) for total in outcome.split(" or "))


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    over_from: int,
    under_to: int,
    shoe: Ints,
    points: Ints,
    decisions: Ints,
    won: Ints,
    lost: Ints,
    totals: Ints,
) -> None:
    state, picks = start(seed, block), np.arange(DRAWN)
    for _ in range(rounds):
        for place in range(DRAWN - 1, -1, -1):  # the cards go back: no round depends on the one before
            shoe[place], shoe[picks[place]] = shoe[picks[place]], shoe[place]
        for place in range(DRAWN):  # the shuffle, as far as cards are drawn
            state = advance(state)
            picks[place] = place + below(state, len(shoe) - place)
            shoe[place], shoe[picks[place]] = shoe[picks[place]], shoe[place]
        decision = decisions[points[shoe[1]]]
        total = points[shoe[1]] + points[shoe[2]] + points[shoe[3]]
        if (decision == OVER and total >= over_from) or (decision == UNDER and total <= under_to):
            won[decision] += 1
        else:
            lost[decision] += 1
        totals[total] += 1  # optional wagers are settled after a surrender too
