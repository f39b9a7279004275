"""Taking a step from a submission's page: what was typed stays on the page until the step is taken."""

from __future__ import annotations

from datetime import date
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.actions import filing, review
from submissions.errors import Refusal
from submissions.models import Person
from submissions.web import confirming
from submissions.web.filing import version_of
from submissions.web.guard import submission_of
from submissions.web.submission import show
from submissions.workflow import TRANSITIONS

DONE = {
    "recommend": "You recommended approval. A director decides.",
    "return": "Returned to the licensee with your questions.",
    "approve": "Approved. The signed document is being made.",
    "reject": "Rejected. The licensee reads your reasons.",
    "withdraw": "Withdrawn. It stays in the history.",
}


@require_POST
def decide(request: HttpRequest, number: str, verb: str) -> HttpResponse:
    try:
        _take(request, number, verb)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=request.POST.dict(), form="decision")
    messages.success(request, DONE[verb])
    return redirect("submission", number)


def _take(request: HttpRequest, number: str, verb: str) -> None:
    submission, person = submission_of(request, number), cast(Person, request.user)
    version, reason = version_of(request), request.POST.get("reason", "")
    if TRANSITIONS[verb].signs:
        confirming.demand(request)
    if verb == "recommend":
        review.recommend(person, submission, version=version, reason=reason)
    elif verb == "approve":
        from_day = _day(request.POST.get("from_day", ""))
        review.approve(person, submission, version=version, from_day=from_day, reason=reason)
    elif verb == "return":
        review.send_back(person, submission, version=version, reason=reason)
    elif verb == "reject":
        review.reject(person, submission, version=version, reason=reason)
    else:
        filing.withdraw(person, submission, version=version, reason=reason)


def _day(text: str) -> date | None:
    """The day that was typed; None where none was."""
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        today = timezone.localdate()
        raise Refusal(
            "effective-date-unreadable",
            f"“{text[:40]}” is no day that could be read.",
            fix=f"Write it as year, month and day, for example {today.isoformat()}.",
            option="from_day",
        ) from None
