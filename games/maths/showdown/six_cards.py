"""The best poker hand in six cards, from three-of-a-kind to a six-card royal flush.

And, for a payout limit, the hands that one deal can give to two wagers, the best four of five cards and the class with
a sixth card. The tables are read as those of `four_cards`; all six-card hands are counted too. Not here: what is paid
(`four_game`).
"""

from collections import Counter
from functools import cache
from math import comb

import numpy as np

from games.compiled import Ints, helper, kernel
from games.maths import hands
from games.maths.cards import ACE, FULL_DECK, SUITS
from games.maths.ranking import KEYS, forms, high_part, low_part
from games.maths.showdown.deck import OWN, orbits
from games.maths.showdown.four_cards import RANKS, FourTables, best_four, by_form, by_mask, card_bit, run_top, suited

CARDS, FEWEST = 6, 5
HANDS = comb(FULL_DECK, CARDS)
(
    NOTHING, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH, SIX_CARD_ROYAL, DIAMOND_ROYAL,
) = range(10)  # fmt: skip
"""Lowest first; the six-card royal flush of diamonds apart."""
CLASSES = DIAMOND_ROYAL + 1
SIX_CARD_ROYAL_FLUSH, ROYAL_OF_DIAMONDS = "Six-card royal flush", "Six-card royal flush of diamonds"
NAMES = (
    "", hands.THREE, hands.STRAIGHT, hands.FLUSH, hands.FULL_HOUSE, hands.FOUR, hands.STRAIGHT_FLUSH, hands.ROYAL_FLUSH,
    SIX_CARD_ROYAL_FLUSH, ROYAL_OF_DIAMONDS,
)  # fmt: skip
"""Of the classes."""
SIX_RANKS = tuple(range(ACE - 5, ACE + 1))
DIAMONDS = sum(1 << RANKS * SUITS.index("d") + rank for rank in SIX_RANKS)  # the six cards, as `card_bit`s


@cache
def six_cards() -> FourTables:
    """Return the class by ranks, and by the suit that has five cards or more; the hand's class is the higher."""
    by_ranks, by_suit = by_form(CARDS, _of_ranks), by_mask(_of_suit, FEWEST, CARDS)
    return KEYS, forms(CARDS).low, forms(CARDS).high, by_ranks, by_suit


def _of_ranks(ranks: tuple[int, ...]) -> int:
    most, second, *_ = (*sorted(Counter(ranks).values(), reverse=True), 0)
    if most == 4:
        return FOUR
    if most == 3 and second >= 2:
        return FULL_HOUSE
    if run_top(ranks, FEWEST) is not None:
        return STRAIGHT
    return THREE if most == 3 else NOTHING


def _of_suit(ranks: tuple[int, ...]) -> int:
    if ranks == SIX_RANKS:
        return SIX_CARD_ROYAL
    top = run_top(ranks, FEWEST)
    return FLUSH if top is None else ROYAL_FLUSH if top == ACE else STRAIGHT_FLUSH


@helper
def with_diamonds(hand_class: int, bits: int) -> int:
    """Return the hand's class with the royal in diamonds apart; `hand_class` does not look at the suit."""
    return DIAMOND_ROYAL if hand_class == SIX_CARD_ROYAL and bits == DIAMONDS else hand_class


@cache
def six_card_counts() -> Ints:
    """Return the number of the `HANDS` in each class."""
    counts = np.zeros(CLASSES, np.int64)
    _count(six_cards(), counts)
    return counts


@kernel
def _count(tables: FourTables, counts: Ints) -> None:
    keys, low, high, by_ranks, by_suit = tables
    for a in range(FULL_DECK):
        for b in range(a):
            for c in range(b):
                three = keys[a] + keys[b] + keys[c]
                three_bits = 1 << card_bit(a) | 1 << card_bit(b) | 1 << card_bit(c)
                for d in range(c):
                    for e in range(d):
                        five = three + keys[d] + keys[e]
                        five_bits = three_bits | 1 << card_bit(d) | 1 << card_bit(e)
                        for f in range(e):
                            key, bits = five + keys[f], five_bits | 1 << card_bit(f)
                            place = low[low_part(key)] + high[high_part(key)]
                            hand_class = max(by_ranks[place], by_suit[suited(key, bits)])
                            counts[with_diamonds(hand_class, bits)] += 1


@cache
def six_card_deals() -> dict[tuple[int, int], tuple[int, ...]]:
    """Return (value of the best four of five, class of the six) → six cards that are both, the sixth card last.

    Suits are interchangeable but for the six-card royal flush, which is shown in diamonds: an orbit's first suit is
    the one with the highest cards, and exchanged with diamonds here.
    """
    hands = orbits(OWN).cards ^ 1
    examples = np.full((len(best_four(OWN).strengths), CLASSES), -1, np.int64)
    _look(hands, best_four(OWN).tables, six_cards(), examples)
    return {
        (int(value), int(six_class)): (
            *map(int, hands[examples[value, six_class] // FULL_DECK]),
            int(examples[value, six_class] % FULL_DECK),
        )
        for value, six_class in np.argwhere(examples >= 0)
    }


@kernel
def _look(hands: Ints, five: FourTables, six: FourTables, examples: Ints) -> None:
    """Write `examples[value, class]` = a hand's place × 52 + its sixth card."""
    keys, low, high, by_ranks, by_suit = five
    _, six_low, six_high, six_ranks, six_suit = six
    for hand in range(len(hands)):
        key, bits = 0, 0
        for card in hands[hand]:
            key += keys[card]
            bits |= 1 << card_bit(card)
        value = max(by_ranks[low[low_part(key)] + high[high_part(key)]], by_suit[suited(key, bits)])
        for card in range(FULL_DECK):
            if bits >> card_bit(card) & 1 == 0:
                all_six, six_bits = key + keys[card], bits | 1 << card_bit(card)
                place = six_low[low_part(all_six)] + six_high[high_part(all_six)]
                class_of_six = with_diamonds(max(six_ranks[place], six_suit[suited(all_six, six_bits)]), six_bits)
                examples[value, class_of_six] = hand * FULL_DECK + card
