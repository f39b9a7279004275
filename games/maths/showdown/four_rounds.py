"""Rounds on the best four of five cards, dealt and settled card by card.

The independent test of `four_hidden`, `strategy` and `six_cards`: it shares with them the encoding of cards, the
ranking of hands and the decision for each hand only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK, SUITS
from games.maths.compiled import helper, kernel
from games.maths.ranking import high_part, low_part
from games.maths.showdown.deck import LOSE, OWN, RESULTS, SHORT, TIE, WIN, Groups, orbit_of
from games.maths.showdown.four_cards import best_four, card_bit, suited
from games.maths.showdown.six_cards import CLASSES, six_cards, with_diamonds
from games.maths.showdown.strategy import OTHER_CARDS, DecisionTable
from games.maths.streams import advance, below, start

DIAMONDS, HEARTS = SUITS.index("d"), SUITS.index("h")
Ints = NDArray[np.int64]
Small = NDArray[np.int16]
Ranking = tuple[Ints, Small, Small, Small, Small]


@dataclass(frozen=True, slots=True)
class FourSettled:
    """Numbers of rounds, and the last round's cards.

    `met[decision, result, group]`, `values[value]` of the player's hand, `reds[cards]` among the dealer's five,
    `sixes[class]` with the sixth card that all players share.
    """

    met: Ints
    values: Ints
    reds: Ints
    sixes: Ints
    player: tuple[int, ...]
    dealer: tuple[int, ...]
    shared: tuple[int, ...]


def deal_four(
    dealer_cards: int,
    shared: int,
    least: int,
    groups: Groups,
    decisions: DecisionTable,
    raises: int,
    stream: tuple[int, int, int],
) -> FourSettled:
    """Return the rounds of stream (seed, block, rounds).

    The dealer's hand is short below `least`; `shared` = 1 where the first card dealt is added to every player's five,
    else 0; one decision of `raises` or a fold.
    """
    met = np.zeros((1 + raises, RESULTS, len(groups.strengths)), np.int64)
    values, reds, sixes = (np.zeros(size, np.int64) for size in (len(groups.numbers), OWN + 1, CLASSES))
    deck = np.arange(FULL_DECK)
    rankings = best_four(OWN).tables, best_four(dealer_cards).tables, six_cards().tables
    tallies = (met, values, reds, sixes)
    numbers = groups.numbers.astype(np.int64)  # few enough to stay near, and read without a conversion
    _deal(*stream, deck, dealer_cards, shared, rankings, decisions, numbers, least, tallies)
    places = range(shared, shared + 2 * OWN, 2)
    return FourSettled(
        met,
        values,
        reds,
        sixes,
        player=tuple(int(deck[place]) for place in places),
        dealer=tuple(int(deck[place]) for place in (*(place + 1 for place in places), shared + 2 * OWN))[:dealer_cards],
        shared=tuple(int(card) for card in deck[:shared]),
    )


@helper
def _is_red(card: int) -> int:
    return 1 if card & 3 == DIAMONDS or card & 3 == HEARTS else 0


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    dealer_cards: int,
    shared: int,
    rankings: tuple[Ranking, Ranking, Ranking],
    decisions: DecisionTable,
    groups: Ints,
    least: int,
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    own_ranking, dealer_ranking, six_ranking = rankings
    keys, own_low, own_high, own_ranks, own_suit = own_ranking
    _, dealer_low, dealer_high, dealer_ranks, dealer_suit = dealer_ranking
    _, six_low, six_high, six_ranks, six_suit = six_ranking
    decision_of, mixed, decision_of_mixed = decisions
    met, values, reds, sixes = tallies
    dealt = shared + OWN + dealer_cards
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(dealt):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        # the shared card first, then one at a time to player and dealer
        key, bits, dealer_key, dealer_bits, red = 0, 0, 0, 0, 0
        for turn in range(OWN):
            card, dealer_card = deck[shared + 2 * turn], deck[shared + 2 * turn + 1]
            key += keys[card]
            bits |= 1 << card_bit(card)
            red += _is_red(card)
            dealer_key += keys[dealer_card]
            dealer_bits |= 1 << card_bit(dealer_card)
        if dealer_cards > OWN:
            dealer_key += keys[deck[dealt - 1]]
            dealer_bits |= 1 << card_bit(deck[dealt - 1])
        own = max(own_ranks[own_low[low_part(key)] + own_high[high_part(key)]], own_suit[suited(key, bits)])
        dealer = max(
            dealer_ranks[dealer_low[low_part(dealer_key)] + dealer_high[high_part(dealer_key)]],
            dealer_suit[suited(dealer_key, dealer_bits)],
        )

        # fold, or raise and compare
        decision = decision_of[own]
        if decision == OTHER_CARDS:
            decision = decision_of_mixed[np.searchsorted(mixed, orbit_of(bits))]
        result = SHORT if dealer < least else WIN if dealer < own else TIE if dealer == own else LOSE
        met[decision, result, groups[own]] += 1

        reds[red] += 1
        values[own] += 1

        if shared:
            key += keys[deck[0]]
            bits |= 1 << card_bit(deck[0])
            hand_class = max(six_ranks[six_low[low_part(key)] + six_high[high_part(key)]], six_suit[suited(key, bits)])
            sixes[with_diamonds(hand_class, bits)] += 1
