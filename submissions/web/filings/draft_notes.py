"""What lists and pages of a licensee say of a draft: how far it is, what comes next, whether it is sent to the manager.

Loaded for all rows of a page at once. Not here: whose task a draft is (`review.worklist`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from submissions.filings.draft_progress import DraftProgress, progress_of_rows
from submissions.filings.handover import HandoverState, handover_states
from submissions.models import Status, Submission
from submissions.web import formatting

SENT = "Table Games Manager"


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A submission in a list: how far it is ("" unless it is a draft), and whom it waits for."""

    submission: Submission
    progress: DraftProgress | None
    handover: HandoverState | None

    @property
    def waits_on(self) -> str:
        """ "Your organization"; "Table Games Manager" for what is sent to the manager."""
        is_sent = self.handover is not None and self.handover.is_sent
        return SENT if is_sent else formatting.WAITS_ON[Status(self.submission.status)]


@dataclass(frozen=True, slots=True)
class DraftNotes:
    """Progress and handovers by the submissions' primary keys."""

    progress: Mapping[int, DraftProgress]
    handovers: Mapping[int, HandoverState]

    def rows(self, submissions: Iterable[Submission]) -> list[ListedRow]:
        return [ListedRow(row, self.progress.get(row.pk), self.handovers.get(row.pk)) for row in submissions]


def draft_notes(submissions: Sequence[Submission]) -> DraftNotes:
    """Of rows with their organization: three queries at most."""
    return DraftNotes(progress_of_rows(submissions), handover_states(submissions))
