"""The webhooks of an organization: where it is notified of events, what was sent to each, and with what result."""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from submissions.audit.timeline import VERB_TEXTS
from submissions.core.errors import Refusal
from submissions.core.number_words import counted
from submissions.jobs import idempotency
from submissions.models import Delivery, Organization, Webhook
from submissions.notifications import webhook_endpoints, webhook_events
from submissions.permissions import require
from submissions.permissions.credentials import webhooks_history_visible_to, webhooks_visible_to
from submissions.web.access_gate import organization_of, person_of
from submissions.web.accounts import reauthentication
from submissions.web.accounts.recent_changes import recent_changes
from submissions.web.compression import never_compress
from submissions.web.forms import Checkboxes, Radios, RefusalForm, SentChoice, SentChoices, SentText, explained
from submissions.web.responses import page_of, render_page
from submissions.web.sentences import moment

DELIVERIES_ON_PAGE = 30
REACH = (("test", explained("Test", "what happens in your sandbox")), ("live", explained("Live", "real submissions")))
SENTENCES = {"webhook-made": "had events sent to {host}", "webhook-ended": "ended the webhook to {host}"}
DONE_MESSAGES = {
    "test": "The portal is sending the test. The result appears here.",
    "end": "The portal no longer sends events to {}.",
    "replay": "The portal is sending it again. The result appears here.",
}
PART = {"here": "people", "part": "webhooks"}


class WebhookForm(RefusalForm):
    url = SentText(
        "Address of your system",
        hint="An https address that can be reached from the public internet.",
        check=webhook_endpoints.check_url,
        inputmode="url",
        autocomplete="off",
        spellcheck="false",
        maxlength=webhook_endpoints.LONGEST_URL,
        required=True,
    )
    reach = SentChoice(Radios(), choices=REACH)
    verbs = SentChoices(Checkboxes({"id": "verb"}))


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery with the text of its event and of its state; `look` is the style of that."""

    delivery: Delivery
    what: str
    state: str
    look: str
    due_at: datetime | None = None

    @property
    def attempts(self) -> str:
        """How often the address was called, when last, and when next."""
        made, last = self.delivery.attempts, self.delivery.attempted_at
        return (
            counted(made, "attempt")
            + (f", last {moment(last, 'M j, g:i a')}" if last else "")
            + (f", next {moment(self.due_at, 'M j, g:i a')}" if made and self.due_at else "")
        )


def page(request: HttpRequest) -> HttpResponse:
    """GET: the webhooks. POST: create one."""
    require(request.user, "connect")
    form = WebhookForm(request, reach="test")
    if request.method == "POST":
        with form.showing_refusals():
            idempotency.refuse_sent_form(person_of(request), form_token := request.POST.get("mark", ""))
            reauthentication.require_confirmation(request)
            url, verbs, live = form.values["url"], form.values["verbs"], form.values["reach"] == "live"
            created = webhook_endpoints.create_webhook(
                person_of(request), url=url, verbs=verbs, live=live, form_token=form_token
            )
            return never_compress(render(request, "pages/webhook_created.html", {"made": created, **PART}))
    return _page(request, form)


def webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """One webhook with its deliveries, the latest first."""
    require(request.user, "connect")
    return _webhook_page(request, get_object_or_404(webhooks_visible_to(request.user), pk=pk))


@require_POST
def change(request: HttpRequest, pk: int, action: str, key: str = "") -> HttpResponse:
    """Send a test, end it, or send the delivery with this key again."""
    require(request.user, "connect")
    person, webhook = person_of(request), get_object_or_404(webhooks_visible_to(request.user), pk=pk)
    try:
        if action == "test":
            webhook_endpoints.send_test(person, webhook)
        elif action == "end":
            reauthentication.require_confirmation(request)
            webhook_endpoints.end_webhook(person, webhook)
        elif action == "replay":
            delivery = get_object_or_404(Delivery.objects.select_related("webhook"), webhook=webhook, key=key)
            webhook_endpoints.replay_delivery(person, delivery)
        else:
            raise Http404
    except Refusal as refusal:
        return _webhook_page(request, webhook, refusal)
    messages.success(request, DONE_MESSAGES[action].format(webhook))
    return redirect("webhook", webhook.pk)


def replay(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Send a delivery again."""
    return change(request, pk, "replay", key)


def _page(request: HttpRequest, form: WebhookForm) -> HttpResponse:
    kind = Organization.Kind(organization_of(request).kind)
    label = '{} <span class="quiet digest">{}</span>'
    verbs = webhook_events.verbs_for(kind)
    form.offer("verbs", ((verb, format_html(label, capfirst(VERB_TEXTS[verb]), verb)) for verb in verbs))
    context = {
        "webhooks": webhooks_visible_to(request.user),
        "now": timezone.now(),
        "changes": recent_changes(webhooks_history_visible_to(request.user), SENTENCES),
        "form_token": secrets.token_hex(16),  # a form that is sent twice has no second effect
        **PART,
    }
    return form.page(request, "pages/webhooks.html", context)


def _webhook_page(request: HttpRequest, webhook: Webhook, refusal: Refusal | None = None) -> HttpResponse:
    page = page_of(request, webhook_endpoints.deliveries(webhook), DELIVERIES_ON_PAGE)
    rows = [_row(delivery) for delivery in page]
    context = {"webhook": webhook, "page": page, "rows": rows, "now": timezone.now(), **PART}
    return render_page(request, "pages/webhook.html", context, refusal)


def _row(delivery: Delivery) -> DeliveryRow:
    body = json.loads(delivery.body)
    what = f"{body['who']} {body['what']}" if delivery.event_id else "Test"
    if delivery.delivered_at:
        return DeliveryRow(delivery, what, "Delivered", "approved")
    if delivery.given_up_at:
        return DeliveryRow(delivery, what, "Given up", "returned")
    due_at = getattr(delivery, "due_at", None)  # an annotation of `webhook_endpoints.deliveries`
    return DeliveryRow(delivery, what, "Waiting", "filed", due_at)
