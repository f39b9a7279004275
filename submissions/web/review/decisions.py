"""Posts of a submission's page: steps of the workflow, comments and what follows them, answers to questions.

After a refusal the text stays in the form.
"""

from collections.abc import Callable
from datetime import date

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.core.errors import Refusal
from submissions.filings import filing, questions
from submissions.models import Remark, Submission
from submissions.permissions import may, remarks_visible_to
from submissions.permissions.workflow import TRANSITIONS
from submissions.review import comments, decisions
from submissions.web.access_gate import person_of, submission_of
from submissions.web.accounts import reauthentication
from submissions.web.filings.filing import version_of
from submissions.web.filings.submissions import show
from submissions.web.orders.condition_fields import entered_conditions
from submissions.web.responses import whole_number

STEPS: dict[str, Callable[..., object]] = {
    "recommend": decisions.recommend_approval,
    "return": decisions.return_to_licensee,
    "reject": decisions.reject_submission,
    "withdraw": filing.withdraw_submission,
}
SUCCESS_MESSAGES = {
    "recommend": "You recommended approval. A director decides.",
    "return": "Returned to the licensee with your questions.",
    "approve": "Approved. The portal is creating the signed document.",
    "reject": "Rejected. The licensee reads your reasons.",
    "withdraw": "Withdrawn. It stays in the history.",
}
BOARD_ACTIONS = {"resolve": comments.resolve_comment, "reopen": comments.reopen_comment, "say": comments.say}
FOLLOW_UP_MESSAGES = {
    "resolve": "Resolved.",
    "reopen": "Reopened. It is part of the next return.",
    "say": "Your reply was saved. It is internal (Board only).",
    "answered": "Your answer was saved. The Board reads it once you file again.",
    "disputed": "Your dispute was saved. The Board reads it once you file again.",
}


@require_POST
def decide(request: HttpRequest, number: str, verb: str) -> HttpResponse:
    submission, person = submission_of(request, number), person_of(request)
    version, reason = version_of(request), request.POST.get("reason", "")
    confirmed = request.POST.get("confirmed") == "yes"
    try:
        if TRANSITIONS[verb].signs:
            reauthentication.require_confirmation(request)
        if verb == "approve":
            from_day = entered_day(request.POST.get("from_day", ""))
            conditions = entered_conditions(request.POST)
            decisions.approve_submission(
                person,
                submission,
                version=version,
                from_day=from_day,
                reason=reason,
                confirmed=confirmed,
                conditions=conditions,
            )
        else:
            STEPS[verb](person, submission, version=version, reason=reason)
    except Refusal as refusal:
        if isinstance(refusal, reauthentication.Unconfirmed) and may(person, verb, submission):
            refusal.further = decisions.missing_entries(submission, verb, reason=reason, confirmed=confirmed)
        return show(request, number, refusal=refusal, entered=request.POST.dict(), form="decision")
    messages.success(request, SUCCESS_MESSAGES[verb])
    return redirect("submission", number)


@require_POST
def write_comment(request: HttpRequest, number: str) -> HttpResponse:
    submission, sent = submission_of(request, number), request.POST
    place, option = whole_number(sent.get("configuration", "0")), sent.get("option", "")
    try:
        texts = {"text": sent.get("text", ""), "audience": sent.get("audience", ""), "option": option}
        revision = whole_number(sent.get("revision", ""))
        remark = comments.write_comment(person_of(request), submission, revision=revision, configuration=place, **texts)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, entered=sent.dict(), form=f"line-c{place}-{option}")
    internal = remark.audience == Remark.Audience.BOARD
    words = (
        "Saved. This comment is internal (Board only)."
        if internal
        else "Saved. The licensee reads it with the next decision."
    )
    messages.success(request, words)
    return _back(submission, f"line-c{place}-{option}" if option else f"remark-{remark.pk}")


@require_POST
def follow_up(request: HttpRequest, number: str, pk: int) -> HttpResponse:
    """`do`: resolve, reopen or say (the Board), answered or disputed (the licensee)."""
    submission, person = submission_of(request, number), person_of(request)
    remark = get_object_or_404(remarks_visible_to(person, submission), pk=pk)
    do, text = request.POST.get("do", ""), request.POST.get("text", "")
    if do not in FOLLOW_UP_MESSAGES:
        raise Http404("Choose what to do: resolve, reopen, reply, answer or dispute.")
    try:
        if do in BOARD_ACTIONS:
            BOARD_ACTIONS[do](person, remark, text=text)
        else:
            questions.answer_question(person, remark, kind=do, text=text)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, entered=request.POST.dict(), form=f"remark-{pk}")
    messages.success(request, FOLLOW_UP_MESSAGES[do])
    return _back(submission, f"remark-{pk}")


def entered_day(text: str) -> date | None:
    """The day; None if nothing was entered."""
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        today = timezone.localdate()
        raise Refusal("effective-date-unreadable", option="from_day", text=text[:40], today=today.isoformat()) from None


def _back(submission: Submission, anchor: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('submission', args=[submission.number])}#{anchor}")
