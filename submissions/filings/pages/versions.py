"""Approved versions: the register, the games in effect on a day at every licensee, one game, one table; compliance.

Public but for compliance. Everything is read from the frozen filings. Pages on a day ask about `?on=2026-03-03`, by
default today. The page of a table is for an inspector with a phone: by game and table, or by the table alone, as its QR
code asks. It begins with whether the table may be played (`_verdict`), then the felt, the sign, the table, the payouts
and the options as they were approved. Not here: the table list with its pits (`filings.tables.pages`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.rules.lists import parse_table
from submissions.core import configurations
from submissions.core.configurations import configuration_of_table
from submissions.core.digests import Content
from submissions.core.errors import Refusal
from submissions.core.parameters import day_or_today
from submissions.documents.context import document_context
from submissions.documents.document_record import compose_record
from submissions.documents.pages import shows_pdf
from submissions.filings.offered_wagers import analyses_of, offered_groups
from submissions.filings.orders.order_entry import condition_counts, conditions_in_effect
from submissions.filings.orders.order_periods import concerns, order_periods
from submissions.filings.orders.pages.orders import OrderRow, order_row
from submissions.filings.orders.temporary_chapters import ChapterDecision, chapter_decisions
from submissions.filings.pages.changed_rules import affected_rows, checked_versions
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.tables.table_lists import entries_on, has_list, in_order
from submissions.filings.tables.table_status import ListStatus, TableStatus, table_status
from submissions.filings.versions import effective_period, effective_periods, version_in_effect, versions_in_effect
from submissions.layouts import readiness
from submissions.layouts.readiness import CHAPTER_ENDED, ended_waivers, why_not_cleared
from submissions.models import Document, OrderKind, Organization, Revision, Version
from submissions.permissions import Visitor, licensees, orders_visible_to, published_tables
from submissions.public.list_filters import RegisterFilterSet, VersionFilterSet, light
from submissions.web import formatting
from submissions.web.access_gate import person_of
from submissions.web.responses import page_of


@dataclass(frozen=True, slots=True)
class RequestedDay:
    """The day that is asked for; today, with the fault, where the text entered is none."""

    day: date
    text: str  # as it was entered
    fault: Refusal | None = None

    @property
    def status(self) -> int:
        return self.fault.status if self.fault else 200

    @property
    def query(self) -> str:
        """The part of an address that the next page needs, too: nothing for today."""
        return f"?on={self.day.isoformat()}" if self.text and not self.fault else ""


def requested_day(request: HttpRequest) -> RequestedDay:
    text = request.GET.get("on", "").strip()
    try:
        return RequestedDay(day_or_today(text), text)
    except Refusal as fault:
        return RequestedDay(timezone.localdate(), text, fault)


TemplateContext = dict[str, Any]

# The kinds of layout element, in the order in which a person at the table looks for them.
PLACES_TO_LOOK = (
    ("On the felt", ("inscription", "area", "card_area", "position")),
    ("On the sign at the table", ("sign",)),
    ("At the table", ("device", "box")),
)

POSTED = {"odds_sign": "on the sign at the table", "odds_on_layout": "on the felt"}  # by the element that asks for it


def table_rules(content: Content, table: str) -> TemplateContext:
    """Return the filing's rules for the table: its group, the places to look at, the paytables, the choices."""
    rows = content["configurations"]
    place = configurations.configuration_of_table([row["tables"] for row in rows], table)
    row, shown = rows[place], document_context(compose_record(dict(content)))["configurations"][place]
    return {
        "group": row["name"],
        "tables": row["tables"],
        "pit": row.get("pit", ""),
        "named": bool(row["tables"]),  # whether the group names this table, or is for all others
        "places": list(_places(row)),
        # where the payouts must stand, in words; "" = nowhere in particular
        "posted": next((POSTED[element["key"]] for element in row["layout"] if element["key"] in POSTED), ""),
        "paytables": [paytable for pair in shown["paytables"] for paytable in pair],
        "waived": [finding for finding in row["findings"] if "waiver" in finding],
        "lines": [(name, list(lines)) for name, lines in groupby(row["lines"], key=lambda line: str(line["group"]))],
    }


def _places(row: Content) -> Iterator[tuple[str, list[TemplateContext]]]:
    """Inscriptions first: they can be read from a distance."""
    for where, kinds in PLACES_TO_LOOK:
        elements = [element for kind in kinds for element in row["layout"] if element["kind"] == kind]
        if elements:
            yield where, elements


REGISTER_PAGE = 50
CHANGES_PAGE = 20  # versions, each with its findings or changes


