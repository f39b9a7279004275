"""Where a chapter says what a round does: who is dealt what, the decision. Each a whole citation."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.dealing import way_dealt
from games.rules.model import Answers


@dataclass(frozen=True, slots=True)
class Dealing:
    """One way of dealing: the player's cards, the dealer's, the one card more that some wagers need."""

    player: str
    dealer: str
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Sections:
    """Which subsection says what."""

    decided: str
    dealt: Mapping[str, Dealing]  # by the line that asks whether cards are so dealt

    def dealing(self, answers: Answers) -> Dealing:
        """The first that is answered with yes, else the first."""
        return way_dealt(self.dealt, answers)
