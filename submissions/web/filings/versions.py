"""Approved versions: the register, what is in effect on a day (at every licensee, for one game), compliance.

Public but for compliance. Everything is read from the frozen filings. Which version holds is `filings.versions`, from
when until when `effective_periods`. Not here: one table (`table_pages`).
"""

from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.core import table_ranges
from submissions.core.errors import Refusal
from submissions.documents.context import document_context as present_document
from submissions.documents.document_record import compose_record
from submissions.filings.effective_periods import effective_period, effective_periods
from submissions.filings.offered_wagers import analyses_of, offered_groups
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.versions import version_in_effect, versions_in_effect
from submissions.layouts import readiness
from submissions.layouts.not_cleared import why_not_cleared
from submissions.models import Document, OrderKind, Organization, Revision, Version
from submissions.orders.approval_conditions import condition_counts, conditions_in_effect
from submissions.orders.chapter_decisions import ChapterDecision, chapter_decisions
from submissions.orders.order_periods import concerns, order_periods
from submissions.permissions import Visitor, licensees, orders_visible_to
from submissions.search.version_filters import RegisterFilterSet, VersionFilterSet, light
from submissions.web import formatting
from submissions.web.access_gate import person_of
from submissions.web.asked_day import RequestedDay, requested_day
from submissions.web.filings.affected_rows import affected_rows
from submissions.web.filings.checked_versions import checked_versions
from submissions.web.filings.table_rules import TemplateContext
from submissions.web.orders.order_list import OrderRow, order_row
from submissions.web.responses import page_of

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
        """The conditions of the approval that are in effect on the day: all, or those for one table."""
        periods = conditions_in_effect(revision.pk, self.requested.day)
        if table:
            periods = [period for period in periods if _is_at_table(period.order.tables, table)]
        return [order_row(period, self.requested.day) for period in periods]

    def orders(self, reader: Visitor, table: str) -> list[OrderRow]:
        """The Board's orders on the game at this table that are in effect on the day and that the reader may see."""
        rows = orders_visible_to(reader).filter(concerns(self.licensee.slug, self.chapter), kind=OrderKind.ORDER)
        periods = order_periods(rows.filter(chapter_effect="").order_by("pk"))
        here = [period for period in periods if _is_at_table(period.order.tables, table)]
        return [order_row(period, self.requested.day) for period in here if period.is_in_effect(self.requested.day)]


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    """Every approved version, with its state today and its document."""
    today = timezone.localdate()
    chosen = RegisterFilterSet(request.GET, Version.objects.filter(revision__isnull=False))
    page = page_of(request, light(chosen.qs).order_by("-made_at", "-pk"), REGISTER_PAGE)
    conditions = condition_counts(version.revision_id for version in page if version.revision_id)
    periods = [
        (period, period.state(today), conditions.get(period.version.revision_id or 0, 0))
        for period in map(effective_period, page)
    ]
    context = {"page": page, "periods": periods, "chosen": chosen, "query": chosen.query, "today": today}
    return render(request, "public/register.html", {**context, "here": "register"}, status=chosen.status)


@require_safe
def compliance(request: HttpRequest) -> HttpResponse:
    """The versions that a change of the rules affects or blocks: all for the Board, its own for a licensee."""
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
        "affected_versions": len({row.term.version.pk for row in checked.affected}),
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
    """One licensee's game on the day: every configuration with its paytables, the document, all versions."""
    place = place_of(request, licensee, chapter)
    entered_text = request.GET.get("table", "").strip()
    fault = no_table(entered_text) if entered_text else None
    if entered_text and not fault:
        address = reverse("in-force-table", args=[licensee, chapter, table_ranges.parse_table(entered_text)])
        return redirect(f"{address}{place.requested.query}")
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
    return not tables or table_ranges.covers_table(tables, table)


def place_of(request: HttpRequest, licensee: str, chapter: str) -> LicenseeGame:
    """404 where there is no such licensee or no such game; a game that it never offered has a page that says so."""
    if not formatting.is_known_chapter(chapter):
        raise Http404(f"The portal does not have chapter {chapter}.")
    organization = get_object_or_404(licensees(), slug=licensee)
    return LicenseeGame(organization, chapter, requested_day(request))


def no_table(name: str) -> Refusal | None:
    """The refusal of a text that is no table's number or name."""
    try:
        table_ranges.parse_table(name)
    except ValueError as error:
        return Refusal("no-table", error=error)
    return None


def _filed(revision: Revision, place: LicenseeGame) -> TemplateContext:
    """The filing in words, and what each group's wagers hold."""
    refuse_damaged(revision)
    content, day = revision.content, place.requested.day
    groups = readiness.readiness_of_revision(revision, day)
    return {
        "revision": revision,
        "readiness": groups,
        "some_ready": any(group.ready for group in groups),
        "not_cleared": why_not_cleared(revision, groups, day),
        "document": Document.objects.filter(revision=revision).only("signed_id", "pages").first(),
        "shown": present_document(compose_record(content, revision.sha256)),
        "groups": offered_groups(revision.pk, content, analyses_of([revision.pk])),
    }
