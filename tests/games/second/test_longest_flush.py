"""The second laboratory's hands of seven cards by suits: every hand counted, straight flushes of every suit, numbers.

Not found here: a wrong least hand of the dealer.
"""

from __future__ import annotations

from itertools import combinations, groupby
from math import comb
from random import Random

import numpy as np
import pytest

from games import registry
from games.chapters.ch678a_high_card_flush.play import GAME
from games.chapters.ch678a_high_card_flush.second import TABLE
from games.compiled import kernel
from games.second.hands import RANKS, longest_flush, suited
from games.second.longest_flush import CARDS, number_beside, place_of, straight_in


@kernel
def count(flushes: np.ndarray) -> None:
    for a in range(52):
        for b in range(a):
            for c in range(b):
                three = suited(a) + suited(b) + suited(c)
                for d in range(c):
                    for e in range(d):
                        five = three + suited(d) + suited(e)
                        for f in range(e):
                            for g in range(f):
                                flushes[longest_flush(five + suited(f) + suited(g)) >> RANKS] += 1


def test_every_hand_is_counted_by_the_size_of_its_longest_flush():
    flushes = np.zeros(CARDS + 1, np.int64)
    count(flushes)
    longer = {size: 4 * comb(13, size) * comb(39, CARDS - size) for size in range(4, CARDS + 1)}
    two = 4 * 13 * comb(13, 2) ** 3
    three = comb(52, 7) - two - sum(longer.values())
    assert flushes.tolist() == [0, 0, two, three, *longer.values()]


def test_longer_flush_is_higher_and_of_one_size_the_one_with_the_highest_card_that_the_other_lacks():
    random = Random(7)
    for _ in range(5000):
        mine, theirs = (random.sample(range(52), CARDS) for _ in range(2))
        in_numbers = [longest_flush(sum(map(suited, hand))) for hand in (mine, theirs)]
        in_words = [max(map(by_size, suits(hand))) for hand in (mine, theirs)]
        assert (in_numbers[0] > in_numbers[1]) == (in_words[0] > in_words[1])
        assert (in_numbers[0] == in_numbers[1]) == (in_words[0] == in_words[1])


def test_straight_flush_is_the_longest_sequence_with_the_ace_high_or_low():
    for ranks in range(1 << RANKS):
        held = [rank for rank in range(RANKS) if ranks >> rank & 1]
        both = ([-1] if 12 in held else []) + held
        runs = [len(list(run)) for _, run in groupby(enumerate(both), key=lambda pair: pair[1] - pair[0])]
        assert straight_in(ranks) == max(runs, default=0)


def test_ranks_are_numbered_from_the_lowest_choice_up():
    for taken in (1, 2, 3):
        choices = sorted(sum(1 << rank for rank in chosen) for chosen in combinations(range(RANKS), taken))
        assert [place_of(chosen) for chosen in choices] == list(range(len(choices)))


def test_four_cards_beside_a_flush_of_three_have_one_number_whatever_the_suits_are_called():
    numbers = {}
    random = Random(8)
    for _ in range(20_000):
        hand = random.sample(range(52), CARDS)
        if max(map(len, suits(hand))) == 3:
            beside = tuple(sorted(map(by_size, suits(hand)), reverse=True)[1:])
            number = number_beside(sum(map(suited, hand)))
            assert numbers.setdefault(beside, number) == number
    assert len(set(numbers.values())) == len(numbers)


def test_raise_of_more_than_a_flush_allows_is_refused():
    chapter = registry.chapter("678a")
    by_flush, rows, by_others = GAME.strategy(chapter, {})
    three_times = np.where(by_flush == 2, 3, by_flush).astype(np.int8)  # with a flush of five cards
    for wrong in ((three_times, rows, by_others), (by_flush, rows, by_others + np.int8(1))):
        with pytest.raises(ValueError, match="raises more Antes than the flush allows"):
            TABLE.deal(chapter, {}, wrong, (1, 0, 1))


def suits(hand: list[int]) -> list[list[int]]:
    return [sorted((card // 4 for card in hand if card % 4 == suit), reverse=True) for suit in range(4)]


def by_size(suit: list[int]) -> tuple[int, tuple[int, ...]]:
    return len(suit), tuple(suit)
