"""The terms in which games differ: the stakes, the wager on the first five cards, the sections.

A chapter's `play.py` fills these records. Not here: paytables, which the chapter's data have, and the player's strategy
(`strategy`), which is one for the whole family.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from games.maths.results import MOST_IN_WORDS
from games.rules.errors import ParameterError

FOLDED, INSTANT, FOLDED_AFTER_DRAW = range(3)
NOT_QUALIFIED, TIED, BEATEN, WON, FORCED_NOT_QUALIFIED, FORCED_TIED, FORCED_BEATEN, FORCED_WON = range(3, 11)
SETTLED: Final = (NOT_QUALIFIED, TIED, BEATEN, WON)
FORCED: Final = (FORCED_NOT_QUALIFIED, FORCED_TIED, FORCED_BEATEN, FORCED_WON)
UNSEEN_AT_LEAST: Final = 37  # cards that a player who has drawn five and seen the dealer's five has not seen
PAIRING: Final = 12  # of them those that give a pair to a dealer without one, who keeps four cards
NEVER: Final = 1 << 30  # odds that nothing pays
Forcing = tuple[int, int, int]
"""For the kernels: the Bet Wager and the fee in Antes, the least odds in all for which the dealer is forced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """The player's payments beside the Ante Wager, in Antes."""

    bet: int
    draw_fee: int  # for a sixth card, or to exchange cards
    force_fee: int | None  # to force a dealer who does not qualify to try again; None = the dealer cannot be forced

    def __post_init__(self) -> None:
        if self.bet not in range(1, MOST_IN_WORDS):
            raise ParameterError("stakes.bet", f"is {self.bet}; a Bet Wager is of 1 to {MOST_IN_WORDS - 1} Antes")
        for key, fee in (("draw_fee", self.draw_fee), ("force_fee", self.force_fee)):
            if fee is not None and fee not in range(MOST_IN_WORDS):
                raise ParameterError(f"stakes.{key}", f"is {fee}; a fee is of 0 to {MOST_IN_WORDS - 1} Antes")

    @property
    def least_forcing(self) -> int:
        """The least odds in all, to 1, for which the dealer may be forced, `NEVER` where it is not allowed.

        For less only pairs can qualify and be beaten (`Terms` sees to it), by `PAIRING` cards at most of
        `UNSEEN_AT_LEAST` or more unseen: their odds do not make up for the fee and the Ante's win.
        """
        if self.force_fee is None:
            return NEVER
        return ceil((self.force_fee + 1) * UNSEEN_AT_LEAST / (self.bet * PAIRING))

    @property
    def forcing(self) -> Forcing:
        """Terms of forcing as the kernels need them."""
        return self.bet, self.force_fee or 0, self.least_forcing


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFive:
    """A wager on the first five cards, whose list of hands has an ace-king of any suits."""

    lost: str  # section
    reading: str  # of its ace-king

    def __post_init__(self) -> None:
        if not self.reading:
            raise ParameterError("first_five.reading", "is empty; name the reading of the ace-king")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The subsections of a chapter by their content."""

    dealt: Mapping[str, str]  # option → section, also of the up card; the first where none is answered
    folds: str
    bets: str  # also where a hand is declared
    draws: str
    instant_payout: str
    folded: str
    sixth_card: str
    exchange: str
    decides_after_draw: str
    folded_after_draw: str
    revealed: str
    forces: str
    ends: Mapping[int, str]  # `NOT_QUALIFIED` … `FORCED_WON` → section

    def __post_init__(self) -> None:
        if not self.dealt:
            raise ParameterError("sections.dealt", "is empty; cards are dealt in one way at least")
        if missing := {*SETTLED, *FORCED} ^ self.ends.keys():
            ends = [*SETTLED, *FORCED]
            raise ParameterError("sections.ends", f"has {sorted(self.ends)}, not {ends}: {min(missing)} is wrong")
