"""What governs one table on a day, for an inspector with a phone: by game and table, or by the table alone, as its QR
code asks. Public, as the tables of a licensee are with their games. A page is green only where the table list says that
the table is open for the game, or, where the casino has no list, where the approved filing names the table.

Not here: the table list itself, with pits (`web.table_list`).
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from submissions.core.dates import date_text
from submissions.core.table_ranges import group_at, parse_table
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.versions import versions_in_effect
from submissions.layouts import readiness
from submissions.models import Document, Organization, Revision
from submissions.permissions import licensees, published_tables
from submissions.table_list.listed_tables import entries_on, has_list, in_order
from submissions.table_list.table_status import ListStatus, TableStatus, table_status
from submissions.web.asked_day import RequestedDay, requested_day
from submissions.web.filings.table_rules import table_rules
from submissions.web.filings.versions import LicenseeGame, no_table, place_of
from submissions.web.frames import shows_pdf


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """The heading of what governs a table, and whether it is approved without a condition."""

    heading: str
    is_good: bool = False


@require_safe
def index(request: HttpRequest, licensee: str) -> HttpResponse:
    """The tables of a licensee on the day, with game and state; `?table=` leads to that table."""
    owner, requested = get_object_or_404(licensees(), slug=licensee), requested_day(request)
    entered_text = request.GET.get("table", "").strip()
    fault = no_table(entered_text) if entered_text else None
    if entered_text and not fault:
        return redirect(_address(owner, parse_table(entered_text), requested))
    context = {
        "licensee": owner,
        "requested": requested,
        "entered": entered_text,
        "fault": fault,
        "rows": in_order(entries_on(requested.day, published_tables()).filter(organization=owner)),
        "has_list": has_list(owner, requested.day),
        "here": "in-force",
    }
    return render(request, "public/tables.html", context, status=fault.status if fault else requested.status)


@shows_pdf  # for the preview of the signed PDF
@require_safe
def game(request: HttpRequest, licensee: str, chapter: str, name: str) -> HttpResponse:
    """What an inspector looks for at one table of a game: the felt, the sign, the options; made for a phone."""
    place, number = place_of(request, licensee, chapter), _number(name)
    return _page(request, place, table_status(place.licensee, number, place.requested.day, chapter))


@shows_pdf  # for the preview of the signed PDF
@require_safe
def any_game(request: HttpRequest, licensee: str, name: str) -> HttpResponse:
    """What governs the table on the day, by the game that the table list has for it."""
    owner, requested, number = get_object_or_404(licensees(), slug=licensee), requested_day(request), _number(name)
    on_list = table_status(owner, number, requested.day)
    if on_list.entry:
        return _page(request, LicenseeGame(owner, on_list.entry.chapter, requested), on_list)
    games = versions_in_effect(requested.day).filter(organization=owner).order_by("chapter")
    context = {
        "licensee": owner,
        "table": number,
        "entered": number,
        "on_list": on_list,
        "games": list(games.values_list("chapter", flat=True)),
        "requested": requested,
        "here": "in-force",
    }
    return render(request, "public/unlisted_table.html", context, status=requested.status)


def _page(request: HttpRequest, place: LicenseeGame, on_list: TableStatus) -> HttpResponse:
    """The page of a table for one game, with how the table is on the list."""
    version, number = place.version, on_list.number
    context = place.context | {"table": number, "version": version, "fault": None, "on_list": on_list}
    if version and version.revision:
        refuse_damaged(version.revision)
        shown = table_rules(version.revision.content, number)
        context |= {
            "conditions": place.conditions(version.revision, number),
            "shown": shown,
            "verdict": _verdict(on_list, is_named=shown["named"], has_ended=place.chapter_end is not None),
            "document": Document.objects.filter(revision=version.revision).only("signed_id").first(),
            "papers": _papers_at(version.revision, number, place.requested),
        }
    return render(request, "public/in_effect_table.html", context, status=place.requested.status)


def _verdict(on_list: TableStatus, *, is_named: bool, has_ended: bool) -> TableVerdict:
    """`is_named`: a group of the filing names the table; `has_ended`: the chapter is no longer in effect."""
    on_day = f"in effect on {date_text(on_list.day)}"
    if has_ended:
        return TableVerdict(f"The chapter has ended: not {on_day}")
    if on_list.is_confirmed or (on_list.status == ListStatus.NO_LIST and is_named):
        return TableVerdict(f"Approved, {on_day}", is_good=True)
    return TableVerdict(on_list.heading or f"Not named in the filing {on_day}")


def _papers_at(revision: Revision, table: str, requested: RequestedDay) -> readiness.GroupReadiness:
    """Layout, sign and guide of the group that the table belongs to, as they were on the day."""
    groups = readiness.readiness_of_revision(revision, requested.day)
    return groups[group_at([group.tables for group in groups], table)]


def _number(name: str) -> str:
    """The table as it is stored, or its refusal."""
    if fault := no_table(name):
        raise fault
    return parse_table(name)


def _address(owner: Organization, number: str, requested: RequestedDay) -> str:
    return reverse("in-force-any-table", args=[owner.slug, number]) + requested.query
