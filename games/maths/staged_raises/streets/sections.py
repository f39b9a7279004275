"""Where a chapter says what a round does: who is dealt what, the raises, the settlement. Each a whole citation."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.dealing import way_dealt
from games.rules.model import Answers

Stages = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Dealing:
    """One way of dealing: the player's cards, the community cards face down, the extra cards and when they come."""

    own: str
    community: str
    extra: str = ""
    extra_first: bool = True  # else after the player's cards


@dataclass(frozen=True, slots=True)
class Sections:
    """Which subsection says what; `raised`, a fold too, and `turned` by stage."""

    won: str  # a push too
    lost: str
    raised: Stages
    turned: Stages
    dealt: Mapping[str, Dealing]  # by the line that asks whether cards are so dealt

    def dealing(self, answers: Answers) -> Dealing:
        """The first that is answered with yes, else the first."""
        return way_dealt(self.dealt, answers)
