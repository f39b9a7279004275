"""Layout filings as the first page lists them, with their clocks: a person's tasks, the first due first, and all.

The number of queries does not grow with the rows. Not here: the tasks of each role (`submissions.review`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.http import HttpRequest
from django.utils import timezone

from submissions.core.configurations import index_of_group, tables_as_text
from submissions.filings.review.assignments import assignee_of
from submissions.filings.review.worklist import TURNS
from submissions.layouts.review_clock import ReviewClock, review_clock
from submissions.models import LayoutFiling, LayoutStatus, Person, Revision
from submissions.permissions import layouts_visible_to
from submissions.public.list_filters import layout_queue_of
from submissions.web.responses import page_of

PAGE = 50
STATUS_ORDER = Case(When(status=LayoutStatus.DEFICIENT, then=0), When(status=LayoutStatus.DRAFT, then=1), default=2)


@dataclass(frozen=True, slots=True)
class LayoutRow:
    """A filing with its tables in words and its clock; a draft has none."""

    filing: LayoutFiling
    tables: str
    clock: ReviewClock | None

    @property
    def task(self) -> str:
        """The next step of the licensee for a filing that waits for it."""
        deficient = self.filing.status == LayoutStatus.DEFICIENT
        return "Correct what the notice names and file again" if deficient else "Finish it and file"

    @property
    def assignee(self) -> Person | None:
        """The person of the Board who works on it; shown to the Board only."""
        return assignee_of(self.filing)

    @property
    def days_left(self) -> str:
        """Return the days left: "3", "−2" if it is late, "" if the clock has ended."""
        if self.clock is None or self.clock.ended:
            return ""
        clock_reading = self.clock.reading
        return f"\N{MINUS SIGN}{clock_reading.late}" if clock_reading.overdue else str(clock_reading.days_left)


def queued_layouts(person: Person, wanted: Mapping[str, str]) -> list[LayoutFiling]:
    """Return the layout filings of the Board's queue, with all that a row shows."""
    if person.role not in TURNS and "status" not in wanted:
        return []
    return list(with_rows(layout_queue_of(person, wanted)))


def layout_tasks(request: HttpRequest, tasks: Iterable[LayoutFiling], *, is_overdue: bool = False) -> dict[str, object]:
    """Return these tasks (from `with_rows`) as a page, the first due first, and how many are overdue."""
    clocks = {filing: review_clock(filing, timezone.now()) for filing in tasks}
    if is_overdue:
        clocks = {filing: clock for filing, clock in clocks.items() if clock and clock.overdue}
    due = sorted(clocks, key=lambda filing: (_due(clocks[filing]), filing.status != LayoutStatus.DEFICIENT, filing.pk))
    page = page_of(request, due, PAGE, "layouts-waiting")
    overdue = sum(clock.overdue for clock in clocks.values() if clock)
    return {"layouts_waiting": rows_of(page), "layouts_waiting_page": page, "layouts_overdue": overdue}


def layout_list(request: HttpRequest, person: Person) -> dict[str, object]:
    """Return as `layouts` all that the person may see, the latest change first; for a licensee the deficient on top."""
    rows = with_rows(layouts_visible_to(person))
    ordered = rows if person.at_regulator else rows.order_by(STATUS_ORDER, "-changed_at", "-pk")
    page = page_of(request, ordered, PAGE, "layouts")
    return {"layouts": rows_of(page), "layouts_page": page}


def rows_of(filings: Iterable[LayoutFiling]) -> list[LayoutRow]:
    """Return the rows of filings from `with_rows`."""
    filing_list = list(filings)
    latest = {filing: getattr(filing, "latest", None) for filing in filing_list}
    revisions = Revision.objects.in_bulk({pk for pk in latest.values() if pk}) if filing_list else {}
    now = timezone.now()
    return [
        LayoutRow(filing, tables_of(revisions.get(latest[filing]), filing.group), review_clock(filing, now))
        for filing in filing_list
    ]


def tables_of(revision: Revision | None, group: int) -> str:
    """Return the tables of a group: "All tables", "High limit room (tables 3, 7-9)"; "" if there is no such group."""
    if revision is None:
        return "All tables"
    content = revision.content
    rows, place = content["configurations"], index_of_group(content, group)
    if place is None:
        return ""
    row = rows[place]
    return f"{row['name']} ({tables_as_text(row['tables'], row.get('pit', ''))})" if row["tables"] else str(row["name"])


def with_rows(filings: QuerySet[LayoutFiling]) -> QuerySet[LayoutFiling]:
    """Return the filings with all that a row shows; `latest` is the newest revision of the Rules Submission."""
    latest = Revision.objects.filter(submission=OuterRef("submission")).order_by("-number").values("pk")[:1]
    rows = filings.annotate(latest=Subquery(latest))
    rows = rows.select_related("submission__organization", "assignment__person").only(
        "number", "group", "parts", "status", "changed_at", "submission__chapter",
        "submission__organization__name", "assignment__person__name",
    )  # fmt: skip
    return rows.prefetch_related("revisions__decisions")


def _due(clock: ReviewClock | None) -> date:
    """Return the last day; a clock that is stopped or never began comes last."""
    return (clock and clock.reading.due) or date.max
