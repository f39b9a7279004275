"""The list of rulemakings, one rulemaking, and the steps of its draft: start, publish, withdraw.

Everyone reads what was published; the Board's staff also see drafts and how far each licensee is.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from submissions.core.errors import Refusal
from submissions.models import Person, Rulemaking
from submissions.permissions import may_publish, may_write, rulemakings_visible_to, sees_drafts
from submissions.rulemakings import drafting, publication
from submissions.rulemakings.trial_job import trial_job_of, trial_of
from submissions.rulemakings.trial_result import Trial
from submissions.rulemakings.trial_table import summary_of
from submissions.web.access_gate import person_of
from submissions.web.accounts import reauthentication
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.forms import add_empty_fields
from submissions.web.responses import page_of, render_page, whole_number
from submissions.web.rulemakings.refiling_rows import refiling_rows

PAGE = 50


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every rulemaking that the person may see, the newest first; the Board may start one."""
    return _list_page(request)


def _list_page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    rows = rulemakings_visible_to(request.user).prefetch_related("changes")
    context = {
        "page": page_of(request, rows, PAGE),
        "verdict": may_write(request.user) if sees_drafts(request.user) else None,
        "entered": request.POST.dict(),
        "error_fields": {"title": "title", "source": "source", ANY_ENTRY: "title"},
        "here": "rulemakings",
    }
    return render_page(request, "public/rulemakings.html", context, refusal)


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Start a draft, and open it."""
    title, source = request.POST.get("title", ""), request.POST.get("source", "")
    try:
        row = drafting.start_rulemaking(person_of(request), title=title, source=source)
    except Refusal as refusal:
        add_empty_fields(refusal, request.POST, {"title": "Title", "source": "Adopting document"})
        return _list_page(request, refusal)
    messages.success(request, f"{row.number} is a draft. Write what it changes.")
    return redirect("rulemaking", row.number)


@require_safe
def show(request: HttpRequest, number: str) -> HttpResponse:
    """One rulemaking."""
    return page(request, rulemaking_of(request, number))


@require_POST
def publish(request: HttpRequest, number: str) -> HttpResponse:
    """Publish the draft, confirmed by its director."""
    row, confirmed = rulemaking_of(request, number), request.POST.get("confirmed") == "yes"
    try:
        reauthentication.require_confirmation(request)
        version = whole_number(request.POST.get("version", ""))
        publication.publish_rulemaking(person_of(request), row, version=version, confirmed=confirmed)
    except reauthentication.Unconfirmed as unconfirmed:
        if missing := publication.refusal_before_signing(person_of(request), row):  # a signature would not help
            return page(request, row, missing)
        if not confirmed:
            unconfirmed.further = (publication.missing_confirmation(row),)
        return page(request, row, unconfirmed)
    except Refusal as refusal:
        return page(request, row, refusal)
    messages.success(request, f"{row.number} is published. The portal notifies the affected licensees.")
    return redirect("rulemaking", number)


@require_POST
def withdraw(request: HttpRequest, number: str) -> HttpResponse:
    """End the draft."""
    row = rulemaking_of(request, number)
    try:
        version = whole_number(request.POST.get("version", ""))
        drafting.withdraw_rulemaking(person_of(request), row, version=version, reason=request.POST.get("reason", ""))
    except Refusal as refusal:
        return page(request, row, refusal)
    messages.success(request, f"{row.number} is withdrawn.")
    return redirect("rulemaking", number)


def rulemaking_of(request: HttpRequest, number: str) -> Rulemaking:
    """The rulemaking with this number, if this person may see it; 404 otherwise."""
    rows = rulemakings_visible_to(request.user).select_related("created_by", "written_by", "published_by")
    return get_object_or_404(rows, number=number)


def page(request: HttpRequest, row: Rulemaking, refusal: Refusal | None = None) -> HttpResponse:
    """The page of the rulemaking, with the refusal of a step, if there is one."""
    row.refresh_from_db()
    at_board = sees_drafts(request.user)
    trial = trial_of(row)
    context: dict[str, Any] = {
        "rulemaking": row,
        "changes": list(row.changes.all()),
        "trial": trial,
        "summaries": _summaries(trial),
        "at_board": at_board,
        "error_fields": {"reason": "reason", "confirmed": "confirmed"},
        "here": "rulemakings",
    }
    if at_board:
        context |= {
            "job": trial_job_of(row) if row.is_draft else None,
            "may_write": may_write(request.user),
            "may_publish": may_publish(request.user, row),
            "confirming": _confirming(request, row),
            "refilings": refiling_rows(row),
            "reason": request.POST.get("reason", "") if refusal else "",
        }
    return render_page(request, "public/rulemaking.html", context, refusal)


def _confirming(request: HttpRequest, row: Rulemaking) -> object:
    is_asked = isinstance(request.user, Person) and bool(may_publish(request.user, row))
    return reauthentication.confirmation_question(request) if is_asked else None


def _summaries(trial: Trial | None) -> list[tuple[Any, str]]:
    """Each change of the trial, with how many it affects."""
    return [(change, summary_of(change)) for change in trial.changes] if trial else []
