"""The configurations that an organization can change now by `update` or `amend`, with their answers.

Not here: the workbook (`spreadsheets.export_workbook`); permissions, which are checked when a change is made.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter
from submissions.core.configuration_index import group_at
from submissions.filings import versions
from submissions.filings.amendments import open_amendment
from submissions.filings.editable_lines import locked_lines
from submissions.models import Person, Revision, Status, Submission
from submissions.permissions import visible_to
from submissions.rules.effective_rules import chapter_on
from submissions.rules.rules_day import draft_chapter

WITH_THE_BOARD = (Status.FILED, Status.RECOMMENDED)


@dataclass(frozen=True, slots=True)
class ExportableRow:
    """One configuration as the next item of a batch would name it."""

    action: str  # update or amend
    submission: str
    version: int  # that the action names
    group: int
    name: str  # "All tables"; "High limit (3, 7-9)"
    chapter: Chapter  # on the day that counts: the planned one of a draft, else today
    answers: Answers
    locked: frozenset[str] = frozenset()  # lines that a return left locked

    @property
    def asked_lines(self) -> frozenset[str]:
        return frozenset(judge(self.chapter, self.answers).asked_keys)


def exportable_games(person: Person) -> tuple[list[ExportableRow], dict[str, str]]:
    """The open and approved submissions of the person's own organization, by chapter, then by number and group; and
    number → why nothing of it can be changed now.
    """
    rows: list[ExportableRow] = []
    unavailable: dict[str, str] = {}
    statuses = (Status.DRAFT, Status.RETURNED, Status.APPROVED, *WITH_THE_BOARD)
    own = visible_to(person).filter(organization=person.organization, status__in=statuses)
    for submission in own.select_related("organization").order_by("pk"):
        if submission.editable:
            rows += _of_draft(submission)
        elif submission.status in WITH_THE_BOARD:
            unavailable[submission.number] = f"{submission.get_status_display()}: withdraw it, or wait for the Board."
        elif versions.is_latest_version(submission):
            if begun := open_amendment(submission):
                unavailable[submission.number] = f"Approved, and amended by {begun.number} already: change that one."
            else:
                rows += _of_approved(submission)
    return sorted(rows, key=lambda row: row.chapter.number), unavailable


def _of_draft(submission: Submission) -> Iterator[ExportableRow]:
    chapter = draft_chapter(submission)
    configurations = list(submission.configurations.all())
    for row in configurations:
        name = _with_tables(row.display_name(several=len(configurations) > 1), row.tables)
        locked = locked_lines(submission, row.position, row.answers)
        yield ExportableRow("update", submission.number, row.version, row.position, name, chapter, row.answers, locked)


def _of_approved(submission: Submission) -> Iterator[ExportableRow]:
    chapter = chapter_on(submission.chapter, timezone.localdate())
    content = Revision.objects.get(submission=submission, version__isnull=False).content
    for place, row in enumerate(content["configurations"]):
        group, name = group_at(content, place), _with_tables(row["name"], row["tables"])
        yield ExportableRow("amend", submission.number, submission.version, group, name, chapter, row["answers"])


def _with_tables(name: str, tables: str) -> str:
    return f"{name} ({tables})" if tables else name
