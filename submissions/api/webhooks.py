"""Webhooks: where one's organisation is told of events, made, tried and ended; what was sent, and sending it again.

What is told, and how it is signed, is `actions.telling` and `actions.delivering`; a test credential makes those of the
sandbox.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from submissions.access.programs import webhooks_visible_to
from submissions.actions import webhooks
from submissions.api import bodies
from submissions.api.reading import Door, One, Rows, Shape
from submissions.api.submissions import only
from submissions.api.writing import Writing, Written
from submissions.errors import Refusal
from submissions.models import Delivery, Scope, Webhook
from submissions.story import WORDS

WRITES = (Scope.PREPARE, Scope.REVIEW)
TAKEN: dict[str, Any] = {
    bodies.JSON: {
        "type": "object",
        "properties": {
            "url": {
                "type": "string", "maxLength": webhooks.LONGEST_URL,
                "description": "An https address that everybody can reach",
            },
            "verbs": {
                "type": "array", "items": {"type": "string", "enum": list(WORDS)}, "default": [],
                "description": "Only these events; none = all of which the organisation is told",
            },
        },
        "required": ["url"],
        "additionalProperties": False,
    }
}  # fmt: skip
STATES: dict[str, dict[str, Any]] = {
    "waiting": {"delivered_at": None, "given_up_at": None},
    "delivered": {"delivered_at__isnull": False},
    "given-up": {"given_up_at__isnull": False},
}
STATE = OpenApiParameter("state", str, description="Only deliveries in this state.", enum=list(STATES))


class WebhookShape(Shape):
    id = of.IntegerField(source="pk")
    url = of.CharField()
    verbs = of.ListField(child=of.CharField(), help_text="Only these events; empty = all")
    by = of.CharField(source="by.name", help_text="Who made it")
    made_at = of.DateTimeField()
    failures = of.IntegerField(help_text="Attempts since the last delivery that was taken")
    rests_until = of.DateTimeField(allow_null=True, help_text="Nothing is sent before, because it was not taken")
    ended_at = of.DateTimeField(allow_null=True, help_text="Nothing is sent any more")


class MadeShape(Shape):
    webhook = WebhookShape()
    secret = of.CharField(help_text="It signs each delivery; told here, and never again")


class DeliveryShape(Shape):
    id = of.CharField(source="key", help_text="As in the header Webhook-Id: whoever gets it twice knows it by this")
    state = of.SerializerMethodField(help_text=", ".join(STATES))
    made_at = of.DateTimeField()
    attempts = of.IntegerField(help_text="Since it was made or replayed")
    attempted_at = of.DateTimeField(allow_null=True, help_text="The last time")
    status = of.IntegerField(allow_null=True, help_text="Of the last answer; null if there was none")
    note = of.CharField(help_text="What came of the last attempt, in words")
    next_at = of.DateTimeField(source="due_at", allow_null=True, help_text="The next attempt, while it waits")
    delivered_at = of.DateTimeField(allow_null=True)
    given_up_at = of.DateTimeField(allow_null=True)
    body = of.SerializerMethodField(help_text="What is sent")

    def get_state(self, delivery: Delivery) -> str:
        if delivery.waits:
            return "waiting"
        return "delivered" if delivery.delivered_at else "given-up"

    def get_body(self, delivery: Delivery) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(delivery.body)
        return told


class Webhooks(Writing, Rows):
    """Where one's organisation is told of events, those that ended too."""

    serializer_class = WebhookShape
    told_as = MadeShape
    operation = "makeWebhook"
    says = "Have events told to an address. Its secret is told in the answer, and never again."
    writes = WRITES
    taken = TAKEN
    statuses = {201: "It is told from now on"}

    def rows(self) -> QuerySet[Webhook]:
        return webhooks_visible_to(self.reader)

    def read(self, body: bytes) -> dict[str, Any]:
        return _wanted(body)

    def write(self, sent: dict[str, Any]) -> Written:
        made = webhooks.make(self.reader, **sent)
        return Written(made, 201, reverse("api:webhook", args=[made.webhook.pk]))


class OneWebhook(One):
    """One webhook, and whether it takes what it is sent."""

    serializer_class = WebhookShape

    def thing(self) -> Webhook:
        return webhook_at(self)


class Deliveries(Rows):
    """What was sent to a webhook, or will be, and what came of it."""

    serializer_class = DeliveryShape
    asks = (STATE,)

    def rows(self) -> QuerySet[Delivery]:
        found, state = webhooks.deliveries(webhook_at(self)), self.request.query_params.get("state")
        if state is None:
            return found
        if state not in STATES:
            raise Refusal(
                "unknown-state", f"“{state[:40]}” is no state of a delivery.", fix=f"There are: {', '.join(STATES)}."
            )
        return found.filter(**STATES[state])


class End(Writing):
    """End a webhook. Nothing is sent any more, and what waits is given up."""

    operation = "endWebhook"
    told_as = WebhookShape
    writes = WRITES
    statuses = {200: "It is ended"}

    def write(self, sent: None) -> Written:
        webhooks.end(self.reader, webhook_at(self))
        return Written(webhook_at(self))


class TryOut(Writing):
    """Send a test to a webhook. It tells of nothing, and shows whether the address takes it."""

    operation = "testWebhook"
    told_as = DeliveryShape
    writes = WRITES
    statuses = {202: "It is on its way"}

    def write(self, sent: None) -> Written:
        return _on_its_way(webhooks.try_out(self.reader, webhook_at(self)))


class Replay(Writing):
    """Send a delivery once more. The same id and body, with a new time and signature."""

    operation = "replayDelivery"
    told_as = DeliveryShape
    writes = WRITES
    statuses = {202: "It is on its way"}

    def write(self, sent: None) -> Written:
        rows = Delivery.objects.select_related("webhook").filter(webhook=webhook_at(self), key=self.kwargs["key"])
        return _on_its_way(webhooks.replay(self.reader, only(rows, "delivery")))


def webhook_at(door: Door) -> Webhook:
    """The webhook that the address names."""
    found: Webhook = only(webhooks_visible_to(door.reader).filter(pk=door.kwargs["pk"]), "webhook")
    return found


def _on_its_way(delivery: Delivery) -> Written:
    found = webhooks.deliveries(delivery.webhook).get(pk=delivery.pk)
    return Written(found, 202, reverse("api:webhook-deliveries", args=[delivery.webhook_id]))


def _wanted(body: bytes) -> dict[str, Any]:
    """Address and verbs as they were sent, of the right shapes and nothing else."""
    sent = bodies.read(body) if body else None
    if not isinstance(sent, Mapping):
        raise Refusal("body-shape", "The body is no object.", fix='Send {"url": "https://…"}.')
    if unknown := next((name for name in sent if name not in ("url", "verbs")), ""):
        raise Refusal(
            "unknown-field", f"“{unknown[:40]}” is no field of a webhook.", fix="It has: url, verbs.",
            option=unknown[:60],
        )  # fmt: skip
    url, verbs = sent.get("url"), sent.get("verbs", [])
    if not isinstance(url, str):
        raise Refusal("field-shape", "“url” is a text.", fix="Send an https address.", option="url")
    if not isinstance(verbs, list) or not all(isinstance(verb, str) for verb in verbs):
        raise Refusal("field-shape", "“verbs” is a list of texts.", fix="Send names of events.", option="verbs")
    return {"url": url, "verbs": verbs}
