"""Rounds of blackjack from a shoe shuffled before each: the independent test of `exact` and `side`.

It shares with them the numbers of hands, the names of outcomes and the decisions of the strategy. Not here: the loop
that deals (`dealing`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack import hands as numbers
from games.maths.blackjack.arrays import EndingCounts
from games.maths.blackjack.dealing import HALVES, deal
from games.maths.blackjack.hands import Strategy
from games.maths.blackjack.payouts import Payouts
from games.maths.blackjack.rules import Rules
from games.maths.blackjack.settlement import dealt_rules
from games.maths.blackjack.side import Shoe
from games.maths.cards import FULL_DECK
from games.maths.cards import TEN as TEN_RANK

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

_TABLES = (numbers.NEXT_HAND, numbers.TOTAL, numbers.CARDS, numbers.PAIR, np.repeat(numbers.VALUE_OF_RANK, 4))


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds: `required[halves won + offset, wagered]`; by outcome of `side`, `insurance` and the game's
    optional wager. Of the last round: `events[1 : 1 + events[0]]` in order, and the `shoe` with the cards on top as
    they were dealt."""

    required: EndingCounts
    insurance: Ints
    optional: Ints
    events: Ints
    shoe: Bytes

    @property
    def offset(self) -> int:
        """Where no amount is won or lost."""
        return len(self.required) // 2


@dataclass(frozen=True, slots=True)
class DealtGame:
    """A game as one table deals it."""

    rules: Rules
    paid: Payouts
    shoe: Shoe
    hands: int  # that a pair may be split into
    side: int  # kind of the optional wager


def deal_rounds(dealt: DealtGame, strategy: Strategy, stream: tuple[int, int, int]) -> Settled:
    """Rounds of stream (seed, block, rounds)."""
    most_hands = dealt.hands
    most = 4 * most_hands  # units on a hand, with all that may be added
    settled = Settled(
        np.zeros((2 * HALVES * most + 1, most + 1), np.int64),
        np.zeros(3, np.int64),
        np.zeros(8, np.int64),
        np.zeros(64 * (1 + most_hands), np.int64),
        _cards(dealt.shoe),
    )
    tallies = (settled.required, settled.insurance, settled.optional, settled.events)
    rules, paid = dealt_rules(dealt.rules, dealt.paid.blackjack, dealt.side), np.array(dealt.paid.bonus).ravel()
    deal(*stream, rules, paid, settled.shoe, most_hands, strategy.decision, strategy.attack, _TABLES, tallies)
    return settled


def _cards(shoe: Shoe) -> Bytes:
    """Its cards, as `cards` writes them."""
    deck = [card for card in range(FULL_DECK) if shoe.tens == 4 or card // 4 != TEN_RANK]
    return np.array(deck * shoe.decks, dtype=np.int8)
