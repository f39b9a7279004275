"""Table lists as pages: all licensees for the Board, one list on a day, and one table with its history.

Not here: changing a list (`changes`, `sheets`), what everyone may see of it (`web.filings.table_pages`).
"""

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.core.number_words import counted
from submissions.core.table_ranges import parse_table
from submissions.models import Organization, TableEntry, TableState
from submissions.permissions import licensees_visible_to, may, tables_visible_to
from submissions.search.table_filters import TableFilterSet
from submissions.table_list.listed_tables import entries_on, has_list, in_order, scheduled_entries
from submissions.web.access_gate import organization_of, person_of
from submissions.web.asked_day import requested_day
from submissions.web.responses import page_of

PAGE = 100
QR_CODES = 60  # of one PDF, which takes about two seconds of the server
HERE = "tables"


@dataclass(frozen=True, slots=True)
class LicenseeTables:
    """A licensee's list in numbers, for the Board."""

    licensee: Organization
    open: int
    closed: int

    @property
    def words(self) -> str:
        if not self.open and not self.closed:
            return "No table list"
        return f"{counted(self.open, 'table')} open, {self.closed} closed"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """For a licensee its own list; for the Board every licensee with the count of its tables today."""
    person = person_of(request)
    if person.organization and not person.at_regulator:
        return redirect("tables-of", organization_of(request).slug)
    rows = entries_on(timezone.localdate(), tables_visible_to(person))
    counts = Counter(rows.values_list("organization", "state"))
    lists = [
        LicenseeTables(row, counts[row.pk, TableState.OPEN], counts[row.pk, TableState.CLOSED])
        for row in licensees_visible_to(person)
    ]
    return render(request, "pages/table_lists.html", {"lists": lists, "today": timezone.localdate(), "here": HERE})


@require_safe
def show(request: HttpRequest, licensee: str) -> HttpResponse:
    """One licensee's list on a day, narrowed by game and state, with what is entered for later days."""
    owner, requested = owner_of(request, licensee), requested_day(request)
    rows = entries_on(requested.day, tables_visible_to(request.user)).filter(organization=owner)
    chosen = TableFilterSet(request.GET, rows)
    listed = in_order(chosen.qs)
    shown_query = {"on": requested.query.removeprefix("?on="), **chosen.entered}
    query = urlencode({name: value for name, value in shown_query.items() if value})
    context = {
        "owner": owner,
        "requested": requested,
        "chosen": chosen,
        "page": page_of(request, listed, PAGE),
        "query": f"{query}&" if query else "",
        "summary": _summary(listed),
        "qr_parts": _qr_parts(listed),
        "has_list": bool(listed) or has_list(owner, requested.day),
        "scheduled": scheduled_entries(owner, requested.day),
        "may_edit": may_edit(request, owner),
        "here": HERE,
    }
    return render(request, "pages/table_list.html", context, status=max(chosen.status, requested.status))


@require_safe
def table(request: HttpRequest, licensee: str, name: str) -> HttpResponse:
    """One table: what it is, was and will be, and who entered it."""
    owner = owner_of(request, licensee)
    number = _number(name)
    rows = tables_visible_to(request.user).filter(organization=owner, number=number).select_related("by")
    history = list(rows.order_by("-from_day", "-pk"))
    if not history:
        raise Http404(f"Table {number} was never on the table list of {owner.name}.")
    now = entries_on(timezone.localdate(), rows).first()
    context = {"owner": owner, "number": number, "history": history, "now": now, "may_edit": may_edit(request, owner)}
    return render(request, "pages/table.html", {**context, "here": HERE})


def owner_of(request: HttpRequest, slug: str) -> Organization:
    """The licensee whose list this person may see; 404 otherwise."""
    return get_object_or_404(licensees_visible_to(request.user), slug=slug)


def may_edit(request: HttpRequest, owner: Organization) -> bool:
    return bool(may(request.user, "edit-tables")) and organization_of(request) == owner


def _number(name: str) -> str:
    try:
        return parse_table(name)
    except ValueError:
        raise Http404("There is no such table.") from None


def _summary(rows: list[TableEntry]) -> str:
    """ "12 tables: 10 open, 2 closed"."""
    opened = sum(row.state == TableState.OPEN for row in rows)
    return f"{counted(len(rows), 'table')}: {opened} open, {len(rows) - opened} closed"


def _qr_parts(rows: list[TableEntry]) -> list[tuple[int, str, str]]:
    """(page, first table, last table) of each PDF with QR codes of the open tables."""
    numbers = [row.number for row in rows if row.state == TableState.OPEN]
    parts = (numbers[start : start + QR_CODES] for start in range(0, len(numbers), QR_CODES))
    return [(page, part[0], part[-1]) for page, part in enumerate(parts, 1)]
