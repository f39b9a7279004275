"""Where an organisation is told of events: its webhooks, what was sent to each, and what came of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.access import demand
from submissions.access.programs import webhooks_history_visible_to, webhooks_visible_to
from submissions.actions import idempotency, telling, webhooks
from submissions.errors import Refusal
from submissions.models import Delivery, Event, Organisation, Person, Webhook
from submissions.story import WORDS as VERBS
from submissions.web import confirming

LAST = 20  # changes that are told
PAGE = 30
WORDS = {"webhook-made": "had events told to {host}", "webhook-ended": "ended the webhook to {host}"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A delivery in words."""

    delivery: Delivery
    what: str
    state: str
    look: str


def page(request: HttpRequest) -> HttpResponse:
    """GET: the webhooks. POST: make one."""
    demand(request.user, "connect")
    if request.method != "POST":
        return _page(request)
    try:
        idempotency.refuse_sent(cast(Person, request.user), mark := request.POST.get("mark", ""))
        confirming.demand(request)
        made = webhooks.make(
            cast(Person, request.user),
            url=request.POST.get("url", ""),
            verbs=request.POST.getlist("verbs"),
            live=request.POST.get("reach") == "live",
            mark=mark,
        )
    except Refusal as refusal:
        return _page(request, refusal)
    return render(request, "pages/webhook_made.html", {"made": made, "here": "people", "part": "webhooks"})


def one(request: HttpRequest, pk: int) -> HttpResponse:
    """One webhook with its deliveries, the latest first."""
    demand(request.user, "connect")
    return _one(request, get_object_or_404(webhooks_visible_to(request.user), pk=pk))


@require_POST
def change(request: HttpRequest, pk: int, deed: str) -> HttpResponse:
    """Send a test, or end it."""
    demand(request.user, "connect")
    found, actor = get_object_or_404(webhooks_visible_to(request.user), pk=pk), cast(Person, request.user)
    if deed == "test":
        return _done(
            request,
            found,
            lambda: webhooks.try_out(actor, found),
            "The test is on its way. What comes of it is told here.",
        )
    if deed == "end":
        return _done(request, found, lambda: _ended(request, found), f"Nothing is sent to {found} any more.")
    raise Http404


@require_POST
def replay(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Send a delivery once more."""
    demand(request.user, "connect")
    found = get_object_or_404(webhooks_visible_to(request.user), pk=pk)
    delivery = get_object_or_404(Delivery.objects.select_related("webhook"), webhook=found, key=key)
    again = "It is on its way once more. What comes of it is told here."
    return _done(request, found, lambda: webhooks.replay(cast(Person, request.user), delivery), again)


def _ended(request: HttpRequest, found: Webhook) -> None:
    confirming.demand(request)
    webhooks.end(cast(Person, request.user), found)


def _done(request: HttpRequest, found: Webhook, deed: Callable[[], object], words: str) -> HttpResponse:
    """Do it, and back to the page of the webhook."""
    try:
        deed()
    except Refusal as refusal:
        return _one(request, found, refusal)
    messages.success(request, words)
    return redirect("webhook", found.pk)


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    chosen = request.POST.getlist("verbs")
    kind = Organisation.Kind(cast(Organisation, cast(Person, request.user).organisation).kind)
    context = {
        "webhooks": webhooks_visible_to(request.user),
        "verbs": [(verb, VERBS[verb], verb in chosen) for verb in telling.verbs_for(kind)],
        "chosen": chosen,
        "live": request.POST.get("reach") == "live",
        "now": timezone.now(),
        "changes": [_change(event) for event in webhooks_history_visible_to(request.user)[:LAST]],
        "mark": secrets.token_hex(16),  # sent again, the form makes nothing
        "refusal": refusal,
        "here": "people",
        "part": "webhooks",
    }
    return render(request, "pages/webhooks.html", context, status=refusal.status if refusal else 200)


def _one(request: HttpRequest, found: Webhook, refusal: Refusal | None = None) -> HttpResponse:
    page = Paginator(webhooks.deliveries(found), PAGE).get_page(request.GET.get("page"))
    context = {
        "webhook": found,
        "page": page,
        "deliveries": [_shown(delivery) for delivery in page],
        "now": timezone.now(),
        "refusal": refusal,
        "here": "people",
        "part": "webhooks",
    }
    return render(request, "pages/webhook.html", context, status=refusal.status if refusal else 200)


def _shown(delivery: Delivery) -> Shown:
    body: dict[str, Any] = json.loads(delivery.body)
    what = f"{body['who']} {body['what']}" if delivery.event_id else "Test"
    if delivery.delivered_at:
        return Shown(delivery, what, "Delivered", "approved")
    if delivery.given_up_at:
        return Shown(delivery, what, "Given up", "returned")
    return Shown(delivery, what, "Waiting", "filed")


def _change(event: Event) -> dict[str, object]:
    """A change in words: who, what, when."""
    facts = event.after or event.before
    who = event.actor.name if event.actor else "The portal's operator"
    return {"who": who, "what": WORDS[event.verb].format(**facts), "at": event.at}
