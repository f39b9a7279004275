"""What an organisation can change now by `update` or `amend`: a configuration each, with its answers; and what not.

Not here: how they are drawn (`workbook`), and whether a change is allowed, which is asked when it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils import timezone

from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter
from games.rules.periods import in_force
from games.rules.registry import chapter as chapter_of
from submissions.access import visible_to
from submissions.actions import versions
from submissions.actions.amendments import under_way
from submissions.models import Person, Revision, Status, Submission
from submissions.places import group_of
from submissions.reopening import closed_lines

LATER = (Status.FILED, Status.RECOMMENDED)  # with the Board


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration as the next item of a batch would name it."""

    action: str  # update or amend
    submission: str
    version: int  # that the action asks for
    group: int
    called: str  # "All tables"; "High limit (3, 7-9)"
    chapter: Chapter  # as it is in force today
    answers: Answers
    closed: frozenset[str] = frozenset()  # lines that a return left closed

    @property
    def asked(self) -> frozenset[str]:
        return frozenset(judge(self.chapter, self.answers).asked)


@dataclass(frozen=True, slots=True)
class Changeable:
    rows: tuple[Row, ...]  # by chapter, then by number and group
    others: Mapping[str, str]  # number → why nothing of it can be changed now


def of(person: Person) -> Changeable:
    """Everything of the person's own organisation that is not over."""
    rows: list[Row] = []
    others: dict[str, str] = {}
    own = visible_to(person).filter(organisation=person.organisation).select_related("organisation")
    for submission in own.filter(status__in=(Status.DRAFT, Status.RETURNED, Status.APPROVED, *LATER)).order_by("pk"):
        if submission.editable:
            rows += _of_draft(submission)
        elif submission.status in LATER:
            others[submission.number] = f"{submission.get_status_display()}: withdraw it, or wait for the Board."
        elif versions.is_last_word(submission):
            if begun := under_way(submission):
                others[submission.number] = f"Approved, and amended by {begun.number} already: change that one."
            else:
                rows += _of_approved(submission)
    return Changeable(tuple(sorted(rows, key=lambda row: row.chapter.number)), others)


def _of_draft(submission: Submission) -> Iterator[Row]:
    chapter = in_force(chapter_of(submission.chapter), timezone.localdate())
    configurations = list(submission.configurations.all())
    for one in configurations:
        called = one.called(several=len(configurations) > 1)
        yield Row(
            "update", submission.number, one.version, one.position, _called(called, one.tables), chapter, one.answers,
            closed_lines(submission, one.position, one.answers),
        )  # fmt: skip


def _of_approved(submission: Submission) -> Iterator[Row]:
    chapter = in_force(chapter_of(submission.chapter), timezone.localdate())
    content = Revision.objects.get(submission=submission, version__isnull=False).content
    for place, one in enumerate(content["configurations"]):
        group = group_of(content, place)
        called = _called(one["name"], one["tables"])
        yield Row("amend", submission.number, submission.version, group, called, chapter, one["answers"])


def _called(name: str, tables: str) -> str:
    return f"{name} ({tables})" if tables else name
