"""Posts of a submission's page: steps of the workflow, comments and what follows them, answers to questions.

Here are also posts of any filing's page, or of the queue, that assign it to a person of the Board or unassign it.

After a refusal the text stays in the form.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.accounts.pages import reauthentication
from submissions.core.errors import Refusal
from submissions.filings import questions
from submissions.filings.orders.pages.order_forms import entered_conditions
from submissions.filings.pages import submissions
from submissions.filings.pages.filing import version_of
from submissions.filings.review import comments, decisions
from submissions.filings.review.assignments import assign_work, assignable_people, unassign_work
from submissions.layouts.pages import layout_page
from submissions.models import LayoutFiling, Person, Remark, Submission
from submissions.permissions import layouts_visible_to, may, remarks_visible_to, require
from submissions.permissions.workflow import TRANSITIONS
from submissions.web.access_gate import person_of, submission_of
from submissions.web.forms import is_about_entries
from submissions.web.responses import whole_number

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
            terms: dict[str, Any] = {"from_day": entered_day(request.POST.get("from_day", ""))}
            terms |= {"confirmed": confirmed, "conditions": entered_conditions(request.POST)}
            decisions.approve_submission(person, submission, version=version, reason=reason, **terms)
        else:
            decisions.take_step(person, submission, verb, version=version, reason=reason)
    except Refusal as refusal:
        if isinstance(refusal, reauthentication.Unconfirmed) and may(person, verb, submission):
            refusal.further = decisions.missing_entries(submission, verb, reason=reason, confirmed=confirmed)
        return submissions.show(request, number, refusal=refusal, entered=request.POST.dict(), form="decision")
    messages.success(request, TRANSITIONS[verb].success)
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
        return submissions.show(request, number, refusal=refusal, entered=sent.dict(), form=f"line-c{place}-{option}")
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
    """Follow up a comment; `do`: resolve, reopen or say (the Board), answered or disputed (the licensee)."""
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
        return submissions.show(request, number, refusal=refusal, entered=request.POST.dict(), form=f"remark-{pk}")
    messages.success(request, FOLLOW_UP_MESSAGES[do])
    return _back(submission, f"remark-{pk}")


def entered_day(text: str) -> date | None:
    """Return the day; None if nothing was entered."""
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        today = timezone.localdate()
        raise Refusal("effective-date-unreadable", option="from_day", text=text[:40], today=today.isoformat()) from None


def _back(submission: Submission, anchor: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('submission', args=[submission.number])}#{anchor}")


FILING_PAGES: dict[str, Callable[..., HttpResponse]] = {"submission": submissions.show, "layout": layout_page.show}
ASSIGNMENT_FORM = "assignment"  # of these pages
ME, NOBODY = "me", "nobody"  # what a form sends instead of a person's number


@require_POST
def assign_submission(request: HttpRequest, number: str) -> HttpResponse:
    """Assign it. `person`: a person's number, `me` or `nobody`; `queue`: the query string of the queue to return to."""
    return _assign(request, submission_of(request, number), "submission")


@require_POST
def assign_layout(request: HttpRequest, number: str) -> HttpResponse:
    """Assign a layout filing, as `assign_submission` does."""
    rows = layouts_visible_to(request.user).select_related("submission__organization")
    return _assign(request, get_object_or_404(rows, number=number), "layout")


def _assign(request: HttpRequest, filing: Submission | LayoutFiling, page: str) -> HttpResponse:
    actor, wanted = person_of(request), request.POST.get("person", "")
    require(actor, "assign", filing)
    if wanted == NOBODY:
        unassign_work(actor, filing)
        messages.success(request, f"{filing.number} is unassigned.")
    else:
        try:
            assignment = assign_work(actor, filing, _person(actor, wanted))
        except Refusal as refusal:
            if not is_about_entries(refusal) or "queue" in request.POST:
                raise
            return FILING_PAGES[page](request, filing.number, refusal=refusal, form=ASSIGNMENT_FORM)
        to_you = assignment.person_id == actor.pk
        messages.success(request, f"{filing.number} is assigned to {'you' if to_you else assignment.person.name}.")
    if "queue" in request.POST:
        query = request.POST["queue"]
        return HttpResponseRedirect(f"{reverse('home')}?{query}" if query else reverse("home"))
    return redirect(page, filing.number)


def _person(actor: Person, wanted: str) -> Person:
    if wanted == ME:
        return actor
    person = assignable_people(actor).filter(pk=whole_number(wanted)).first()
    if person is None:
        raise Refusal("assignee-unfit", name=wanted[:40])
    return person
