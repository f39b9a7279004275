"""Rounds of five cards against five, dealt and settled card by card.

The independent test of `five_counts`: it shares with it the encoding of cards, the ranking of hands
and the decision for each hand only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths import hands
from games.maths.cards import FULL_DECK, JOKER
from games.maths.ranking import HIGH, LOW, WILD, Ranking, card_key, class_of, flush_part, high_part, low_part, standard
from games.maths.showdown.deck import (
    LOSE,
    NATURAL,
    OWN,
    RESULTS,
    SHORT,
    TIE,
    WILD_JOKER,
    WILD_RANK,
    WIN,
    Deck,
    Groups,
    orbit_of,
)
from games.maths.showdown.four_cards import card_bit
from games.maths.showdown.strategy import OTHER_CARDS, DecisionTable
from games.streams import advance, below, start

BOTH = 2 * OWN
ONE_WILD = high_part(card_key(WILD, 0))  # of keys, natural cards have less
Ints = NDArray[np.int64]
RankingTables = tuple[Ints, NDArray[np.int32], Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]]
"""Keys and values with wild cards, keys and values without, `LOW`, `HIGH`."""


@dataclass(frozen=True, slots=True)
class FiveSettled:
    """Numbers of rounds, and the last round's cards.

    `met[decision, result, group of the player's hand]`, `beaten[group]` of the hand that a raised round has beaten;
    with wild cards, `by_kind[kind, class, plain class]` and `replaced[folded, plain class]` as
    `five_counts.HandCounts`.
    """

    met: Ints
    beaten: Ints
    by_kind: Ints
    replaced: Ints
    dealt: Ints

    @property
    def own(self) -> Ints:
        """Rounds by group of the player's hand."""
        own: Ints = self.met.sum(axis=(0, 1))
        return own

    @property
    def player(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self.dealt[:OWN])

    @property
    def dealer(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self.dealt[OWN:BOTH])

    @property
    def replacement(self) -> int:
        """The card that may replace the joker, of a deck with one."""
        return int(self.dealt[BOTH])


def deal_five(
    deck: Deck,
    classes: tuple[str, ...],
    least: int,
    groups: Groups,
    decisions: DecisionTable,
    raises: int,
    stream: tuple[int, int, int],
) -> FiveSettled:
    """Return the rounds of stream (seed, block, rounds); the dealer is short below `least`; `raises` or a fold."""
    ranking: Ranking = deck.ranking(classes)
    plain = standard()
    sizes = (1 + raises, RESULTS, len(groups.strengths)), (len(groups.strengths),)
    by_kind = (WILD_JOKER + 1, len(classes), len(hands.STANDARD))
    met, beaten, kinds, replaced = (np.zeros(size, np.int64) for size in (*sizes, by_kind, (2, len(hands.STANDARD))))
    cards = np.arange(deck.size)
    tables = (ranking.keys, ranking.values, plain.keys, plain.values, LOW, HIGH)
    tallies = (met, beaten, kinds, replaced)
    _deal(
        *stream,
        cards,
        deck.wilds > 0,
        deck.kinds(),
        tables,
        groups.numbers,
        least,
        decisions,
        tallies,
    )
    return FiveSettled(met, beaten, kinds, replaced, cards)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    wilds: bool,
    kinds: Ints,
    tables: RankingTables,
    groups: NDArray[np.int16],
    least: int,
    decisions: DecisionTable,
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    keys, values, plain_keys, plain_values, low, high = tables
    decision_of, mixed, decision_of_mixed = decisions
    met, beaten, by_kind, replaced = tallies
    size, state = len(deck), start(seed, block)
    for _ in range(rounds):
        for place in range(BOTH):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, size - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        if size > FULL_DECK:  # the card that may replace the joker
            state = advance(state)
            pick = BOTH + below(state, size - BOTH)
            deck[BOTH], deck[pick] = deck[pick], deck[BOTH]

        own_key, plain_key, dealer_key, joker = 0, 0, 0, False
        for place in range(OWN):
            card = deck[place]
            own_key += keys[card]
            dealer_key += keys[deck[OWN + place]]
            if card == JOKER:
                joker = True
                card = deck[BOTH]
            plain_key += plain_keys[card]
        own = values[low[low_part(own_key)] + high[high_part(own_key)] + flush_part(own_key)]
        dealer = values[low[low_part(dealer_key)] + high[high_part(dealer_key)] + flush_part(dealer_key)]

        # fold, or raise and compare
        decision = decision_of[own]
        if decision == OTHER_CARDS:
            bits = 0
            for place in range(OWN):
                if kinds[deck[place]] == NATURAL:
                    bits |= 1 << card_bit(deck[place])
            decision = decision_of_mixed[np.searchsorted(mixed, orbit_of(bits))]
        result = SHORT if dealer < least else WIN if own > dealer else TIE if own == dealer else LOSE
        met[decision, result, groups[own]] += 1
        if decision > 0 and result in (WIN, LOSE):
            beaten[groups[min(own, dealer)]] += 1

        # the hand as plain cards, the joker replaced
        if wilds:
            plain = plain_values[low[low_part(plain_key)] + high[high_part(plain_key)] + flush_part(plain_key)]
            kind = WILD_JOKER if joker else WILD_RANK if high_part(own_key) >= ONE_WILD else NATURAL
            by_kind[kind, class_of(own), class_of(plain)] += 1
            replaced[0 if decision > 0 else 1, class_of(plain)] += 1
