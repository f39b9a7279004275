"""The Board's workload by person, and its turnaround over a period: tables, charts and the filings as CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.registry import title_of
from submissions.core.csv_export import csv_lines
from submissions.core.parameters import DayFilter, RefusalFilterSet, last_day
from submissions.filings.evidence.charts import turnaround_svg
from submissions.models import Person, Submission
from submissions.permissions import require
from submissions.public.workload import (
    LAYOUT,
    RULES,
    DecidedFiling,
    Turnaround,
    board_days,
    decided_filings,
    turnaround,
    turnaround_by,
    workloads,
)
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.access_gate import person_of

USUAL_PERIOD = timedelta(days=364)  # before today
COLUMNS = ("kind", "number", "chapter", "licensee", "outcome", "decided", "days")


class PeriodForm(forms.Form):
    def clean_last(self) -> date | None:
        return last_day(self.cleaned_data.get("first"), self.cleaned_data["last"])


class PeriodFilterSet(RefusalFilterSet):
    """The first and the last day of a period; where none is named, a year up to today."""

    first = DayFilter()
    last = DayFilter()

    class Meta:
        form = PeriodForm

    def __init__(self, query: Mapping[str, str]) -> None:
        super().__init__(query, Submission.objects.none())
        self.is_valid()
        self.last_day: date = self.form.cleaned_data.get("last") or timezone.localdate()
        self.first_day: date = self.form.cleaned_data.get("first") or self.last_day - USUAL_PERIOD


@dataclass(frozen=True, slots=True)
class TurnaroundPart:
    """The turnaround of one kind of filing: in total, by game and by licensee, each with its chart."""

    kind: str
    key: str  # in ids of the page
    total: Turnaround | None
    tables: tuple[tuple[str, Sequence[Turnaround], SafeString], ...]  # heading, rows, chart


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the open items by person, and the turnaround of the filings decided in the period."""
    require(request.user, "oversee")
    person, period = person_of(request), PeriodFilterSet(request.GET)
    parts = [] if period.faults else [_part(person, period, *part) for part in ((RULES, "rules"), (LAYOUT, "layouts"))]
    context = {
        "workloads": workloads(person, timezone.localdate()),
        "parts": parts,
        "first": period.first_day,
        "last": period.last_day,
        "faults": period.faults,
        "entered": period.entered,
        "here": "workload",
    }
    return render(request, "pages/workload.html", context, status=400 if period.faults else 200)


@require_safe
def csv(request: HttpRequest) -> StreamingHttpResponse:
    """Each filing that was decided in the period, as the figures count it."""
    require(request.user, "oversee")
    period = PeriodFilterSet(request.GET)
    period.refuse_faults()
    filings = decided_filings(person_of(request), period.first_day, period.last_day)
    request.META[EXPORTED_ROWS] = len(filings)
    name = f"turnaround-{period.first_day:%Y-%m-%d}-{period.last_day:%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    content = csv_lines(COLUMNS, map(_cells, filings))
    return StreamingHttpResponse(content, "text/csv; charset=utf-8", headers=headers)


def _part(person: Person, period: PeriodFilterSet, kind: str, key: str) -> TurnaroundPart:
    filings = board_days(person, kind, period.first_day, period.last_day)
    games = {chapter: f"{chapter} {title_of(chapter)}".strip() for chapter in {chapter for chapter, _, _ in filings}}
    by_game = turnaround_by((games[chapter], days) for chapter, _, days in filings)
    by_licensee = turnaround_by((licensee, days) for _, licensee, days in filings)
    tables = (
        ("Game", by_game, _chart(by_game, f"{kind}s by game", f"{key}-games")),
        ("Licensee", by_licensee, _chart(by_licensee, f"{kind}s by licensee", f"{key}-licensees")),
    )
    return TurnaroundPart(kind, key, turnaround(days for _, _, days in filings), tables)


def _chart(rows: Sequence[Turnaround], name: str, key: str) -> SafeString:
    return turnaround_svg([(row.label, row.median, row.ninetieth) for row in rows], name=name, key=key)


def _cells(filing: DecidedFiling) -> Sequence[Any]:
    day = timezone.localdate(filing.decided_at).isoformat()
    return (filing.kind, filing.number, filing.chapter, filing.licensee, filing.outcome, day, f"{filing.days:.2f}")
