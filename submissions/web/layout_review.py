"""The Board's word on a layout filing: what is said of each element, the notice, the report, the decision.

What was typed stays on the page until it is taken. Not here: the page (`layouts`), what its form shows
(`layout_board`).
"""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions import access, workflow
from submissions.actions import layout_review
from submissions.errors import Conflict, Refusal
from submissions.models import LayoutFiling, Person
from submissions.web import confirming
from submissions.web.filing import version_of
from submissions.web.layout_board import ACCEPT, REFUSE, differing, line, said
from submissions.web.layouts import filing_of, show

FORM = "board"
DONE = {
    "notify": "Notice is given: the clock stands until the licensee files again.",
    "recommend": "Reported to the Executive Director, who decides.",
    "approve": "Approved. The sealed papers are being made.",
    "reject": "Rejected. The licensee reads your reasons.",
}


@require_POST
def judge(request: HttpRequest, number: str) -> HttpResponse:
    """Keep what is said anew of any elements: all of it or, after a refusal, nothing."""
    filing = filing_of(request, number)
    try:
        with transaction.atomic():
            count = _judge(request, filing)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=request.POST.dict(), form=FORM)
    if count:
        messages.success(request, f"Kept for {count} element{'s' if count > 1 else ''}.")
    else:
        messages.info(request, "Nothing was changed.")
    return HttpResponseRedirect(f"{reverse('layout', args=[number])}#board")


def _judge(request: HttpRequest, filing: LayoutFiling) -> int:
    person = cast(Person, request.user)
    workflow.expect(filing, version_of(request), "notify")  # who was faster is told by name
    access.demand(person, "judge", filing)
    filed, changed = filing.revisions.latest("number"), 0
    for place, one in enumerate(layout_review.standings(filed), 1):
        kept = line(place, one, differing(filed))
        seen, choice, reason = _said(request, one.key)
        if choice not in (ACCEPT, REFUSE) or seen in ("", said(choice, reason)):
            continue
        if seen != kept.seen:
            raise Conflict(
                "judged-meanwhile",
                f"“{one.name}” was judged by somebody else meanwhile: {one.label.lower()}.",
                fix="Reload the page, look at what was said, and judge it again if you have to.",
            )
        layout_review.judge(person, filing, one.key, accepted=choice == ACCEPT, reason=reason)
        changed += 1
    return changed


@require_POST
def decide(request: HttpRequest, number: str, step: str) -> HttpResponse:
    try:
        _take(request, filing_of(request, number), step)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=request.POST.dict(), form=FORM)
    messages.success(request, DONE[step])
    return redirect("layout", number)


def _take(request: HttpRequest, filing: LayoutFiling, step: str) -> None:
    person, version, reason = cast(Person, request.user), version_of(request), request.POST.get("reason", "")
    if workflow.LAYOUT_TRANSITIONS[step].signs:
        confirming.demand(request)
    refused = _refused(request)
    if step == "notify":
        layout_review.notify(person, filing, version=version, deficient=refused, reason=reason)
    elif step == "recommend":
        _refuse_both(refused)
        layout_review.recommend(person, filing, version=version, reason=reason)
    elif step == "approve":
        layout_review.approve(person, filing, version=version, reason=reason)
    else:
        layout_review.reject(person, filing, version=version, reason=reason)


def _refused(request: HttpRequest) -> dict[str, str]:
    """The elements that are marked as not accepted, with the word on each."""
    keys = [name.removeprefix("judged-") for name, value in request.POST.items() if value == REFUSE]
    return {key: request.POST.get(f"word-{key}", "") for key in keys}


def _refuse_both(refused: dict[str, str]) -> None:
    if refused:
        raise Refusal(
            "layout-refused-elements",
            f"{len(refused)} element{'s are' if len(refused) > 1 else ' is'} marked as not accepted on this page: a "
            "report says that every one is there.",
            fix="Keep what you say of the elements first, or give notice of deficiencies.",
        )


def _said(request: HttpRequest, key: str) -> tuple[str, str, str]:
    """What the form showed of an element, and what it says now: the choice and the word."""
    seen, choice, word = (_plain(request.POST.get(f"{name}-{key}", "")) for name in ("seen", "judged", "word"))
    return seen, choice, word.strip()


def _plain(text: str) -> str:
    """As it was before a browser sent it."""
    return text.replace("\r\n", "\n")
