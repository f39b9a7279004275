"""Values that every template may use, such as the reminders above every page until they are done."""

from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import reverse

from submissions.accounts.members import too_few_administrators
from submissions.accounts.pages import factor_forms, reauthentication
from submissions.accounts.pages.sessions import property_choices
from submissions.core import log_context
from submissions.models import Person
from submissions.notifications import pages as notification_pages
from submissions.permissions import has_second_factor, takes_steps
from submissions.web.help.pages import tour_of


def portal(request: HttpRequest) -> dict[str, object]:
    return {
        "missing_text_allowed": settings.ALLOW_MISSING_TEXT,
        "acting": getattr(request, "acting", None),
        "properties": partial(property_choices, request),  # asked for by whole pages, as `unseen`
        "agency": settings.AGENCY,
        "agency_sign_in": bool(settings.OIDC_ISSUER),
        "demo": settings.DEMO,
        "back": _back(request),
        "confirming": partial(reauthentication.confirmation_question, request),  # asked for only by pages that sign
        "has_passkeys": factor_forms.has_passkeys,
        "request_id": log_context.request_id.get(),  # on pages about what went wrong
        "reminders": partial(reminders, request),
        "unseen": partial(
            notification_pages.unseen_notices, request
        ),  # asked for by whole pages, not by the parts that are swapped in
        "second_factor": settings.SECOND_FACTOR,
        "tour": partial(tour_of, request),
    }


def reminders(request: HttpRequest) -> list[dict[str, str]]:
    """Return the reminders of the person who is signed in, except on the pages where they are done."""
    person, here = request.user, request.resolver_match.url_name if request.resolver_match else None
    if not isinstance(person, Person) or person.organization is None:
        return []
    entries = []
    signs = settings.SECOND_FACTOR and (person.administrator or takes_steps(person))
    if not str(here).startswith("mfa_") and signs and not has_second_factor(person):
        words = "You need a second factor to sign. Until you set one up, you can read and prepare, but not decide."
        entries.append({"words": words, "address": reverse("mfa_index"), "link": "Set up a second factor"})
    if person.administrator and too_few_administrators(person.organization):
        words = f"{person.organization} has fewer than two administrators. No one can replace the only one."
        entries.append(
            {"words": words, "address": reverse("people") + "#invite", "link": "Invite another administrator"}
        )
    return entries


def _back(request: HttpRequest) -> str:
    """Return the page of this portal that the person came from; the first page otherwise."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
        here = before.netloc == request.get_host() and before.path != request.path
    except (ValueError, DisallowedHost):  # no address at all; no host of ours: the error page is shown all the same
        return "/"
    return f"/{before.path.lstrip('/')}" if here else "/"  # “//…” would lead to another host
