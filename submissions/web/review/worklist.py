"""The first page: the task list of a licensee or of the Board with all submissions, or the public home page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from games.rules.model import Chapter
from submissions.filings import versions
from submissions.filings.completeness import completeness
from submissions.models import Person, Role, Status, Submission
from submissions.permissions import may, visible_to
from submissions.review.worklist import batch_tasks_of, tasks_of
from submissions.rules.effective_rules import chapters_on
from submissions.web.access_gate import organization_of
from submissions.web.formatting import ago
from submissions.web.layouts import layout_worklist
from submissions.web.orders import order_list
from submissions.web.responses import page_of
from submissions.web.rulemakings.refiling_rows import refiling_tasks
from submissions.web.sentences import counted, moment

PAGE = 50


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task: since when, what to do, and the state of the simulation."""

    submission: Submission
    since: datetime
    what: str
    simulation: str
    dealt: int = 0
    to_deal: int = 0  # 0 = nothing is running

    @property
    def last_step(self) -> str:
        """When it was returned, else when it was last changed."""
        if self.submission.status == Status.RETURNED:
            return f"returned {ago(self.since)}"
        return f"last changed {moment(self.submission.changed_at, 'M j, Y, g:i A')}"


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "public/home.html", {"chapters": chapters_on(timezone.localdate()), "here": "home"})
    person = request.user
    context = _lists(request, person) | {"here": "home"}
    if person.at_regulator:
        return render(request, "pages/board_queue.html", context)
    games = _games(versions.amendable_games(organization_of(request)))
    context |= {"games": games, "may_start": may(person, "start"), "refilings": refiling_tasks(person)}
    return render(request, "pages/licensee_home.html", context)


def _lists(request: HttpRequest, person: Person) -> dict[str, object]:
    """The person's tasks, for the Board the oldest first, for a licensee the returned ones first; then all."""
    tasks, rows = tasks_of(person), visible_to(person).select_related("organization")
    if not person.at_regulator:  # whose lists show how far each draft is
        tasks, rows = tasks.prefetch_related("configurations"), rows.prefetch_related("configurations")
    page = page_of(request, tasks, PAGE, "waiting")
    return {
        "worklist_page": page,
        "rows": list(_task_rows(person, page)),
        "page": page_of(request, rows, PAGE),
        "batches": batch_tasks_of(person),
        **order_list.ending_orders(person),
        **layout_worklist.layout_tasks(request, person),
        **layout_worklist.layout_list(request, person),
    }


def _games(offered: Mapping[str, str]) -> list[tuple[str, list[tuple[Chapter, str]]]]:
    """The chapters by the status of their rules, in the Code's order; each with the submission that can be amended."""
    today = chapters_on(timezone.localdate())
    return [
        (
            status,
            [(chapter, offered.get(chapter.number, "")) for chapter in today if chapter.status == status],
        )
        for status in ("final", "temporary", "proposed")
    ]


def _task_rows(person: Person, page: Page[Submission]) -> Iterator[TaskRow]:
    row: Any  # a submission with the annotations of `tasks_of`
    for row in page:
        running = row.running and row.to_deal
        yield TaskRow(
            submission=row,
            since=row.since,
            what=_task_text(person, row),
            simulation="Running" if row.running else "Does not agree" if row.failed else "Passed",
            dealt=row.dealt if running else 0,
            to_deal=row.to_deal if running else 0,
        )


def _draft_task(person: Person, draft: Submission) -> str:
    """How far the draft is, and what is left to do."""
    progress = completeness(draft)
    if progress is None:
        return "Withdraw it: the portal no longer has its chapter"
    if progress.is_complete:
        return f"{'Review and file' if person.role == Role.MANAGER else 'Have it filed'}: {progress.words}"
    return f"Complete it: {progress.words}"


def _task_text(person: Person, row: Any) -> str:
    """What this person is to do."""
    if row.status == Status.DRAFT:
        return _draft_task(person, row)
    if row.status == Status.RETURNED:
        filing = "File it again" if person.role == Role.MANAGER else "Have it filed again"
        return f"Answer {counted(row.to_answer, 'question')}" if row.to_answer else filing
    if row.status == Status.RECOMMENDED:
        return "Decide"
    if row.failed:
        return "Return it: the simulation does not agree"
    if row.to_settle:
        return f"Answers to {counted(row.to_settle, 'question')}"
    return "Read it while it is simulated" if row.running else "Recommend or return"
