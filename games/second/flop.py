"""Rounds of three own cards and a flop of three community cards, with a raise or a fold between.

The Ante and the raise are paid by the own cards and the best two of the community cards; the dealer has no hand. A pool
of the players' wagers goes whole to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.card_sums import (
    MINI_ROYAL,
    by_rank,
    class_of_flush,
    class_of_ranks,
    class_of_three,
    mark,
    pairs_of,
    place_of_three,
)
from games.second.cashier import LOST, endings, net
from games.second.hands import NO_PAIR, PAIR, ROYAL_FLUSH
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

OWN, CARDS = 3, 6
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FlopTable:
    """The table of one game; the Ante wins 1 to 1, the raise is equal to it."""

    raise_name: str
    raised_by: str  # the wager whose only paytable pays the raise
    rows: Mapping[str, int]  # its printed row → class of the best five cards
    least_pair: int  # the lowest rank of a pair that wins
    own_cards: Mapping[str, Mapping[str, int]]  # optional wager → printed row → class of the three own cards
    pools: Mapping[str, str]  # wager between the players → the words for its end

    def deal(self, chapter: Chapter, answers: Answers, strategy: NDArray[np.bool_], stream: Stream) -> Dealt:
        """Deal and settle the rounds; `last`: the player's cards, then the community cards.

        `strategy[place of the own cards]`: True for a raise.
        """
        deck = np.arange(52)
        made, own = np.zeros((2, ROYAL_FLUSH + 1), np.int64), np.zeros(MINI_ROYAL + 1, np.int64)
        _deal(*stream, deck, strategy, by_rank(4 * self.least_pair), made, own)
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager in self.pools:
                settled[wager] = [Ending(self.pools[wager], Fraction(1), Fraction(0), stream[2])]
            elif wager in self.own_cards:
                counts = {row: int(own[kind]) for row, kind in self.own_cards[wager].items()}
                settled[wager] = endings(chapter.paytable(wager, name), counts, stream[2], {})
            else:
                settled[wager] = self._required(chapter.tables_of(self.raised_by)[0], made)
        return Dealt(settled, tuple(deck[:CARDS].tolist()))

    def _required(self, table: Paytable, made: Ints) -> list[Ending]:
        """Return the endings of Ante and raise; `made[folded, class]`: rounds."""
        return [
            *(
                Ending(
                    f"Wins with {row.outcome}",
                    Fraction(2),
                    1 + net(row.pays[0].printed, table, {}),
                    int(made[0, self.rows[row.outcome]]),
                )
                for row in table.rows
            ),
            Ending(f"{self.raise_name} lost", Fraction(2), 2 * LOST, int(made[0, NO_PAIR])),
            Ending("Folded", Fraction(1), LOST, int(made[1].sum())),
        ]


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    raises: NDArray[np.bool_],
    least_pair: int,
    made: Ints,
    own: Ints,
) -> None:
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(CARDS):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, 52 - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        a, b, c = deck[0], deck[1], deck[2]
        own[class_of_three(a, b, c)] += 1
        if not raises[place_of_three(a, b, c)]:
            made[1, NO_PAIR] += 1
            continue

        # the own cards with two of the three community cards; a pair that is too low is worth nothing
        suited = (a ^ b) & 3 == 0 and (a ^ c) & 3 == 0
        ranks, marks = by_rank(a) + by_rank(b) + by_rank(c), mark(a) | mark(b) | mark(c)
        best = NO_PAIR
        for left_out in range(OWN, CARDS):
            x = deck[OWN if left_out > OWN else OWN + 1]
            y = deck[CARDS - 1 if left_out < CARDS - 1 else CARDS - 2]
            five = ranks + by_rank(x) + by_rank(y)
            if suited and (a ^ x) & 3 == 0 and (a ^ y) & 3 == 0:
                kind = class_of_flush(marks | mark(x) | mark(y))
            else:
                kind = class_of_ranks(five)
            if kind == PAIR and pairs_of(five) < least_pair:
                kind = NO_PAIR
            best = max(best, kind)
        made[0, best] += 1