@dataclass(frozen=True, slots=True)
class LicenseeGame:
    """A licensee's game, and the day that is asked about."""

    licensee: Organization
    chapter: str
    requested: RequestedDay

    @property
    def version(self) -> Version | None:
        return version_in_effect(self.licensee, self.chapter, self.requested.day)

    @property
    def chapter_end(self) -> ChapterDecision | None:
        """The order by which the chapter had ended by that day."""
        decision = chapter_decisions().get(self.chapter)
        return decision if decision and decision.has_ended(self.requested.day) else None

    @property
    def context(self) -> TemplateContext:
        return {
            "licensee": self.licensee,
            "chapter": self.chapter,
            "requested": self.requested,
            "chapter_end": self.chapter_end,
            "here": "in-force",
        }

    def conditions(self, revision: Revision, table: str = "") -> list[OrderRow]:
        """Return the conditions of the approval that are in effect on the day: all, or those for one table."""
        periods = conditions_in_effect(revision.pk, self.requested.day)
        if table:
            periods = [period for period in periods if _is_at_table(period.order.tables, table)]
        return [order_row(period, self.requested.day) for period in periods]

    def orders(self, reader: Visitor, table: str) -> list[OrderRow]:
        """Return the Board's orders on the game at this table that are in effect on the day and the reader may see."""
        rows = orders_visible_to(reader).filter(concerns(self.licensee.slug, self.chapter), kind=OrderKind.ORDER)
        periods = order_periods(rows.filter(chapter_effect="").order_by("pk"))
        here = [period for period in periods if _is_at_table(period.order.tables, table)]
        return [order_row(period, self.requested.day) for period in here if period.is_in_effect(self.requested.day)]


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    """Show every approved version, with its state today and its document."""
    today = timezone.localdate()
    chosen = RegisterFilterSet(request.GET, Version.objects.filter(revision__isnull=False))
    page = page_of(request, light(chosen.qs).order_by("-made_at", "-pk"), REGISTER_PAGE)
    conditions = condition_counts(version.revision_id for version in page if version.revision_id)
    periods = [
        (period, period.state(today), conditions.get(period.version.revision_id or 0, 0))
        for period in map(effective_period, page)
    ]
    context = {
        "page": page,
        "periods": periods,
        "chosen": chosen,
        "query": f"{chosen.query}&" if chosen.query else "",
        "today": today,
    }
    return render(request, "public/register.html", {**context, "here": "register"}, status=chosen.status)


@require_safe
def compliance(request: HttpRequest) -> HttpResponse:
    """Return the versions that a change of the rules affects or blocks: all for the Board, its own for a licensee."""
    requested = requested_day(request)
    checked = checked_versions(person_of(request), requested.day)
    page = page_of(request, checked.report.breaches, CHANGES_PAGE)
    affected_page = page_of(request, checked.affected, CHANGES_PAGE, "affected")
    context = {
        "requested": requested,
        "query": f"on={requested.day.isoformat()}&",
        "report": checked.report,
        "page": page,
        "breaches": [(breach, breach.is_coming(requested.day)) for breach in page],
        "affected_page": affected_page,
        "affected_versions": len({row["term"].version.pk for row in checked.affected}),
        "here": "changed-rules",
    }
    return render(request, "pages/changed_rules.html", context, status=requested.status)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the games that are approved at each licensee on the day, with the version of each."""
    requested = requested_day(request)
    chosen = VersionFilterSet(request.GET, versions_in_effect(requested.day))
    periods = effective_periods(light(chosen.qs).order_by("organization__name", "chapter"))
    context = {
        "requested": requested,
        "chosen": chosen,
        "ended_chapters": [
            number for number, decision in chapter_decisions().items() if decision.has_ended(requested.day)
        ],
        "licensees": [
            (licensee, list(licensee_periods))
            for licensee, licensee_periods in groupby(periods, key=lambda term: term.version.organization)
        ],
        "here": "in-force",
    }
    return render(request, "public/in_effect.html", context, status=max(chosen.status, requested.status))


@require_safe
def game(request: HttpRequest, licensee: str, chapter: str) -> HttpResponse:
    """Show one licensee's game on the day: every configuration with its paytables, the document, all versions."""
    place = place_of(request, licensee, chapter)
    fault = None
    if entered_text := request.GET.get("table", "").strip():
        try:
            address = reverse("in-force-table", args=[licensee, chapter, _table_number(entered_text)])
            return redirect(f"{address}{place.requested.query}")
        except Refusal as refused:
            fault = refused
    version = place.version
    rows = light(Version.objects.filter(organization=place.licensee, chapter=chapter))
    history = effective_periods(rows.order_by("-from_day", "-pk"))
    term = next((term for term in history if version and term.version.pk == version.pk), None)
    context = place.context | {
        "entered": entered_text,
        "fault": fault,
        "history": [(term, term.state(place.requested.day)) for term in history],
        "term": term,
        "affected": affected_rows([term], place.requested.day) if term else [],
        "conditions": place.conditions(version.revision) if version and version.revision else [],
        **(_filed(version.revision, place) if version and version.revision else {}),
    }
    status = fault.status if fault else place.requested.status
    return render(request, "public/in_effect_game.html", context, status=status)


