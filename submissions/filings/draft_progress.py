"""How far a draft is: how many of the lines that it asks are answered, and how many findings are to be resolved.

Over all its table groups. Lists load everything in a bounded number of queries (`progress_of_drafts`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from games.rules.asked_lines import asked_lines, sound_answers
from games.rules.evaluate import effective
from games.rules.model import Chapter, Finding
from submissions.filings.judging import judge_draft
from submissions.models import Configuration, Status, Submission
from submissions.orders.waived_findings import OrderBook, load_order_book
from submissions.rules.rules_day import draft_chapter_or_none


@dataclass(frozen=True, slots=True)
class DraftProgress:
    """Counts of lines and of findings that block the filing, without those that a line is not answered yet.

    A line of two table groups counts twice.
    """

    answered_lines: int
    lines: int
    findings: int

    @property
    def is_complete(self) -> bool:
        """Whether it could be filed, as far as lines and findings say."""
        return self.answered_lines == self.lines and not self.findings

    @property
    def words(self) -> str:
        """ "18 of 25 lines answered, 2 findings"."""
        lines = f"{self.answered_lines} of {self.lines} line{'' if self.lines == 1 else 's'} answered"
        findings = f", {self.findings} finding{'' if self.findings == 1 else 's'}" if self.findings else ""
        return lines + findings


def draft_progress(submission: Submission, book: OrderBook | None = None) -> DraftProgress | None:
    """By the rules of the day on which it takes effect; None unless it is a draft of a chapter that the portal has.

    Reads `configurations`, prefetched or not; `book`: the Board's orders, if they are loaded.
    """
    chapter = draft_chapter_or_none(submission) if submission.status == Status.DRAFT else None
    if chapter is None:
        return None
    rows = list(submission.configurations.all())
    answers = [row.answers for row in rows]
    lines = sum(len(asked_lines(chapter, sound_answers(chapter, each))) for each in answers)
    answered_lines = sum(len(effective(chapter, each)) for each in answers)
    return DraftProgress(answered_lines, lines, sum(1 for _ in _findings(chapter, rows, book)))


def progress_of_rows(submissions: Iterable[Submission]) -> dict[int, DraftProgress]:
    """Of each draft among these rows, by primary key: one query for the orders, and one for the configurations if the
    rows do not have them. The rows have their organization.
    """
    drafts = [row for row in submissions if row.status == Status.DRAFT]
    prefetch_related_objects(drafts, "configurations")
    book = load_order_book() if drafts else None
    progress = {row.pk: draft_progress(row, book) for row in drafts}
    return {pk: row for pk, row in progress.items() if row is not None}


def progress_of_drafts(keys: Collection[int]) -> dict[int, DraftProgress]:
    """Of each draft among the submissions with these primary keys: at most three queries. Who may see them is decided
    by the caller."""
    rows = Submission.objects.filter(pk__in=keys, status=Status.DRAFT).select_related("organization")
    return progress_of_rows(rows.prefetch_related("configurations")) if keys else {}


def _findings(chapter: Chapter, rows: list[Configuration], book: OrderBook | None) -> Iterable[Finding]:
    for row in rows:
        judgment = judge_draft(chapter, row, rows, book=book)
        yield from (finding for finding in judgment.blocking if not finding.unanswered)
