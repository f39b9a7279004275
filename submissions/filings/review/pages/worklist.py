"""The first page: the task list of a licensee, the Board's queue with all submissions, or the public home page.

The queue has a filter, counts, and filters that are saved under a name; refused, it comes again with the name that was
entered.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_POST

from games.registry import folders, title_of
from games.rules.model import Chapter
from submissions.core.errors import Refusal
from submissions.core.text import counted
from submissions.filings import versions
from submissions.filings.drafts import DraftProgress
from submissions.filings.handover import HandoverState
from submissions.filings.orders.pages import orders
from submissions.filings.orders.temporary_chapters import ChapterDecision, chapter_decisions
from submissions.filings.pages.next_steps import DraftNotes, draft_notes, next_step
from submissions.filings.review.equal_filings import equal_groups_among
from submissions.filings.review.worklist import (
    TASKS_ON_PAGE,
    QueuedFiling,
    Target,
    TaskDetails,
    batch_tasks_of,
    layout_tasks_of,
    other_drafts,
    queued_filings,
    target_of,
    task_details,
    tasks_of,
)
from submissions.filings.tables.table_status import uncovered_tables_of
from submissions.layouts.pages import layout_worklist
from submissions.layouts.readiness import papers_to_file
from submissions.models import WAITS_ON, WITH_BOARD, Handover, Party, Person, Role, SavedFilter, Status, Submission
from submissions.permissions import filters_visible_to, is_one_of, may, require, visible_to
from submissions.public.list_filters import (
    ME,
    ORDERS,
    STATUSES,
    UNASSIGNED,
    QueueCounts,
    QueueFilterSet,
    queue_counts,
    queue_of,
)
from submissions.public.submission_search import save_search
from submissions.rulemakings.pages import refiling_rows
from submissions.rulemakings.refiling import refiling_tasks_of
from submissions.rules import chapter_on_or_none, chapters_on
from submissions.web.access_gate import organization_of, person_of
from submissions.web.formatting import ago
from submissions.web.forms import ANY_ENTRY
from submissions.web.responses import page_of, render_page
from submissions.web.sentences import moment


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task: since when, what to do, and the state of the simulation; how far a draft is, and whether it was sent."""

    submission: Submission | QueuedFiling
    since: datetime
    what: str
    simulation: str
    dealt: int = 0
    to_deal: int = 0  # 0 = nothing is running
    handover: HandoverState | None = None
    target: Target | None = None  # of the Board

    @property
    def status(self) -> Status:
        return Status(self.submission.status)

    @property
    def last_step(self) -> str:
        """When it was returned, else when it was last changed."""
        if isinstance(self.submission, QueuedFiling) or self.submission.status == Status.RETURNED:
            return f"returned {ago(self.since)}"
        return f"last changed {moment(self.submission.changed_at, 'M j, Y, g:i a')}"


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "public/home.html", {"chapters": chapters_on(timezone.localdate()), "here": "home"})
    person = request.user
    if person.at_regulator:
        return board_page(request, person, request.GET)
    context = _lists(request, person, request.GET) | {"here": "home"}
    games = _games(person, versions.amendable_games(organization_of(request)))
    refilings = refiling_rows(refiling_tasks_of(person))
    context |= {"games": games, "may_start": may(person, "start"), "refilings": refilings}
    context["papers_page"] = page_of(request, papers_to_file(person), TASKS_ON_PAGE, "papers")
    return render(request, "pages/licensee_home.html", context)


def board_page(
    request: HttpRequest, person: Person, query: Mapping[str, str], refusal: Refusal | None = None
) -> HttpResponse:
    """Return the Board's queue as a query string filters it, with the refusal to save that filter as a view."""
    context = _lists(request, person, query) | {"here": "home", "error_fields": {ANY_ENTRY: "view-name"}}
    context["view_name"] = request.POST.get("name", "")
    response = render_page(request, "pages/board_queue.html", context, refusal)
    if context["faults"]:
        response.status_code = 400
    return response


