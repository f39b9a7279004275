"""Filings of layouts as the first page lists them, with their clocks: what waits, what is due first, and all of them.

In a number of queries that does not grow with the rows. Not here: what waits on whom (`submissions.waiting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.core.paginator import Page, Paginator
from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.http import HttpRequest
from django.utils import timezone

from submissions.access import layouts_visible_to
from submissions.layout_clock import Clock, clock
from submissions.models import LayoutFiling, LayoutStatus, Person, Revision
from submissions.places import place_of
from submissions.tables import in_words
from submissions.waiting import layouts_waiting_on

PAGE = 50
FIRST = Case(When(status=LayoutStatus.DEFICIENT, then=0), When(status=LayoutStatus.DRAFT, then=1), default=2)


@dataclass(frozen=True, slots=True)
class Row:
    """A filing with its tables in words and its clock; a draft has none."""

    filing: LayoutFiling
    tables: str
    clock: Clock | None

    @property
    def left(self) -> str:
        """ "3", "−2" where it is late, "" where no day counts any more."""
        if self.clock is None or self.clock.ended:
            return ""
        found = self.clock.reading
        return f"\N{MINUS SIGN}{found.late}" if found.overdue else str(found.left)


def waiting(request: HttpRequest, person: Person) -> dict[str, object]:
    """`layouts_waiting`: what waits on the person, what is due soonest first and so the `layouts_overdue` on top."""
    clocks = {filing: clock(filing, timezone.now()) for filing in _read(layouts_waiting_on(person))}
    due = sorted(clocks, key=lambda one: (_due(clocks[one]), one.status != LayoutStatus.DEFICIENT, one.pk))
    page = _page(request, "layouts-waiting", due)
    overdue = sum(found.overdue for found in clocks.values() if found)
    return {"layouts_waiting": rows_of(page), "layouts_waiting_page": page, "layouts_overdue": overdue}


def everything(request: HttpRequest, person: Person) -> dict[str, object]:
    """`layouts`: all that the person may see, the latest change first; for a licensee the deficient before them."""
    rows = _read(layouts_visible_to(person))
    page = _page(request, "layouts", rows if person.at_regulator else rows.order_by(FIRST, "-changed_at", "-pk"))
    return {"layouts": rows_of(page), "layouts_page": page}


def rows_of(filings: Iterable[LayoutFiling]) -> list[Row]:
    """The rows of what `_read` yielded."""
    found = list(filings)
    latest = {filing: getattr(filing, "latest", None) for filing in found}
    revisions = Revision.objects.in_bulk({pk for pk in latest.values() if pk}) if found else {}
    now = timezone.now()
    return [Row(one, tables_of(revisions.get(latest[one]), one.group), clock(one, now)) for one in found]


def tables_of(revision: Revision | None, group: int) -> str:
    """Which tables a group is: "All tables", "High limit room (tables 3, 7-9)"; "" where there is no such group."""
    if revision is None:
        return "All tables"
    content = revision.content
    rows, place = content["configurations"], place_of(content, group)
    if place is None:
        return ""
    row = rows[place]
    return f"{row['name']} ({in_words(row['tables'], row.get('pit', ''))})" if row["tables"] else str(row["name"])


def _read(filings: QuerySet[LayoutFiling]) -> QuerySet[LayoutFiling]:
    """With all that a row tells; `latest` is the newest filing of the Rules Submission."""
    latest = Revision.objects.filter(submission=OuterRef("submission")).order_by("-number").values("pk")[:1]
    return (
        filings.annotate(latest=Subquery(latest))
        .select_related("submission__organisation")
        .prefetch_related("revisions__decisions")
    )


def _due(found: Clock | None) -> date:
    """The last day; what stands or never began comes after all that runs."""
    return (found and found.reading.due) or date.max


def _page(
    request: HttpRequest, parameter: str, rows: Sequence[LayoutFiling] | QuerySet[LayoutFiling]
) -> Page[LayoutFiling]:
    return Paginator(rows, PAGE).get_page(request.GET.get(parameter))
