"""The trial of a rulemaking: started, on its way with its progress, and its result as page, CSV and PDF."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from submissions.core.csv_export import csv_lines
from submissions.models import Rulemaking
from submissions.permissions import sees_drafts
from submissions.rulemakings.trial_job import trial_job_of, trial_of, try_rulemaking
from submissions.rulemakings.trial_pdf_queue import stored_trial_pdf, trial_pdf_place
from submissions.rulemakings.trial_result import Trial
from submissions.rulemakings.trial_table import (
    BY_CHANGE,
    COLUMNS,
    ORDERS,
    charts_of,
    csv_rows,
    sorted_lines,
    summary_of,
)
from submissions.web.access_gate import person_of
from submissions.web.pdf_progress import WantedPdf, pdf_response
from submissions.web.responses import page_of
from submissions.web.rulemakings.pages import rulemaking_of

PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, number: str) -> HttpResponse:
    """POST: have it tried. GET: the result, or how far the job is."""
    row = _of_board(request, number)
    if request.method == "POST":
        try_rulemaking(person_of(request), row)
        return redirect("rulemaking-trial", number)
    result, is_part = trial_of(row), bool(getattr(request, "htmx", False))
    if result is None:
        template = "parts/trial_progress.html" if is_part else "pages/rulemaking_trial_progress.html"
        return render(request, template, {"rulemaking": row, "job": trial_job_of(row), "here": "rulemakings"})
    if is_part:
        return HttpResponseClientRefresh()
    order = request.GET.get("sort", BY_CHANGE)
    context: dict[str, Any] = {
        "rulemaking": row,
        "changes": [(change, summary_of(change), charts_of(change)) for change in result.changes],
        "page": page_of(request, sorted_lines(result, order), PAGE),
        "order": order if order in ORDERS else BY_CHANGE,
        "orders": ORDERS.items(),
        "here": "rulemakings",
    }
    return render(request, "pages/rulemaking_trial.html", context)


@require_safe
def csv(request: HttpRequest, number: str) -> StreamingHttpResponse:
    """Every line of the result."""
    row = _of_board(request, number)
    response = StreamingHttpResponse(csv_lines(COLUMNS, csv_rows(_result(row))), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{row.number}-trial.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
def pdf(request: HttpRequest, number: str) -> HttpResponseBase:
    """The result with its charts, to print: the file when a worker has made it; until then a page that waits for it."""
    row = _of_board(request, number)
    _result(row)
    wanted = WantedPdf(
        content=stored_trial_pdf(row),
        place=lambda: trial_pdf_place(row),
        file_name=f"{row.number}-trial.pdf",
        title=f"Trial of {row.number} as PDF",
        noun="PDF",
        label="Download trial (PDF)",
        back=reverse("rulemaking-trial", args=[number]),
        here="rulemakings",
    )
    return pdf_response(request, wanted)


def _of_board(request: HttpRequest, number: str) -> Rulemaking:
    """The rulemaking for the Board's staff: a trial lists every licensee."""
    row = rulemaking_of(request, number)
    if not sees_drafts(request.user):
        raise Http404("Only the Board can run the trial of a rulemaking.")
    return row


def _result(row: Rulemaking) -> Trial:
    result = trial_of(row)
    if result is None:
        raise Http404("The rulemaking changed after its last trial.")
    return result
