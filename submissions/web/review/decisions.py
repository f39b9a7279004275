"""Steps from a submission's page. After a refusal the text stays in the form."""

from collections.abc import Callable
from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.permissions.workflow import TRANSITIONS
from submissions.review import decisions
from submissions.web.access_gate import person_of, submission_of
from submissions.web.accounts import reauthentication
from submissions.web.filings.filing import version_of
from submissions.web.filings.submissions import show

STEPS: dict[str, Callable[..., object]] = {
    "recommend": decisions.recommend_approval,
    "return": decisions.return_to_licensee,
    "reject": decisions.reject_submission,
    "withdraw": filing.withdraw_submission,
}
SUCCESS_MESSAGES = {
    "recommend": "You recommended approval. A director decides.",
    "return": "Returned to the licensee with your questions.",
    "approve": "Approved. The signed document is being made.",
    "reject": "Rejected. The licensee reads your reasons.",
    "withdraw": "Withdrawn. It stays in the history.",
}


@require_POST
def decide(request: HttpRequest, number: str, verb: str) -> HttpResponse:
    submission, person = submission_of(request, number), person_of(request)
    version, reason = version_of(request), request.POST.get("reason", "")
    try:
        if TRANSITIONS[verb].signs:
            reauthentication.require_confirmation(request)
        if verb == "approve":
            from_day = _day(request.POST.get("from_day", ""))
            decisions.approve_submission(person, submission, version=version, from_day=from_day, reason=reason)
        else:
            STEPS[verb](person, submission, version=version, reason=reason)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=request.POST.dict(), form="decision")
    messages.success(request, SUCCESS_MESSAGES[verb])
    return redirect("submission", number)


def _day(text: str) -> date | None:
    """The day; None if nothing was entered."""
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        today = timezone.localdate()
        raise Refusal("effective-date-unreadable", option="from_day", text=text[:40], today=today.isoformat()) from None
