"""A person's notices, newest first, and their e-mail preference."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from submissions.core.errors import Refusal
from submissions.models import MailPreference, Notice
from submissions.notifications import notices
from submissions.permissions import notices_visible_to
from submissions.web.access_gate import person_of
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.responses import page_of, render_page

PAGE = 30
MOST_COUNTED = 99
PREFERENCE_TEXTS = {
    MailPreference.EACH: (
        "An e-mail for each decision on your filings, at once. One e-mail with everything else, at 7 a.m. the next day."
    ),
    MailPreference.DIGEST: "One e-mail a day, at 7 a.m., with everything that is new.",
    MailPreference.NONE: "No e-mails. Check this page yourself.",
}


def page(request: HttpRequest) -> HttpResponse:
    """GET: the notices, which then count as seen. POST: the e-mail preference."""
    if request.method != "POST":
        return _page(request)
    choice = request.POST.get("mails", "")
    try:
        notices.choose_mail_preference(person_of(request), choice)
    except Refusal as refusal:
        return _page(request, refusal)
    messages.success(request, f"From now on: {MailPreference(choice).label}.")
    return redirect("notices")


def unseen(request: HttpRequest) -> str:
    """How many are new, for the head of every page; "" for none, "99+" where there are more: they are not counted."""
    user = getattr(request, "user", AnonymousUser())  # an error page may come before anyone is signed in
    new = len(notices_visible_to(user).filter(seen_at=None).order_by().values_list("pk")[: MOST_COUNTED + 1])
    return f"{MOST_COUNTED}+" if new > MOST_COUNTED else str(new or "")


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    rows = notices_visible_to(request.user).select_related("submission", "event").order_by("-pk")
    page = page_of(request, rows, PAGE)
    shown = [_row(notice) for notice in page]
    notices.mark_seen([row["notice"] for row in shown])
    context = {
        "page": page,
        "shown": shown,
        "choices": [(choice.value, choice.label, PREFERENCE_TEXTS[choice]) for choice in MailPreference],
        "error_fields": {ANY_ENTRY: f"mails-{MailPreference.values[0]}"},
        "here": "notices",
    }
    return render_page(request, "pages/notices.html", context, refusal)


def _row(notice: Notice) -> dict[str, Any]:
    sentence, *lines = notice.words.split("\n")
    lines = [line.removeprefix("- ") for line in lines]
    return {"notice": notice, "sentence": sentence, "lines": lines, "new": notice.seen_at is None}
