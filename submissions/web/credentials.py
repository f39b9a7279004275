"""An organisation's credentials: made, rotated and revoked by its administrators, who see the secret once.

The secret is on the page that answers the making, which nobody keeps, and nowhere else. What a credential may be is
said by `actions.credentials`.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.access import demand
from submissions.access.programs import credentials_history_visible_to, credentials_visible_to
from submissions.actions import credentials, idempotency
from submissions.errors import Refusal
from submissions.models import SCOPES_OF, Credential, Event, Organisation, Person, Scope
from submissions.search.wording import day_of
from submissions.web import confirming

LAST = 20  # changes that are told
USUAL = timedelta(days=90)  # for which one is made, unless another day is chosen
SOON = timedelta(days=14)
DAY_ENDS = time(23, 59, 59)
MEANS = {
    Scope.READ: "what your people read, the register and rules",
    Scope.PREPARE: "starts, changes and amends submissions, answers questions; makes webhooks",
    Scope.FILE: "sends filings and withdrawals, which a named person then confirms",
    Scope.REVIEW: "writes remarks; sends recommendations and returns, which a named person then confirms",
}
WORDS = {
    "credential-made": "made “{name}”, {credential}",
    "credential-rotated": "replaced {before} of “{name}” by {credential}",
    "credential-revoked": "revoked “{name}”, {credential}",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A credential and where it stands; `look` is how that looks."""

    credential: Credential
    state: str
    look: str
    holds: bool  # it, or another one in its place, can be used: it can be revoked

    @property
    def rotates(self) -> bool:
        return self.holds and self.credential.replaced_by_id is None


def page(request: HttpRequest) -> HttpResponse:
    """GET: the credentials. POST: make one."""
    demand(request.user, "administer")
    if request.method != "POST":
        return _page(request)
    try:
        idempotency.refuse_sent(cast(Person, request.user), mark := request.POST.get("mark", ""))
        confirming.demand(request)
        made = credentials.make(
            cast(Person, request.user),
            name=request.POST.get("name", ""),
            scopes=request.POST.getlist("scopes"),
            live=request.POST.get("reach") == "live",
            expires_at=_end_of(request.POST.get("expires", "")),
            networks=_networks(request.POST.get("networks", "")),
            mark=mark,
        )
    except Refusal as refusal:
        return _page(request, refusal)
    return _told(request, made)


def one(request: HttpRequest, pk: int) -> HttpResponse:
    """What is known of one, and the forms that rotate and revoke it."""
    demand(request.user, "administer")
    return _one(request, get_object_or_404(credentials_visible_to(request.user), pk=pk))


@require_POST
def change(request: HttpRequest, pk: int, deed: str) -> HttpResponse:
    """Rotate it, or revoke it."""
    demand(request.user, "administer")
    found = get_object_or_404(credentials_visible_to(request.user), pk=pk)
    if deed not in ("rotate", "revoke"):
        raise Http404
    try:
        confirming.demand(request)
        if deed == "rotate":
            return _told(request, _rotated(request, found))
        credentials.revoke(cast(Person, request.user), found, reason=request.POST.get("reason", ""))
    except Refusal as refusal:
        return _one(request, found, refusal)
    messages.success(request, f"“{found.name}”, {found.shown}, is revoked: whoever calls with it is refused.")
    return redirect("credentials")


def shown(credential: Credential, now: datetime) -> Shown:
    if credential.revoked_at:
        return Shown(credential, "Revoked", "ended", holds=False)
    if credential.overlap_until and credential.overlap_until <= now:
        return Shown(credential, "Replaced", "ended", holds=False)
    if credential.expires_at <= now:
        return Shown(credential, "Expired", "ended", holds=False)
    if credential.overlap_until:
        return Shown(credential, "Replaced, still good", "returned", holds=True)
    if credential.expires_at <= now + SOON:
        return Shown(credential, "Ends soon", "returned", holds=True)
    return Shown(credential, "Good", "approved", holds=True)


def _rotated(request: HttpRequest, found: Credential) -> credentials.Made:
    days = request.POST.get("overlap", "")
    if not (days.isascii() and days.isdecimal() and len(days) < 4):
        raise Refusal(
            "overlap-too-long", "The time of both is no number of days.", fix="Choose 0 to 30.", option="overlap"
        )
    return credentials.rotate(
        cast(Person, request.user),
        found,
        expires_at=_end_of(request.POST.get("expires", "")),
        overlap=timedelta(days=int(days)),
    )


def _told(request: HttpRequest, made: credentials.Made) -> HttpResponse:
    """The only page on which the secret ever stands."""
    return render(request, "pages/credential_made.html", {"made": made, "here": "people", "part": "credentials"})


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    kind = Organisation.Kind(cast(Organisation, cast(Person, request.user).organisation).kind)
    asked = request.method == "POST"
    context = {
        "credentials": [shown(one, now) for one in credentials_visible_to(request.user)],
        "scopes": [(scope, MEANS[scope], scope in request.POST.getlist("scopes")) for scope in SCOPES_OF[kind]],
        "live": request.POST.get("reach") == "live",
        "changes": [_change(event) for event in credentials_history_visible_to(request.user)[:LAST]],
        "expires": request.POST.get("expires", "") if asked else _usual(),
        "latest": _latest(),
        "mark": secrets.token_hex(16),  # sent again, the form makes nothing
        "refusal": refusal,
        "here": "people",
        "part": "credentials",
    }
    return render(request, "pages/credentials.html", context, status=refusal.status if refusal else 200)


def _one(request: HttpRequest, found: Credential, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "shown": shown(found, timezone.now()),
        "credential": found,
        "replaces": Credential.objects.filter(replaced_by=found).first(),
        "expires": request.POST.get("expires", _usual()),
        "overlap": request.POST.get("overlap", credentials.OVERLAP.days),
        "longest": credentials.LONGEST_OVERLAP.days,
        "latest": _latest(),
        "refusal": refusal,
        "here": "people",
        "part": "credentials",
    }
    return render(request, "pages/credential.html", context, status=refusal.status if refusal else 200)


def _end_of(day: str) -> datetime:
    """The last second of the day that was typed."""
    return timezone.make_aware(datetime.combine(day_of(day), DAY_ENDS))


def _usual() -> str:
    return (timezone.localdate() + USUAL).isoformat()


def _latest() -> date:
    return timezone.localdate() + credentials.LONGEST - timedelta(days=1)


def _networks(text: str) -> list[str]:
    return [network for network in re.split(r"[\s,;]+", text) if network]


def _change(event: Event) -> dict[str, object]:
    """A change in words: who, what, why, when."""
    facts = event.after or event.before
    words = WORDS[event.verb].format(**{**facts, "before": event.before.get("credential", "")})
    who = event.actor.name if event.actor else "The portal's operator"
    return {"who": who, "what": words, "reason": event.reason, "at": event.at}
