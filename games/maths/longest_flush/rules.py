"""Seven cards by suits: the worth of the longest flush, the longest straight flush, and the cards beside a flush.

And the terms in which one game may differ from another: the raises, the dealer's qualifier, the optional wagers, the
sections.

The cards of a suit are 13 bits, a bit a rank. A flush is worth `size << 13 | ranks`: longer ones above shorter ones, of
one size the one with the highest card that the other lacks. A hand is worth its best suit. A chapter's `play.py` fills
the records. Not here: paytables, which the chapter's data have, the dealer's hand (`exact`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np

from games.compiled import Ints
from games.maths import cards
from games.maths.cards import ACE
from games.maths.results import MOST_IN_WORDS
from games.rules.errors import ParameterError

UNQUALIFIED, WIN, TIE, LOSE = ENDS = range(4)
"""The ends of a round that was raised: the dealer does not qualify; the player wins, ties or loses."""


@dataclass(frozen=True, slots=True)
class Flush:
    """The lowest hand with which the dealer qualifies: `size` cards of a suit, the highest of rank `high`."""

    size: int
    high: str  # of `cards.RANKS`: "9"

    def __post_init__(self) -> None:
        if self.size not in range(LEAST, CARDS + 1):
            raise ParameterError(
                "qualifier.size", f"is {self.size}; the longest flush of {CARDS} cards has {LEAST} to {CARDS}"
            )
        allowed = cards.RANKS[self.size - 1 :]
        if len(self.high) != 1 or self.high not in allowed:
            raise ParameterError(
                "qualifier.high", f"is {self.high!r}; the highest of {self.size} cards is one of {', '.join(allowed)}"
            )

    @property
    def top(self) -> int:
        """The rank of the highest card."""
        return cards.RANKS.index(self.high)

    @property
    def lowest(self) -> int:
        """Worth of the lowest such flush."""
        return self.size << RANKS | 1 << self.top | (1 << (self.size - 1)) - 1


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that the decisions depend on."""

    raises: tuple[int, ...]  # the largest Raise Wager in Antes, by the size of the longest flush: two to seven cards
    qualifier: Flush

    def __post_init__(self) -> None:
        if len(self.raises) != CARDS + 1 - LEAST:
            raise ParameterError("raises", f"are {len(self.raises)}; there is one for each size, {LEAST} to {CARDS}")
        if wrong := [raised for raised in self.raises if raised not in range(1, MOST_IN_WORDS + 1)]:
            raise ParameterError("raises", f"has {wrong[0]}; a Raise Wager is of 1 to {MOST_IN_WORDS} Antes")

    @property
    def allowed(self) -> tuple[int, ...]:
        """The largest Raise Wager by size, from no cards on."""
        return (0,) * LEAST + self.raises

    @property
    def amounts(self) -> tuple[int, ...]:
        """Every Raise Wager that is ever best, in Antes: as much as is allowed, or one."""
        return tuple(sorted({1, *self.raises}))


@dataclass(frozen=True, slots=True)
class Meter:
    """A progressive's terms where the answers do not state them, in dollars."""

    bet: Decimal
    reset: Decimal
    section: str  # of the reset amount

    def __post_init__(self) -> None:
        if self.bet <= 0:
            raise ParameterError("meter.bet", f"is {self.bet}; a wager is of more than 0 dollars")
        if self.reset < 0:
            raise ParameterError("meter.reset", f"is {self.reset}; a reset amount is not below 0 dollars")


