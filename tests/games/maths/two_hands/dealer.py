"""A slow dealer who reads `house_ways.toml` to the letter: for each line, when it applies and the low hand's ranks.

It shares nothing with the code under test but the words of `when`. Ranks are counted with the joker as an ace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from tests.games.maths.two_hands import slow

ACE, KING, JACK, TEN, SEVEN, SIX = 12, 11, 9, 8, 5, 4
Low = tuple[int, int]


class Cards:
    """Seven cards as a dealer sees them."""

    def __init__(self, seven: Sequence[int]) -> None:
        self.seven = seven
        sizes = Counter(ACE if card == slow.JOKER else card // 4 for card in seven)
        self.five, self.four, self.three, self.pairs, self.single = (
            sorted((rank for rank, size in sizes.items() if size == alike), reverse=True) for alike in (5, 4, 3, 2, 1)
        )

    @cached_property
    def beside(self) -> list[slow.Hand]:
        """Every low hand that leaves a straight or better."""
        return [low for high, low in slow.settings(self.seven) if slow.CLASSES[high[0]] in slow.COMPLETED]

    @property
    def straight(self) -> bool:
        return bool(self.beside)

    def others(self) -> Low:
        """The two highest cards outside the pairs, threes and fours."""
        return self.single[0], self.single[1]

    def beside_straight(self) -> Low:
        """The highest low hand that leaves a straight or better."""
        category, ranks = max(self.beside)
        return (ranks[0], ranks[0]) if category else (ranks[0], ranks[1])


Line = tuple[Callable[[Cards], bool], Callable[[Cards], Low]]


def twice(rank: int) -> Low:
    return rank, rank


def two_pair(cards: Cards) -> bool:
    return len(cards.pairs) == 2 and not cards.three


def lone_four(cards: Cards) -> bool:
    return bool(cards.four) and not cards.pairs and not cards.three


def lone_three(cards: Cards) -> bool:
    return len(cards.three) == 1 and not cards.pairs


FIVE_ACES: Line = (lambda cards: bool(cards.five), lambda cards: twice(ACE))
FOUR_AND_THREE: Line = (
    lambda cards: bool(cards.four and cards.three),
    lambda cards: twice(max(cards.four[0], cards.three[0])),
)
FOUR_AND_PAIR: Line = (lambda cards: bool(cards.four and cards.pairs), lambda cards: twice(cards.pairs[0]))
THREE_TWICE: Line = (lambda cards: len(cards.three) == 2, lambda cards: twice(cards.three[0]))
FULL_HOUSE: Line = (lambda cards: bool(cards.three and cards.pairs), lambda cards: twice(cards.pairs[0]))
THREE_ACES: Line = (lambda cards: lone_three(cards) and cards.three[0] == ACE, lambda cards: (ACE, cards.single[0]))
THREE: Line = (lone_three, Cards.others)
THREE_PAIR: Line = (lambda cards: len(cards.pairs) == 3, lambda cards: twice(cards.pairs[0]))
ONE_PAIR: Line = (lambda cards: len(cards.pairs) == 1, Cards.others)
NO_PAIR: Line = (lambda cards: True, lambda cards: (cards.single[1], cards.single[2]))


def fours(low: int, high: int, keep: bool, ace: bool = False) -> Line:
    return (
        lambda cards: lone_four(cards) and low <= cards.four[0] <= high and (not ace or ACE in cards.single),
        lambda cards: cards.others() if keep else twice(cards.four[0]),
    )


def two_pairs(low: int, high: int, keep_with: int | None) -> Line:
    """Two pair, the higher from `low` to `high`: kept if the highest other card is `keep_with` or above, else split."""
    return (
        lambda cards: (
            two_pair(cards) and low <= cards.pairs[0] <= high and (keep_with is None or cards.single[0] >= keep_with)
        ),
        lambda cards: twice(cards.pairs[1]) if keep_with is None else cards.others(),
    )


WAYS: dict[str, dict[str, Line]] = {
    "traditional": {
        "Five aces and a pair of kings": (
            lambda cards: bool(cards.five) and cards.pairs == [KING],
            lambda cards: twice(KING),
        ),
        "Five aces": FIVE_ACES,
        "Four-of-a-kind and three-of-a-kind": FOUR_AND_THREE,
        "Four-of-a-kind and a pair": FOUR_AND_PAIR,
        "Four-of-a-kind, jacks to aces": fours(JACK, ACE, keep=False),
        "Four-of-a-kind, 7s to 10s, with an ace": fours(SEVEN, TEN, keep=True, ace=True),
        "Four-of-a-kind, 7s to 10s, without an ace": fours(SEVEN, TEN, keep=False),
        "Four-of-a-kind, 2s to 6s": fours(0, SIX, keep=True),
        "Three-of-a-kind twice": THREE_TWICE,
        "Full house": FULL_HOUSE,
        "Three-of-a-kind with a straight or better": (
            lambda cards: lone_three(cards) and cards.straight,
            Cards.beside_straight,
        ),
        "Three aces": THREE_ACES,
        "Three-of-a-kind, kings or lower": THREE,
        "Three pair": THREE_PAIR,
        "Two pair, the higher jacks to aces": two_pairs(JACK, ACE, None),
        "Two pair, the higher 7s to 10s, with an ace": two_pairs(SEVEN, TEN, ACE),
        "Two pair, the higher 7s to 10s, without an ace": two_pairs(SEVEN, TEN, None),
        "Two pair, the higher 3s to 6s, with an ace or king": two_pairs(1, SIX, KING),
        "Two pair, the higher 3s to 6s, without an ace or king": two_pairs(1, SIX, None),
        "A straight or better, with one pair or none": (lambda cards: cards.straight, Cards.beside_straight),
        "One pair": ONE_PAIR,
        "No pair": NO_PAIR,
    },
    "simplified": {
        "Five aces": FIVE_ACES,
        "Four-of-a-kind and three-of-a-kind": FOUR_AND_THREE,
        "Four-of-a-kind and a pair": FOUR_AND_PAIR,
        "Four-of-a-kind, 7s to aces": fours(SEVEN, ACE, keep=False),
        "Four-of-a-kind, 2s to 6s": fours(0, SIX, keep=True),
        "Three-of-a-kind twice": THREE_TWICE,
        "Full house": FULL_HOUSE,
        "Three pair": THREE_PAIR,
        "Two pair, kings or lower, with an ace": two_pairs(1, KING, ACE),
        "Two pair, any other": two_pairs(1, ACE, None),
        "A straight or better": (lambda cards: cards.straight, Cards.beside_straight),
        "Three aces": THREE_ACES,
        "Three-of-a-kind, kings or lower": THREE,
        "One pair": ONE_PAIR,
        "No pair": NO_PAIR,
    },
}


def sets(seven: Sequence[int], way: str) -> tuple[str, Low]:
    """The line that a dealer takes, and the ranks of the low hand it leaves, higher first."""
    cards = Cards(seven)
    return next((when, low(cards)) for when, (applies, low) in WAYS[way].items() if applies(cards))
