"""The states of a layout, payout sign or gaming guide at a group of tables, and what follows for the group.

Not here: which state a paper has (`readiness`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db import models
from django.utils.text import get_text_list

from submissions.models import LayoutFiling, Paper, Part


class PaperState(models.TextChoices):
    APPROVED = "follows", "Approved"
    UNDER_WAY = "under-way", "Under way"
    UPDATE_REQUIRED = "must-follow", "Update required"  # another one was approved for the game
    NOT_APPROVED = "not-approved", "Not approved"  # rejected, and none was ever approved: the public reads this too
    NOT_FILED = "not-filed", "Not filed"


TO_FILE = (PaperState.UPDATE_REQUIRED, PaperState.NOT_APPROVED, PaperState.NOT_FILED)


@dataclass(frozen=True, slots=True)
class PaperReadiness:
    """One part at a group of tables. `why`: the changes since the last approved one; empty for the first.

    `required_from`: the day from which changed rules call for another paper than the approved one, and `coming` why;
    None while none is known.
    """

    part: Part
    state: PaperState
    filing: LayoutFiling | None = None  # the approved one, the one under way, or the rejected one
    paper: Paper | None = None  # signed
    why: tuple[str, ...] = ()
    required_from: date | None = None
    coming: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupReadiness:
    """A group of tables, by its position in the draft, with its parts; `no_guide`: the reason for no guide.

    `not_cleared_for_play`: why sign and guide of these answers cannot be used at a table, even if they are approved.
    """

    group: int
    name: str
    tables: str
    parts: tuple[PaperReadiness, ...]
    no_guide: str = ""
    not_cleared_for_play: str = ""

    @property
    def ready(self) -> bool:
        return not self.not_cleared_for_play and all(part.state is PaperState.APPROVED for part in self.parts)

    @property
    def missing(self) -> tuple[PaperReadiness, ...]:
        return tuple(part for part in self.parts if part.state in TO_FILE)

    @property
    def button(self) -> str:
        """ "File layout, sign and guide"; "File updates" where each missing part was approved for other answers."""
        if all(part.state is PaperState.UPDATE_REQUIRED for part in self.missing):
            return "File updates"
        return f"File {parts_in_words([part.part for part in self.missing])}"

    @property
    def under_way(self) -> LayoutFiling | None:
        return next((part.filing for part in self.parts if part.state is PaperState.UNDER_WAY), None)


def parts_in_words(parts: Collection[Part]) -> str:
    """ "layout, sign and guide"."""
    return get_text_list([part.value for part in Part if part in parts], "and")