@dataclass(frozen=True, slots=True)
class BonusWager:
    """A wager on the player's own cards, by the size of the longest flush or of the longest straight flush."""

    by: str  # of `KINDS`
    lost: str = ""  # section
    meter: Meter | None = None

    def __post_init__(self) -> None:
        if self.by not in KINDS:
            raise ParameterError("bonuses.by", f"is {self.by!r}; allowed are {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The subsections of a chapter by their content."""

    dealt: Mapping[str, str]  # option → section; the first where none is answered
    raised: str
    folded: str
    shown: str
    ends: Mapping[int, str]  # `UNQUALIFIED` … → section

    def __post_init__(self) -> None:
        if not self.dealt:
            raise ParameterError("sections.dealt", "is empty; cards are dealt in one way at least")
        if set(self.ends) != set(ENDS):
            raise ParameterError("sections.ends", f"has {sorted(self.ends)}; every end needs one: {list(ENDS)}")


CARDS, RANKS, SUITS = 7, 13, 4
SUIT = (1 << RANKS) - 1
LEAST = 2  # cards of one suit that seven cards of four suits always have
FLUSH, STRAIGHT_FLUSH = KINDS = ("flush", "straight flush")
"""The measures by which optional wagers are paid: the most cards of a suit, or the most in consecutive rank in one."""
THREE_AND_ONE, TWO_AND_TWO = 286 * RANKS, 78 * 79 // 2
BESIDE = THREE_AND_ONE + TWO_AND_TWO + 78 * (RANKS * (RANKS + 1) // 2)  # ways to have four cards in three suits


def by_suits(seven: Iterable[int]) -> list[int]:
    """Return the worth of the flush in each suit of these cards, the highest first."""
    suits = [0] * SUITS
    for card in seven:
        suits[card & 3] += 1 << RANKS | 1 << (card >> 2)
    return sorted(suits, reverse=True)


def unordered(first: int, second: int) -> int:
    """Return two numbers as one, in any order."""
    return max(first, second) * (max(first, second) + 1) // 2 + min(first, second)


def beside_number(size: int, second_size: int, first: int, second: int, third: int) -> int:
    """Return the number of four cards in three suits: the sizes of the largest two, the places (`PLACES`) of all."""
    if size == 3:
        return first * RANKS + second
    if second_size == 2:
        return THREE_AND_ONE + unordered(first, second)
    return THREE_AND_ONE + TWO_AND_TWO + first * 91 + unordered(second, third)


def longest_run(ranks: int) -> int:
    """Return the most cards in consecutive rank, the ace high or low."""
    bits, length = ranks << 1 | ranks >> ACE, 0
    while bits:
        bits, length = bits & bits << 1, length + 1
    return length


SIZES = np.array([ranks.bit_count() for ranks in range(1 << RANKS)], dtype=np.int64)
RUNS = np.array([longest_run(ranks) for ranks in range(1 << RANKS)], dtype=np.int64)
OF_SIZE = tuple(np.flatnonzero(size == SIZES).tolist() for size in range(RANKS + 1))
PLACES = np.zeros(1 << RANKS, np.int64)
"""The cards of a suit → their place among the holdings of its size."""
for _holdings_of_size in OF_SIZE:
    PLACES[_holdings_of_size] = np.arange(len(_holdings_of_size))


@cache
def beside(cards: int) -> tuple[Ints, Ints]:
    """Return every way to have `cards` cards in three suits, none more than three.

    These are the holdings, largest first, and the number of deals of the suits to which they belong. Four cards are in
    the order of `beside_number`.
    """
    holdings: list[tuple[int, ...]] = []
    for sizes in sorted(combinations_with_replacement((3, 2, 1, 0), 3), reverse=True):
        if sum(sizes) == cards:
            groups = [_holdings(size, times) for size, times in sorted(Counter(sizes).items(), reverse=True)]
            holdings += [sum(chosen, ()) for chosen in product(*groups)]
    ways = [factorial(3) // prod(factorial(times) for times in Counter(three).values()) for three in holdings]
    return np.array(holdings), np.array(ways)


def _holdings(size: int, times: int) -> list[tuple[int, ...]]:
    """Return every choice of `times` holdings of this size, the higher ones first, in the order of `unordered`."""
    if times == 3:
        return [chosen[::-1] for chosen in combinations_with_replacement(OF_SIZE[size], 3)]
    if times == 1:
        return [(ranks,) for ranks in OF_SIZE[size]]
    return [(first, second) for place, first in enumerate(OF_SIZE[size]) for second in OF_SIZE[size][: place + 1]]


@cache
def count_hands(kind: str) -> tuple[int, ...]:
    """Return the number of the C(52, 7) hands by the size of their longest one; `kind` is one of `KINDS`.

    Suits multiply as generating functions.
    """
    measure, upto = SIZES if kind == FLUSH else RUNS, [0]
    for most in range(CARDS + 1):
        suit = np.bincount(SIZES[(measure <= most) & (SIZES <= CARDS)], minlength=CARDS + 1).tolist()
        hand = [1] + [0] * CARDS
        for _ in range(SUITS):
            hand = [sum(hand[k - taken] * suit[taken] for taken in range(k + 1)) for k in range(CARDS + 1)]
        upto.append(hand[CARDS])
    return tuple(np.diff(upto).tolist())
