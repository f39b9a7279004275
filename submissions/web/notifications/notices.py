"""A person's notices, newest first, and their e-mail preference."""

from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from submissions.core.errors import Refusal
from submissions.models import MailPreference, Notice, Person
from submissions.notifications import notices
from submissions.permissions import notices_visible_to

PAGE = 30
PREFERENCE_TEXTS = {
    MailPreference.EACH: (
        "A decision that concerns you is mailed as it is made; what else there is, at seven the next morning."
    ),
    MailPreference.DIGEST: "At seven in the morning, one mail with everything since the last.",
    MailPreference.NONE: "You look here for yourself.",
}


@dataclass(frozen=True, slots=True)
class NoticeRow:
    notice: Notice
    sentence: str
    lines: list[str]
    new: bool


def page(request: HttpRequest) -> HttpResponse:
    """GET: the notices, which then count as seen. POST: the e-mail preference."""
    return _choose(request) if request.method == "POST" else _page(request)


def unseen(request: HttpRequest) -> int:
    """How many are new, for the head of every page."""
    return notices_visible_to(request.user).filter(seen_at=None).count()


def _choose(request: HttpRequest) -> HttpResponse:
    choice = request.POST.get("mails", "")
    try:
        notices.choose_mail_preference(cast(Person, request.user), choice)
    except Refusal as refusal:
        return _page(request, refusal)
    messages.success(request, f"From now on: {MailPreference(choice).label}.")
    return redirect("notices")


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    rows = notices_visible_to(request.user).select_related("submission").order_by("-pk")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    shown = [_row(notice) for notice in page]
    notices.mark_seen([row.notice for row in shown])
    context = {
        "page": page,
        "shown": shown,
        "choices": [(choice.value, choice.label, PREFERENCE_TEXTS[choice]) for choice in MailPreference],
        "refusal": refusal,
        "here": "notices",
    }
    return render(request, "pages/notices.html", context, status=refusal.status if refusal else 200)


def _row(notice: Notice) -> NoticeRow:
    sentence, *lines = notice.words.split("\n")
    return NoticeRow(notice, sentence, [line.removeprefix("- ") for line in lines], notice.seen_at is None)
