"""A slow dealer who reads chapter 588's `house_ways.toml` to the letter, and settles by § 588.11(f) clause by clause.

It shares nothing with the code under test but the words of `when`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.games.maths.two_hands import slow

ACE = 12
SAME_SUIT = ("straight flush", "royal flush")
Set = tuple[str, slow.Hand, int]  # (line, high hand, rank of the low hand, the joker 13)


def name(five: Sequence[int]) -> str:
    return slow.CLASSES[slow.high(five)[0]]


def without(cards: Sequence[int], card: int) -> list[int]:
    return [other for other in cards if other != card]


def rank(card: int) -> int:
    return 13 if card == slow.JOKER else card // 4


def in_a_row(cards: Sequence[int]) -> bool:
    """All six make a straight, the joker in the place of any card."""
    natural = [card // 4 for card in cards if card != slow.JOKER]
    windows = [set(range(low, low + 6)) for low in range(8)] + [{ACE, 0, 1, 2, 3, 4}]
    return len(set(natural)) == len(natural) and any(set(natural) <= window for window in windows)


def of_one_suit(cards: Sequence[int]) -> bool:
    return len({card % 4 for card in cards if card != slow.JOKER}) == 1


def sets(cards: Sequence[int]) -> Set:
    """The first line that describes the cards, and what it sets."""
    groups = Counter(min(rank(card), ACE) for card in cards)
    sizes = sorted(groups.values(), reverse=True)
    made = {card: name(without(cards, card)) for card in cards}  # the high hand beside each low hand

    def highest(lows: Sequence[int]) -> int:
        return max(lows, key=lambda card: (rank(card), slow.high(without(cards, card))))

    def beside(*classes: str) -> list[int]:
        return [card for card in cards if made[card] in classes]

    def others(*kept: int) -> list[int]:
        return [card for card in cards if groups[min(rank(card), ACE)] not in kept]

    if sizes == [3, 3]:
        line, low = "Three-of-a-kind twice", highest([card for card in cards if min(rank(card), ACE) == max(groups)])
    elif sizes == [2, 2, 2]:
        line, low = "Three pairs", highest([card for card in cards if min(rank(card), ACE) == max(groups)])
    elif sizes[0] >= 4 or sizes == [3, 2, 1]:
        whole = {sizes[0]} if sizes[0] >= 4 else {3, 2}
        line, low = "Five aces, four-of-a-kind or a full house", highest(others(*whole))
    elif beside(*SAME_SUIT):
        six = of_one_suit(cards) and in_a_row(cards)
        line = "A straight flush of all six cards"
        line = (
            line
            if six
            else "A straight flush or royal flush of five cards, also beside a flush of all six or a straight"
        )
        low = highest(beside(*SAME_SUIT))
    elif beside("flush"):
        line = "A flush of all six cards" if of_one_suit(cards) else "A flush of five cards, also beside a straight"
        low = highest(beside("flush"))
    elif beside("straight"):
        line = "A straight of all six cards" if in_a_row(cards) else "A straight of five cards"
        low = highest(beside("straight"))
    elif sizes[0] > 1:
        line, low = "Three-of-a-kind, two pairs or a pair", highest(others(2, 3))
    else:
        by_rank = sorted(cards, key=rank)
        line, low = "No pair", by_rank[-2]
    return line, slow.high(without(cards, low)), rank(low)


def settled(player: tuple[slow.Hand, int], dealer: tuple[slow.Hand, int]) -> str:
    """§ 588.11(f), under the readings `identical-hands` and `low-hand-joker`, as the outcomes of the analysis."""
    (high, low), (dealer_high, dealer_low) = player, (dealer[0], min(dealer[1], ACE))
    low_wins = low == 13 or low > dealer_low
    if high > dealer_high:
        return "Both hands win" if low_wins else "High hand wins, low hand does not"
    if low_wins:
        return "Low hand wins, high hand does not"
    if high == dealer_high:
        return "Both hands identical" if low == dealer_low else "High hand identical, low hand lower"
    return "High hand lower, low hand identical" if low == dealer_low else "Both hands lower"


def random_six(count: int, seed: int) -> Iterator[list[int]]:
    """Half with the joker, many of few ranks, of one suit or in a row, so that every line is met."""
    draw = random.Random(seed)
    for _ in range(count):
        first = draw.randrange(13)
        near = [(first + step) % 13 for step in range(draw.choice((6, 7)))]
        ranks = draw.choice((draw.sample(range(13), draw.choice((2, 3, 4, 6, 13))), near))
        suits = draw.choice(("0123", "0123", "01", "1"))
        pool = [rank * 4 + int(suit) for rank in ranks for suit in suits]
        six = draw.sample(pool if len(pool) >= 6 else range(52), 6)
        if draw.random() < 0.5:
            six[0] = slow.JOKER
        elif draw.random() < 0.3:
            six[0] = draw.choice([card for card in range(52) if card not in six])
        yield six
