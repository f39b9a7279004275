"""What a person is told of, newest first, and the choice of what is mailed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from submissions.access import notices_visible_to
from submissions.actions import notices
from submissions.errors import Refusal
from submissions.models import Mails, Notice, Person

PAGE = 30
MEANS = {
    Mails.EACH: "A decision that concerns you is mailed as it is made; what else there is, at seven the next morning.",
    Mails.DIGEST: "At seven in the morning, one mail with everything since the last.",
    Mails.NONE: "You look here for yourself.",
}


@dataclass(frozen=True, slots=True)
class Shown:
    notice: Notice
    sentence: str
    lines: list[str]
    new: bool


def page(request: HttpRequest) -> HttpResponse:
    """GET: the notices; those that are shown are new once. POST: the choice of mails."""
    if request.method == "POST":
        return _choose(request)
    return _page(request)


def unseen(request: HttpRequest) -> int:
    """How many are new, for the head of every page."""
    return notices_visible_to(request.user).filter(seen_at=None).count()


def _choose(request: HttpRequest) -> HttpResponse:
    choice = request.POST.get("mails", "")
    try:
        notices.choose_mails(cast(Person, request.user), choice)
    except Refusal as refusal:
        return _page(request, refusal)
    messages.success(request, f"From now on: {Mails(choice).label}.")
    return redirect("notices")


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    rows = notices_visible_to(request.user).select_related("submission").order_by("-pk")
    found = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    shown = [_shown(notice) for notice in found]
    notices.mark_seen([one.notice for one in shown])
    context = {
        "page": found,
        "shown": shown,
        "choices": [(choice.value, choice.label, MEANS[choice]) for choice in Mails],
        "refusal": refusal,
        "here": "notices",
    }
    return render(request, "pages/notices.html", context, status=refusal.status if refusal else 200)


def _shown(notice: Notice) -> Shown:
    sentence, *lines = notice.words.split("\n")
    return Shown(notice, sentence, [line.removeprefix("- ") for line in lines], notice.seen_at is None)
