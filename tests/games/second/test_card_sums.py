"""The sums over cards: all hands of three, five and six cards in their known numbers, seven against five at a time."""

from __future__ import annotations

from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from games.compiled import kernel
from games.maths.hands import set_place
from games.second import card_sums, hands
from games.second.card_sums import (
    by_rank,
    by_suit,
    class_of_flush,
    class_of_ranks,
    class_of_three,
    has_flush,
    mark,
    place_of_four,
    place_of_three,
    place_of_two,
)

FIVE = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
SIX = [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188]
THREE = {
    card_sums.NOTHING_3: 16_440, card_sums.PAIR_3: 3_744, card_sums.FLUSH_3: 1_096, card_sums.STRAIGHT_3: 720,
    card_sums.THREE_3: 52, card_sums.STRAIGHT_FLUSH_3: 44, card_sums.MINI_ROYAL: 4,
}  # fmt: skip


@kernel
def count_classes(size, cards, counts):
    """Count every set of so many cards once; `cards` are the first of them, rising."""
    while cards[size - 1] < 52:
        ranks = suits = marks = 0
        for place in range(size):
            ranks += by_rank(cards[place])
            suits += by_suit(cards[place])
            marks |= mark(cards[place])
        counts[class_of_flush(marks) if has_flush(suits) else class_of_ranks(ranks)] += 1
        place = 0
        while place + 1 < size and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        cards[place] += 1


@pytest.mark.parametrize("known", [FIVE, SIX])
def test_all_hands_are_of_the_classes_that_they_are_known_to_be(known):
    size, counts = 5 if known is FIVE else 6, np.zeros(10, np.int64)
    count_classes(size, np.arange(size), counts)
    assert counts.tolist() == known
    assert sum(known) == comb(52, size)


def best_class(cards):
    if has_flush(sum(map(by_suit, cards))):
        return class_of_flush(sum(map(mark, cards)))
    return class_of_ranks(sum(map(by_rank, cards)))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_best_of_more_cards_is_that_of_the_best_five(size):
    dealt = Random(size)
    for _ in range(3_000):
        deck = dealt.sample(range(52), 20)  # of which some make rare hands
        cards = deck[:size] if dealt.random() < 0.5 else sorted(deck, key=lambda card: card % 4)[:size]
        assert best_class(cards) == max(hands.class_of_five(*five) for five in combinations(cards, 5))


def test_all_sets_of_three_are_of_the_classes_that_they_are_known_to_be():
    counts = dict.fromkeys(THREE, 0)
    for cards in combinations(range(52), 3):
        counts[class_of_three(*cards)] += 1
    assert counts == THREE
    assert class_of_three(48, 0, 4) == card_sums.STRAIGHT_FLUSH_3  # an ace below the deuce


def test_sets_of_cards_have_the_places_of_the_strategy_in_any_order():
    dealt = Random(4)
    for size, place in ((2, place_of_two), (3, place_of_three), (4, place_of_four)):
        for _ in range(2_000):
            cards = dealt.sample(range(52), size)
            assert place(*cards) == set_place(cards)
