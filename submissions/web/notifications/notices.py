"""A person's notices, newest first, and their e-mail preference."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from submissions.core.dates import short_moment
from submissions.core.errors import Refusal
from submissions.models import MailPreference, Notice
from submissions.notifications import notices
from submissions.permissions import notices_visible_to, read_scope_of, readable_notices
from submissions.web.access_gate import person_of
from submissions.web.address_tags import address_of
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


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A notice: its sentence, the lines below it, when it was sent, and what it leads to."""

    sentence: str
    lines: list[str]
    is_new: bool
    stamp: str  # ISO 8601, Eastern Time
    sent: str
    link: tuple[str, str] | None


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
    if not user.is_authenticated or not user.is_active:
        return ""
    # Only of these is asked whether they may be read: PostgreSQL would ask it of every notice or submission first.
    new = Notice.objects.filter(person=user.pk, seen_at=None).order_by().values("pk")[: MOST_COUNTED + 1]
    count = readable_notices(read_scope_of(user)).filter(pk__in=new).count()
    return f"{MOST_COUNTED}+" if count > MOST_COUNTED else str(count or "")


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    rows = notices_visible_to(request.user).select_related("submission", "event").order_by("-pk")
    page = page_of(request, rows.only("words", "at", "seen_at", "submission__number", "event__after"), PAGE)
    shown = [_row(notice) for notice in page]
    notices.mark_seen(list(page))
    context = {
        "page": page,
        "shown": shown,
        "choices": [(choice.value, choice.label, PREFERENCE_TEXTS[choice]) for choice in MailPreference],
        "error_fields": {ANY_ENTRY: f"mails-{MailPreference.values[0]}"},
        "here": "notices",
    }
    return render_page(request, "pages/notices.html", context, refusal)


def _row(notice: Notice) -> NoticeRow:
    sentence, *lines = notice.words.split("\n")
    at = timezone.localtime(notice.at)
    return NoticeRow(
        sentence=sentence,
        lines=[line.removeprefix("- ") for line in lines],
        is_new=notice.seen_at is None,
        stamp=at.isoformat(),
        sent=short_moment(at),
        link=_link(notice),
    )


def _link(notice: Notice) -> tuple[str, str] | None:
    """The address and the name of what it is about; None where there is no page of it."""
    about: Mapping[str, str] = notice.event.after
    if number := about.get("filing"):
        return address_of("layout", number), number
    if notice.submission:
        return address_of("submission", notice.submission.number), notice.submission.number
    if about.get("alert"):
        return address_of("operations"), "Operations"
    if number := about.get("rulemaking"):
        return address_of("rulemaking", number), number
    return None
