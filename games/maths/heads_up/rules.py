"""The terms in which games differ: the raises, the dealer's qualifier, the optional wagers, the sections.

A chapter's `play.py` fills these records. Not here: paytables, which the chapter's data have (`wagers`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.maths import hands
from games.maths.results import MOST_IN_WORDS
from games.rules.errors import ParameterError

WIN, WIN_UNQUALIFIED, TIE, TIE_UNQUALIFIED, LOSE, LOSE_UNQUALIFIED = ENDS = tuple(range(6))
"""The ends of a round that was raised, by whether the dealer qualifies."""
BEFORE, AFTER, LAST, FOLD = range(4)
"""When the player raises, if ever: before the Flop, after it, after the River card."""
OWN_CARDS, BEST_FIVE = KINDS = ("two own cards", "best five of seven")
"""The cards that an optional wager is paid by."""
QUALIFIERS = (hands.HIGH_CARD, hands.PAIR)
Raises = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that the decisions depend on, beside the pays of the Odds Wager."""

    raises: Raises  # Antes raised before the Flop, after it, after the River card
    qualifier: str = hands.PAIR  # the lowest class with which the dealer qualifies; `HIGH_CARD`: with every hand

    def __post_init__(self) -> None:
        if len(self.raises) != FOLD:
            raise ParameterError("rules.raises", f"are {len(self.raises)}; there are three chances to raise")
        if wrong := [raised for raised in self.raises if raised not in range(1, MOST_IN_WORDS + 1)]:
            raise ParameterError("rules.raises", f"has {wrong[0]}; a Raise Wager is of 1 to {MOST_IN_WORDS} Antes")
        if self.raises != tuple(sorted(self.raises, reverse=True)):
            raise ParameterError("rules.raises", f"are {self.raises}; a later Raise Wager is not larger")
        if self.qualifier not in QUALIFIERS:
            raise ParameterError(
                "rules.qualifier", f"is {self.qualifier!r}; the family knows {' and '.join(QUALIFIERS)}"
            )


@dataclass(frozen=True, slots=True)
class BonusWager:
    """An optional wager."""

    by: str  # of `KINDS`
    lost: str  # section
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by not in KINDS:
            raise ParameterError("bonuses.by", f"is {self.by!r}; allowed are {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The subsections of a chapter by their content."""

    dealt: Mapping[str, str]  # option → section; the first where none is answered
    raised: tuple[str, str, str]  # each decision; the last one's is that of a fold too
    flop: str
    turn_and_river: str
    shown: str
    ends: Mapping[int, str]  # `WIN` … → section
    bad_beat: str  # a lost hand whose Odds Wager is paid

    def __post_init__(self) -> None:
        if not self.dealt:
            raise ParameterError("sections.dealt", "is empty; cards are dealt in one way at least")
        if set(self.ends) != set(ENDS):
            raise ParameterError("sections.ends", f"has {sorted(self.ends)}; every end needs one: {list(ENDS)}")
