"""What every template may use."""

from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from submissions.web.accounts import reauthentication
from submissions.web.accounts.reminders import reminders
from submissions.web.notifications import notices


def portal(request: HttpRequest) -> dict[str, object]:
    return {
        "demo": settings.DEMO,
        "back": _back(request),
        "confirming": partial(
            reauthentication.confirmation_question, request
        ),  # asked for by the pages that sign, and only by them
        "reminders": partial(reminders, request),
        "unseen": partial(notices.unseen, request),  # asked for by whole pages, not by the parts that are swapped in
        "second_factor": settings.SECOND_FACTOR,
    }


def _back(request: HttpRequest) -> str:
    """The page of this portal that the person came from; the first page otherwise."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
        here = before.netloc == request.get_host() and before.path != request.path
    except (ValueError, DisallowedHost):  # no address at all; no host of ours: the error page is shown all the same
        return "/"
    return f"/{before.path.lstrip('/')}" if here else "/"  # “//…” would lead to another host