def _lists(request: HttpRequest, person: Person, query: Mapping[str, str]) -> dict[str, object]:
    """Return the person's tasks: for the Board the oldest first, for a licensee the returned ones first.

    A licensee's are followed by all that it has. All that the Board may see is what its search begins with.
    """
    decisions = cast(Mapping[str, ChapterDecision], SimpleLazyObject(chapter_decisions))  # not all roles ask for them
    desk: dict[str, object] = {}
    notes = DraftNotes({}, {})
    pages: dict[str, Page[Any]] = {}
    if person.at_regulator:
        filters = QueueFilterSet(query, Submission.objects.none(), request=request)
        open_filings, layouts = queued_filings(person), layout_worklist.queued_layouts(person, filters.values)
        desk = queue_context(request, filters, open_filings)
        queue = queue_of(person, filters, open_filings)
        pages["worklist_page"] = page_of(request, queue, TASKS_ON_PAGE, "waiting")
    else:  # whose lists show how far each draft is
        layouts = list(layout_worklist.with_rows(layout_tasks_of(person)))
        rows = visible_to(person).exclude(status=Status.DELETED).select_related("organization")
        named = {"worklist_page": (tasks_of(person), "waiting"), "page": (rows, "page")}
        named["drafts_page"] = (other_drafts(person), "drafts")
        pages = {name: page_of(request, each, TASKS_ON_PAGE, parameter) for name, (each, parameter) in named.items()}
        notes = draft_notes([submission for page in pages.values() for submission in page])
    return {
        **pages,
        "notes": notes,
        "rows": list(_task_rows(person, pages["worklist_page"], notes)),
        "listed": notes.rows(pages.get("page", ())),
        "drafts": notes.rows(pages.get("drafts_page", ())),
        "batches": batch_tasks_of(person),
        "uncovered_tables": uncovered_tables_of(person, decisions),
        **orders.orders_ending_soon(person, decisions),
        **layout_worklist.layout_tasks(request, layouts, is_overdue=bool(query.get("overdue"))),
        # All that a licensee has; the Board, which has thousands, asks for them.
        **(layout_worklist.layout_list(request, person) if person.at_licensee or "layouts" in request.GET else {}),
        **desk,
    }


@dataclass(frozen=True, slots=True)
class StartRow:
    """A chapter that the licensee may start; `approved`: the submission to amend instead, "" if there is none."""

    chapter: Chapter
    approved: str
    has_sources: bool  # whether there may be an earlier filing to start from


def _games(person: Person, offered: Mapping[str, str]) -> list[tuple[str, list[StartRow]]]:
    """Return the chapters by the status of their rules, in the Code's order."""
    own = visible_to(person).order_by().values_list("chapter", flat=True)
    today, before = chapters_on(timezone.localdate()), set(own.distinct())
    several = person.account_id is not None
    rows = [StartRow(each, offered.get(each.number, ""), several or each.number in before) for each in today]
    return [
        (status, [row for row in rows if row.chapter.status == status]) for status in ("final", "temporary", "proposed")
    ]


def _task_rows(person: Person, page: Page[Submission], notes: DraftNotes) -> Iterator[TaskRow]:
    row: Any  # a submission with the annotations of `tasks_of`
    manages = bool(is_one_of(person, (Role.MANAGER,)))
    today = timezone.localdate()
    details = task_details(page, with_simulations=person.at_regulator)  # a licensee is not shown them
    for row in page:
        of_row = details.get(row.pk, TaskDetails())
        running = of_row.running and of_row.to_deal
        yield TaskRow(
            submission=row,
            since=row.since,
            what=_task_text(person, row, of_row, notes, manages=manages),
            simulation=_simulation(row.chapter, of_row),
            dealt=of_row.dealt if running else 0,
            to_deal=of_row.to_deal if running else 0,
            handover=notes.handovers.get(row.pk),
            target=target_of(row.filed_at, today) if row.status in WITH_BOARD else None,
        )


def _simulation(number: str, details: TaskDetails) -> str:
    chapter = chapter_on_or_none(number, timezone.localdate())
    if chapter and not chapter.paytables:
        return "Not needed"  # no wager is made against the house
    return "Running" if details.running else "Does not agree" if details.failed else "Passed"


