"""The posts of remarks: writing one, following up on one, answering a question. Nothing typed is lost to a refusal."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions.access import remarks_visible_to
from submissions.actions import questions, remarks
from submissions.errors import Refusal
from submissions.models import Person, Remark, Submission
from submissions.web.guard import submission_of
from submissions.web.submission import show

DONE = {
    "resolve": "Resolved.",
    "reopen": "Reopened: it is a question of the next return.",
    "say": "Your reply was kept, within the Board.",
    "answered": "Your answer was kept. The Board reads it once you file again.",
    "disputed": "Your dispute was kept. The Board reads it once you file again.",
}


@require_POST
def write(request: HttpRequest, number: str) -> HttpResponse:
    submission, sent = submission_of(request, number), request.POST
    place, option = _whole(sent.get("configuration", "0")), sent.get("option", "")
    try:
        remark = remarks.write(
            cast(Person, request.user),
            submission,
            revision=_whole(sent.get("revision", "")),
            text=sent.get("text", ""),
            audience=sent.get("audience", ""),
            option=option,
            configuration=place,
        )
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=sent.dict(), form=f"line-c{place}-{option}")
    internal = remark.audience == Remark.Audience.BOARD
    words = "Kept within the Board." if internal else "Kept; the licensee reads it with the Board's next decision."
    messages.success(request, words)
    return _back(submission, f"line-c{place}-{option}" if option else f"remark-{remark.pk}")


@require_POST
def follow(request: HttpRequest, number: str, pk: int) -> HttpResponse:
    """`do`: resolve, reopen or say (the Board), answered or disputed (the licensee)."""
    submission, person = submission_of(request, number), cast(Person, request.user)
    remark = get_object_or_404(remarks_visible_to(person, submission), pk=pk)
    do, text = request.POST.get("do", ""), request.POST.get("text", "")
    if do not in DONE:
        raise Http404("A remark is resolved, reopened, replied to, answered or disputed.")
    try:
        if do == "resolve":
            remarks.resolve(person, remark, text=text)
        elif do == "reopen":
            remarks.reopen(person, remark, text=text)
        elif do == "say":
            remarks.say(person, remark, text=text)
        else:
            questions.answer(person, remark, kind=do, text=text)
    except Refusal as refusal:
        return show(request, number, refusal=refusal, typed=request.POST.dict(), form=f"remark-{pk}")
    messages.success(request, DONE[do])
    return _back(submission, f"remark-{pk}")


def _back(submission: Submission, anchor: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('submission', args=[submission.number])}#{anchor}")


def _whole(text: str) -> int:
    """A whole number; what is none counts as −1, which nothing has."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
