"""What one game may have otherwise than another: the raises, the dealer's qualifier, the optional wagers, the sections.

A chapter's `play.py` fills these records. Not here: paytables, which the chapter's data have.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from games.maths import cards
from games.maths.in_words import MOST
from games.maths.longest_flush.holdings import CARDS, KINDS, LEAST, RANKS
from games.maths.parameters import ParameterError

UNQUALIFIED, WIN, TIE, LOSE = ENDS = range(4)
"""How a round that was raised ends: the dealer does not qualify; the player wins, ties or loses."""


@dataclass(frozen=True, slots=True)
class Flush:
    """The lowest hand with which the dealer qualifies: so many cards of a suit, the highest of this rank."""

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
        """What the lowest such flush is worth (`holdings`)."""
        return self.size << RANKS | 1 << self.top | (1 << (self.size - 1)) - 1


@dataclass(frozen=True, slots=True)
class Rules:
    """What the decisions depend on."""

    raises: tuple[int, ...]  # the largest Raise Wager in Antes, by the size of the longest flush: two to seven cards
    qualifier: Flush

    def __post_init__(self) -> None:
        if len(self.raises) != CARDS + 1 - LEAST:
            raise ParameterError("raises", f"are {len(self.raises)}; there is one for each size, {LEAST} to {CARDS}")
        if wrong := [raised for raised in self.raises if raised not in range(1, MOST + 1)]:
            raise ParameterError("raises", f"has {wrong[0]}; a Raise Wager is of 1 to {MOST} Antes")

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
    """A wager on the player's own cards, by the size of the longest flush or the length of the longest straight flush:
    its paytables have rows such as "Six-card straight flush"."""

    by: str  # of `holdings.KINDS`
    lost: str = ""  # section
    meter: Meter | None = None

    def __post_init__(self) -> None:
        if self.by not in KINDS:
            raise ParameterError("bonuses.by", f"is {self.by!r}; allowed are {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """Which subsection says what."""

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
