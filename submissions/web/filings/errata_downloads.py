"""The errata to take away, as JSON and CSV: all chapters or one, all notes or those of a filter. Public."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.rules.errors import RuleError
from games.runs.errata import numbers
from games.runs.errata_export import report_data
from submissions.core.csv_export import csv_lines
from submissions.evidence.errata_reports import StoredReport, stored_report
from submissions.web.filings.errata_filter import ErrataFilter, errata_filter

COLUMNS = (
    "chapter", "citation", "place", "id", "class", "effect", "status", "grade", "printed", "reading", "evidence",
    "proposed", "no_change", "hold_as_read_and_otherwise_pct", "hold_not_computed", "document", "asked_on",
    "answered_on", "answered_by", "answer",
)  # fmt: skip


@require_safe
def data(request: HttpRequest) -> JsonResponse:
    """Every report with its notes; `computing` says that holds or verdicts of it are still to come."""
    chosen = _filter(request)
    reports, refused = _stored(request)
    content = {
        "day": timezone.localdate().isoformat(),
        "chapters": [{**_chosen_data(stored, chosen), "computing": stored.computing} for stored in reports],
        "problems": refused,
    }
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{_name(request)}.json"'
    return response


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """A line for each note."""
    chosen = _filter(request)
    reports, _ = _stored(request)
    rows = (row for stored in reports for row in _rows(_chosen_data(stored, chosen)))
    response = HttpResponse("".join(csv_lines(COLUMNS, rows)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_name(request)}.csv"'
    return response


def _filter(request: HttpRequest) -> ErrataFilter:
    """The filter of the address; its first fault is raised, so that nothing else is taken away instead."""
    chosen = errata_filter(request.GET)
    for fault in chosen.faults.values():
        raise fault
    return chosen


def _stored(request: HttpRequest) -> tuple[list[StoredReport], dict[str, str]]:
    """The reports asked for, and those that are not complete, with the reason."""
    asked_number = request.GET.get("chapter", "")
    if asked_number and asked_number not in numbers():
        raise Http404(f"The portal has no errata of {asked_number}.")
    reports, refused = [], {}
    for number in [asked_number] if asked_number else numbers():
        try:
            reports.append(stored_report(number))
        except RuleError as error:
            refused[number] = str(error)
    return reports, refused


def _chosen_data(stored: StoredReport, chosen: ErrataFilter) -> dict[str, Any]:
    content, kept_ids = report_data(stored.report), {row.reading.id for row in chosen.matches(stored.report)}
    return {**content, "notes": [note for note in content["notes"] if note["id"] in kept_ids]}


def _rows(report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for note in report["notes"]:
        holds = "\n".join(
            f"{hold['name']} {hold['paytable']} (per {hold['per']}): {hold['as_read_pct']} / {hold['otherwise_pct']}"
            for hold in note["holds"]
        )
        cells = {**note, "chapter": report["chapter"], "hold_as_read_and_otherwise_pct": holds}
        yield tuple(str(cells[column] or "") for column in COLUMNS)


def _name(request: HttpRequest) -> str:
    number = request.GET.get("chapter", "")
    return f"errata-{number + '-' if number else ''}{timezone.localdate():%Y-%m-%d}"
