"""High hands with a joker, of all hands of 53 cards: the classes of a deck without it, and the joker as every card."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from games.compiled import kernel
from games.second.hands import ACE, FLUSH, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH
from games.second.two_hands import (
    CLASS,
    FIVE_ALIKE,
    FLUSHES,
    GROUPED,
    NO_FLUSH,
    cards_of,
    five_cards,
    keys,
    lower,
    numbers,
    upper,
)

pytestmark = pytest.mark.proof


@kernel
def count_classes(classes):
    for a in range(48):
        for b in range(a + 1, 49):
            for c in range(b + 1, 50):
                for d in range(c + 1, 51):
                    for e in range(d + 1, 52):
                        classes[five_cards(a, b, c, d, e) >> CLASS] += 1


def test_classes_of_a_deck_without_a_joker():
    classes = np.zeros(11, np.int64)
    count_classes(classes)
    assert classes.tolist() == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4, 0]


@kernel
def differs_from_the_joker_as_every_card(classes):
    """The number of hands whose number is not the highest that the joker as an ace, or in a run or a flush, gives."""
    wrong = 0
    for a in range(49):
        for b in range(a + 1, 50):
            for c in range(b + 1, 51):
                for d in range(c + 1, 52):
                    best = 0
                    for card in range(52):
                        if card in (a, b, c, d):
                            continue
                        value = five_cards(a, b, c, d, card)
                        run_or_flush = value >> CLASS in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
                        if card >> 2 == ACE or run_or_flush:
                            best = max(best, value)
                    if a == 48:  # the four aces
                        best = FIVE_ALIKE << CLASS | 1 << ACE + GROUPED
                    classes[five_cards(a, b, c, d, 52) >> CLASS] += 1
                    wrong += five_cards(a, b, c, d, 52) != best
    return wrong


def test_joker_is_the_card_that_makes_the_hand_highest():
    classes = np.zeros(11, np.int64)
    assert differs_from_the_joker_as_every_card(classes) == 0
    assert classes.sum() == comb(52, 4)
    assert classes[FIVE_ALIKE] == 1
    assert classes[ROYAL_FLUSH] == 4 * 5


@pytest.mark.parametrize(
    ("higher", "than"),
    [
        ((48, 0, 5, 10, 15), (44, 43, 39, 35, 31)),  # straights: ace to 5, king to 9
        ((48, 44, 40, 36, 33), (48, 0, 5, 10, 15)),  # ace to 10, ace to 5
        ((48, 0, 4, 8, 12), (44, 40, 36, 32, 28)),  # straight flushes
        ((52, 48, 0, 20, 28), (48, 40, 36, 20, 28)),  # flushes: the joker is a king beside the ace
    ],
)
def test_order_of_hands(higher, than):
    assert five_cards(*higher) > five_cards(*than)


@pytest.mark.parametrize("cards", [6, 7])
def test_hands_of_equal_ranks_have_one_number(cards):
    known = numbers(cards)
    assert known.of(known.ranks).tolist() == list(range(len(known.ranks)))
    for hand in np.unique(np.random.default_rng(cards).choice(len(known.ranks), 500)):
        ranks = known.ranks[hand]
        total = NO_FLUSH + int(keys()[cards_of(known.ranks[hand : hand + 1])[0]].sum())
        assert total & FLUSHES == 0
        assert known.low[lower(total)] + known.high[upper(total)] == hand
        assert (np.diff(ranks) >= 0).all()


@pytest.mark.parametrize(("five", "beside"), [([0, 4, 8, 12, 52], [17]), ([1, 5, 9, 13, 49], [50, 51])])
def test_five_of_a_suit_are_seen_in_the_sum(five, beside):
    total = NO_FLUSH + int(keys()[[*five, *beside]].sum())
    assert total & FLUSHES
    assert (total - int(keys()[five[0]])) & FLUSHES == 0
