"""Next steps in words: who acts next on a filing, to each reader from their own side, where "you" is the reader.

And the notes of a licensee's lists on a draft: progress, the next step, whether it is sent to the manager.

One table for submissions and one for layout filings. Notes are loaded for all rows of a page at once. Not here: the
tasks of a person (`filings.review.worklist`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from submissions.filings.drafts import DraftProgress, progress_of_rows
from submissions.filings.handover import HandoverState, handover_states
from submissions.models import WAITS_ON, LayoutStatus, Party, Person, Role, Status, Submission
from submissions.permissions import is_one_of


@dataclass(frozen=True, slots=True)
class NextStep:
    """The words for each reader. A role without words of its own has those of its side; without any, the Board's."""

    board: str
    licensee: str = ""
    preparer: str = ""
    manager: str = ""
    analyst: str = ""
    director: str = ""

    def words_for(self, person: Person) -> str:
        """Return the words for this person, who may be a stand-in for the manager."""
        if not person.at_regulator:
            own = self.manager if is_one_of(person, (Role.MANAGER,)) else ""
            prepares = person.role in (Role.PREPARER, Role.MANAGER)
            return own or (self.preparer if prepares else "") or self.licensee or self.board
        return {Role.ANALYST: self.analyst, Role.DIRECTOR: self.director}.get(Role(person.role), "") or self.board


PREPARED = "The licensee prepares the filing."
NEXT_STEPS: Mapping[str, NextStep] = {
    "draft": NextStep(PREPARED, "Nothing. The portal no longer has the chapter of this draft."),
    "draft/lines": NextStep(
        PREPARED,
        licensee="Next: a preparer finishes the checklist. Then your Table Games Manager files it.",
        preparer="Next: finish the checklist. Then your Table Games Manager files it.",
        manager="Next: finish the checklist. Then you file it.",
    ),
    "draft/findings": NextStep(
        PREPARED,
        licensee="Next: a preparer resolves the findings. Then your Table Games Manager files it.",
        preparer="Next: resolve the findings. Then your Table Games Manager files it.",
        manager="Next: resolve the findings. Then you file it.",
    ),
    "draft/complete": NextStep(
        PREPARED,
        licensee="Next: your Table Games Manager reviews it and files it.",
        manager="Next: you review and file it.",
    ),
    "returned": NextStep(
        "The licensee answers the Board, makes changes and files again.",
        licensee="A preparer answers the Board and makes the changes. Then your Table Games Manager files it again.",
        preparer="Answer the Board and make your changes. Then your Table Games Manager files it again.",
        manager="You answer the Board, make your changes and file it again.",
    ),
    "filed": NextStep(
        "When the simulation has passed, an analyst reviews the filing.",
        licensee="When the simulation has passed, an analyst of the Board reviews the filing.",
        analyst="When the simulation has passed, you review the filing.",
    ),
    "filed/simulated": NextStep(
        "An analyst recommends approval or returns the filing.",
        licensee="An analyst of the Board reviews the filing.",
        analyst="You recommend approval or return the filing.",
    ),
    "filed/disagrees": NextStep(
        "The simulation does not agree with the exact figures. An analyst returns the filing.",
        licensee="The simulation does not agree with the exact figures. An analyst of the Board returns the filing.",
        analyst="The simulation does not agree with the exact figures. You return the filing.",
    ),
    "recommended": NextStep(
        "A director, other than the one who recommended, decides.",
        licensee="A director of the Board decides.",
        director="You decide, unless you recommended it. Then another director decides.",
    ),
    "approved": NextStep(
        "Once layout, sign and guide are approved, the licensee may offer the game while it is in effect.",
        licensee="Once layout, sign and guide are approved, you may offer the game while it is in effect.",
    ),
    "approved/cleared": NextStep(
        "The licensee may offer the game while it is in effect.",
        licensee="You may offer the game while it is in effect.",
    ),
    "withdrawn": NextStep("Nothing. The submission was withdrawn and stays in the history."),
    "rejected": NextStep(
        "Nothing. The submission was rejected. The licensee can start another one for this game.",
        licensee="Nothing. The submission was rejected. A preparer can start another one for this game.",
        preparer="Nothing. The submission was rejected. You can start another one for this game.",
    ),
    "deleted": NextStep("Nothing. The draft was deleted before it was filed. It stays in the history."),
}

LAYOUT_NEXT_STEPS: Mapping[LayoutStatus, NextStep] = {  # on the Board's part of the page
    LayoutStatus.DRAFT: NextStep(PREPARED),
    LayoutStatus.FILED: NextStep(
        "The Bureau of Gaming Operations decides on the open elements. Then it issues a deficiency notice or reports "
        "to the Executive Director.",
        analyst="You decide on the open elements. Then you issue a deficiency notice or report to the Executive "
        "Director.",
    ),
    LayoutStatus.DEFICIENT: NextStep("The licensee corrects what the notice names and files again."),
    LayoutStatus.RECOMMENDED: NextStep(
        "The Executive Director decides, not the person who reported.",
        director="You decide, unless you reported on it.",
    ),
    LayoutStatus.APPROVED: NextStep("The licensee may post it at the tables while its Rules Submission is in effect."),
    LayoutStatus.REJECTED: NextStep("Nothing. The licensee can start another filing for these tables."),
    LayoutStatus.WITHDRAWN: NextStep("Nothing. It stays in the history."),
}


def next_step(
    person: Person, status: str, progress: DraftProgress | None = None, *, passed: bool | None = None, cleared: bool
) -> str:
    """Return the next step of a submission.

    `progress`: of a draft; `passed`: its simulations, None until they have ended; `cleared`: whether the approved game
    is cleared for play.
    """
    step = "approved/cleared" if cleared and status == Status.APPROVED else _step(status, progress, passed)
    return NEXT_STEPS[step].words_for(person)


def _step(status: str, progress: DraftProgress | None, passed: bool | None) -> str:
    if status == Status.FILED and passed is not None:
        return "filed/simulated" if passed else "filed/disagrees"
    if status != Status.DRAFT or progress is None:
        return status
    if progress.answered_lines < progress.lines:
        return "draft/lines"
    return "draft/findings" if progress.findings else "draft/complete"


SENT_TO = "Table Games Manager"
LICENSEES_WORDS: Mapping[Party | None, str] = {
    None: "–",
    Party.LICENSEE: "Your organization",
    Party.ANALYST: "Board analyst",
    Party.DIRECTOR: "Board director",
}


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A submission in a list: how far it is ("" unless it is a draft), and whom it waits for."""

    submission: Submission
    progress: DraftProgress | None
    handover: HandoverState | None

    @property
    def waits_on(self) -> str:
        """Return "Your organization"; "Table Games Manager" for what is sent to the manager."""
        is_sent = self.handover is not None and self.handover.is_sent
        return SENT_TO if is_sent else LICENSEES_WORDS[WAITS_ON.get(Status(self.submission.status))]


@dataclass(frozen=True, slots=True)
class DraftNotes:
    """Progress and handovers by the submissions' primary keys."""

    progress: Mapping[int, DraftProgress]
    handovers: Mapping[int, HandoverState]

    def rows(self, submissions: Iterable[Submission]) -> list[ListedRow]:
        return [ListedRow(row, self.progress.get(row.pk), self.handovers.get(row.pk)) for row in submissions]


def draft_notes(submissions: Sequence[Submission]) -> DraftNotes:
    """Return the notes of rows with their organization: three queries at most."""
    return DraftNotes(progress_of_rows(submissions), handover_states(submissions))