def _draft_task(progress: DraftProgress | None, *, is_sent: bool, manages: bool) -> str:
    """Return the next step of the draft, with its progress."""
    if progress is None:
        return "Withdraw it: its chapter is no longer in the portal"
    if manages and (is_sent or progress.is_complete):
        return f"Review and file: {progress.words}"
    return f"{'Send it to your manager' if progress.is_complete else 'Complete it'}: {progress.words}"


def _task_text(person: Person, row: Any, details: TaskDetails, notes: DraftNotes, *, manages: bool) -> str:
    """Return the task of this person in words."""
    if row.status == Status.DRAFT:
        return _draft_task(notes.progress.get(row.pk), is_sent=row.handed == Handover.Kind.SENT, manages=manages)
    if row.status == Status.RETURNED:
        filing = "File it again" if manages else "Send it to your manager"
        return f"Answer {counted(details.to_answer, 'question')}" if details.to_answer else filing
    if WAITS_ON.get(row.status) == Party.DIRECTOR:
        return "Decide"
    if row.status != Status.FILED:
        return next_step(person, row.status, cleared=False)
    if details.failed:
        return "Return it: the simulation does not match"
    if details.to_resolve:
        return f"Answers to {counted(details.to_resolve, 'question')}"
    return "Read it while the simulation runs" if details.running else "Recommend or return"


EQUAL_SHOWN = 10  # groups of equal filings, unless all are asked for


@dataclass(frozen=True, slots=True)
class CountLink:
    """A count above the queue that leads to the rows that it counts."""

    label: str
    count: int
    query: str
    is_current: bool


def queue_context(
    request: HttpRequest, filters: QueueFilterSet, open_filings: Sequence[QueuedFiling]
) -> dict[str, object]:
    """Return the page's filter, counts and equal filings among those that wait for the person."""
    person = person_of(request)
    counts, groups = queue_counts(person, open_filings, timezone.localdate()), equal_groups_among(open_filings)
    return {
        "faults": filters.faults,
        "entered": filters.entered,
        "filters": filters,
        "wanted": filters.values,
        "query": f"{filters.query}&" if filters.query else "",
        "counts": count_links(counts, filters),
        "assignees": [
            (ME, f"Me ({counts.mine})"),
            (UNASSIGNED, f"Unassigned ({counts.unassigned})"),
            *((key, f"{name} ({counts.people[key]})") for key, name in filters.people.items()),
        ],
        "chapters": [(number, f"{title_of(number)} ({number}) ({counts.chapters[number]})") for number in folders()],
        "licensees": [(slug, f"{name} ({counts.licensees[slug]})") for slug, name in filters.licensees.items()],
        "states": STATUSES,
        "orders": ORDERS.items(),
        "equal_groups": groups if "equal" in request.GET else groups[:EQUAL_SHOWN],
        "more_equal_groups": 0 if "equal" in request.GET else len(groups[EQUAL_SHOWN:]),
        "saved_views": list(filters_visible_to(person).filter(page=SavedFilter.Page.QUEUE)),
    }


def count_links(counts: QueueCounts, filters: QueueFilterSet) -> list[CountLink]:
    """Return the links all, mine, unassigned and overdue: each asks for nothing else but the order."""
    order = {"by": filters.values["by"]}
    links = (
        ("All waiting", counts.total, order),
        ("Assigned to me", counts.mine, order | {"assigned": ME}),
        ("Unassigned", counts.unassigned, order | {"assigned": UNASSIGNED}),
        ("Overdue", counts.overdue, order | {"overdue": "yes"}),
    )
    return [CountLink(label, count, filters.query_of(to), to == filters.values) for label, count, to in links]


@require_POST
def save_view(request: HttpRequest) -> HttpResponse:
    """Save the filter that is on the screen under a name, among the person's own."""
    person, query = person_of(request), QueryDict(request.POST.get("query", ""))
    require(person, "oversee")
    filters = QueueFilterSet(query, Submission.objects.none(), request=request)
    filters.refuse_faults()
    try:
        saved = save_search(person, request.POST.get("name", ""), filters.query, SavedFilter.Page.QUEUE)
    except Refusal as refusal:
        return board_page(request, person, query, refusal)
    messages.success(request, f"Saved as “{saved.name}”.")
    return HttpResponseRedirect(f"{reverse('home')}?{saved.query}")