def _is_at_table(tables: str, table: str) -> bool:
    return not tables or configurations.covers_table(tables, table)


def place_of(request: HttpRequest, licensee: str, chapter: str) -> LicenseeGame:
    """Return the licensee's game; raise `Http404` if the licensee or the game does not exist.

    A game that it never offered has a page that says so.
    """
    if not formatting.is_known_chapter(chapter):
        raise Http404(f"The portal does not have chapter {chapter}.")
    organization = get_object_or_404(licensees(), slug=licensee)
    return LicenseeGame(organization, chapter, requested_day(request))


def _table_number(name: str) -> str:
    """Return the table as it is stored; `Refusal` of a text that is no table's number or name."""
    try:
        return parse_table(name)
    except ValueError as error:
        raise Refusal("no-table", error=error) from None


def _filed(revision: Revision, place: LicenseeGame) -> TemplateContext:
    """Return the filing in words, and what each group's wagers hold."""
    refuse_damaged(revision)
    content, day = revision.content, place.requested.day
    groups = readiness.readiness_of_revision(revision, day)
    return {
        "revision": revision,
        "readiness": groups,
        "some_ready": any(group.ready for group in groups),
        "not_cleared": why_not_cleared(revision, groups, day),
        "document": Document.objects.filter(revision=revision).only("signed_id", "pages").first(),
        "shown": document_context(compose_record(content, revision.sha256)),
        "groups": offered_groups(revision.pk, content, analyses_of([revision.pk])),
    }


NOT_LISTED_BECAUSE = {
    ListStatus.OTHER_GAME: "listed for another game than {game}",
    ListStatus.NOT_LISTED: "",
    ListStatus.NO_LIST: "the casino has no table list",
}


class Play(models.TextChoices):
    """The answer to the question whether a table may be played; the value ends the class of its box."""

    CLEARED = "good", "Cleared for play"
    NOT_CLEARED = "bad", "Not cleared for play"
    NOT_LISTED = "unknown", "Not on the table list"


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """The answer with its reason; it is never better than the rules, the list and the papers."""

    play: Play
    reason: str = ""

    @property
    def heading(self) -> str:
        """Return the verdict in words: "Not cleared for play: payout sign not approved"."""
        return f"{self.play.label}: {self.reason}" if self.reason else self.play.label


@require_safe
def show_tables(request: HttpRequest, licensee: str) -> HttpResponse:
    """Return the tables of a licensee on the day, with game and state; `?table=` leads to that table."""
    owner, requested = get_object_or_404(licensees(), slug=licensee), requested_day(request)
    fault = None
    if entered_text := request.GET.get("table", "").strip():
        try:
            address = reverse("in-force-any-table", args=[owner.slug, _table_number(entered_text)])
            return redirect(f"{address}{requested.query}")
        except Refusal as refused:
            fault = refused
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
def show_game_table(request: HttpRequest, licensee: str, chapter: str, name: str) -> HttpResponse:
    """Show an inspector one table of a game on a phone: the felt, the sign, the options."""
    place, number = place_of(request, licensee, chapter), _table_number(name)
    return _table_page(request, place, table_status(place.licensee, number, place.requested.day, chapter))


@shows_pdf  # for the preview of the signed PDF
@require_safe
def show_table(request: HttpRequest, licensee: str, name: str) -> HttpResponse:
    """Show the rules that govern the table on the day, by the game that the table list has for it."""
    owner, requested = get_object_or_404(licensees(), slug=licensee), requested_day(request)
    number = _table_number(name)
    on_list = table_status(owner, number, requested.day)
    if on_list.entry:
        return _table_page(request, LicenseeGame(owner, on_list.entry.chapter, requested), on_list)
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


def _table_page(request: HttpRequest, place: LicenseeGame, on_list: TableStatus) -> HttpResponse:
    """Return the page of a table for one game, with how the table is on the list."""
    version, number, day = place.version, on_list.number, place.requested.day
    context = place.context | {"table": number, "version": version, "fault": None, "on_list": on_list}
    if not (version and version.revision):
        context["verdict"] = TableVerdict(Play.NOT_CLEARED, "no approved version is in effect")
        return render(request, "public/in_effect_table.html", context, status=place.requested.status)
    refuse_damaged(version.revision)
    shown = table_rules(version.revision.content, number)
    groups = readiness.readiness_of_revision(version.revision, day)
    papers = groups[configuration_of_table([group.tables for group in groups], number)]
    not_cleared = why_not_cleared(version.revision, [papers], day)
    ended = ended_waivers(version.revision, [papers], day)
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
    """Return the verdict on a table of a game with an approved version.

    `is_named`: a group of the filing names the table; `not_cleared`: why its rules or papers do not allow play, or "".
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
