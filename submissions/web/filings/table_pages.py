"""What governs one table on a day, for an inspector with a phone: by game and table, or by the table alone, as its QR
code asks. Public, as the tables of a licensee are with their games. The page says first whether the table may be played
(`_verdict`).

Not here: the table list itself, with pits (`web.table_list`).
"""

from dataclasses import dataclass
from datetime import date

from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from submissions.core.table_ranges import group_at, parse_table
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.versions import versions_in_effect
from submissions.layouts import readiness
from submissions.layouts.not_cleared import CHAPTER_ENDED, ended_waivers, why_not_cleared
from submissions.layouts.paper_states import GroupReadiness
from submissions.models import Document, Organization, Revision
from submissions.permissions import licensees, published_tables
from submissions.table_list.listed_tables import entries_on, has_list, in_order
from submissions.table_list.table_status import ListStatus, TableStatus, table_status
from submissions.web.asked_day import RequestedDay, requested_day
from submissions.web.filings.table_rules import table_rules
from submissions.web.filings.versions import LicenseeGame, no_table, place_of
from submissions.web.frames import shows_pdf

NOT_LISTED_BECAUSE = {
    ListStatus.OTHER_GAME: "listed for another game than {game}",
    ListStatus.NOT_LISTED: "",
    ListStatus.NO_LIST: "the casino has no table list",
}


class Play(models.TextChoices):
    """The answer to the question whether a table may be played."""

    CLEARED = "cleared", "Cleared for play"
    NOT_CLEARED = "not-cleared", "Not cleared for play"
    NOT_LISTED = "not-listed", "Not on the table list"


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """The answer with its reason; it is never better than the rules, the list and the papers."""

    play: Play
    reason: str = ""

    @property
    def heading(self) -> str:
        """ "Not cleared for play: payout sign not approved"."""
        return f"{self.play.label}: {self.reason}" if self.reason else self.play.label

    @property
    def look(self) -> str:
        """The class of its box."""
        return LOOKS[self.play]


LOOKS = {
    Play.CLEARED: "verdict verdict--good",
    Play.NOT_CLEARED: "verdict verdict--bad",
    Play.NOT_LISTED: "verdict verdict--unknown",
}


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
    version, number, day = place.version, on_list.number, place.requested.day
    context = place.context | {"table": number, "version": version, "fault": None, "on_list": on_list}
    if not (version and version.revision):
        context["verdict"] = TableVerdict(Play.NOT_CLEARED, "no approved version is in effect")
        return render(request, "public/in_effect_table.html", context, status=place.requested.status)
    refuse_damaged(version.revision)
    shown, papers = table_rules(version.revision.content, number), _papers_at(version.revision, number, day)
    not_cleared, ended = (
        why_not_cleared(version.revision, [papers], day),
        ended_waivers(version.revision, [papers], day),
    )
    context |= {
        "verdict": _verdict(place, on_list, not_cleared, is_named=shown["named"]),
        "conditions": place.conditions(version.revision, number),
        "orders": place.orders(request.user, number),
        "shown": shown,
        "waived": [finding for finding in shown["waived"] if finding["waiver"]["number"] not in ended],
        "document": Document.objects.filter(revision=version.revision).only("signed_id").first(),
        "papers": papers,
    }
    return render(request, "public/in_effect_table.html", context, status=place.requested.status)


def _verdict(place: LicenseeGame, on_list: TableStatus, not_cleared: str, *, is_named: bool) -> TableVerdict:
    """Of a game with an approved version. `is_named`: a group of the filing names the table; `not_cleared`: why its
    rules or papers do not allow play, "" if they do.

    The table counts if the list says that it is open for the game, or, where the casino has no list, if the filing
    names it.
    """
    if place.chapter_end:
        return TableVerdict(Play.NOT_CLEARED, CHAPTER_ENDED)
    if on_list.status == ListStatus.CLOSED:
        return TableVerdict(Play.NOT_CLEARED, "the table is closed")
    if not (on_list.is_confirmed or (on_list.status == ListStatus.NO_LIST and is_named)):
        return TableVerdict(Play.NOT_LISTED, NOT_LISTED_BECAUSE[on_list.status].format(game=on_list.game))
    return TableVerdict(Play.NOT_CLEARED, not_cleared) if not_cleared else TableVerdict(Play.CLEARED)


def _papers_at(revision: Revision, table: str, day: date) -> GroupReadiness:
    """Layout, sign and guide of the group that the table belongs to, as they were on the day."""
    groups = readiness.readiness_of_revision(revision, day)
    return groups[group_at([group.tables for group in groups], table)]


def _number(name: str) -> str:
    """The table as it is stored, or its refusal."""
    if fault := no_table(name):
        raise fault
    return parse_table(name)


def _address(owner: Organization, number: str, requested: RequestedDay) -> str:
    return reverse("in-force-any-table", args=[owner.slug, number]) + requested.query
