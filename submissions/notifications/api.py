"""Webhooks of one's organization: create, test and end them; their deliveries, and sending one again.

Also what is sent, as OpenAPI describes it. A test credential makes those of the sandbox. How it is signed and sent is
`notifications.webhooks`.
"""

import json
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django_filters import ChoiceFilter
from drf_spectacular.utils import OpenApiExample, OpenApiWebhook, extend_schema, extend_schema_field
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request

from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.serializers import JudgedChoiceField, StrictSerializer, plain
from submissions.api.framework.views import BaseView, WriteResult
from submissions.audit.timeline import VERB_TEXTS
from submissions.core.parameters import RefusalFilterSet
from submissions.filings.api.submissions import first_or_not_found
from submissions.filings.review.api import EventChangeSerializer
from submissions.models import Delivery, Scope, Status, Webhook
from submissions.notifications import webhooks
from submissions.permissions.credentials import webhooks_visible_to

SIGNED = (
    "A POST with the headers `Webhook-Id`, `Webhook-Timestamp` and `Webhook-Signature`: check the signature over the "
    "bytes of the body before you read it. Answer 2xx within ten seconds; otherwise it is sent again. A delivery may "
    "come twice, with the same `id`, and out of order."
)
ANSWERS = {"2XX": None}
EVENT_EXAMPLE = {
    "id": "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d", "verb": "returned", "at": "2026-11-02T09:30:00-05:00", "number": 7,
    "submission": "RS-2026-00001", "chapter": "687a", "licensee": "east", "status": "returned", "version": 3,
    "who": "Analyst One", "role": "Analyst", "what": "returned it with questions", "detail": "",
    "reason": "One thing.", "changes": [], "href": "https://portal.example.test/api/v1/submissions/RS-2026-00001/",
}  # fmt: skip
TEST_EXAMPLE = {"id": "1b9d6bcd4bfd4b2d9b5dab8dfbbd4bed", "verb": "test", "at": "2026-11-02T09:30:00-05:00"}


class WebhookEventSerializer(of.Serializer[Any]):
    """An event that the organization may read, with the submission's present status and version."""

    id = of.CharField(help_text="As in the header Webhook-Id")
    verb = of.CharField(help_text="Stable: programs can rely on it")
    at = of.DateTimeField()
    number = of.IntegerField(help_text="Its place among all events")
    submission = of.CharField()
    chapter = of.CharField()
    licensee = of.CharField(help_text="By its short name")
    status = of.ChoiceField(Status.choices)
    version = of.IntegerField(help_text="Of the submission; a write sends it")
    who = of.CharField()
    role = of.CharField()
    what = of.CharField(help_text="The verb in words")
    detail = of.CharField()
    reason = of.CharField()
    changes = EventChangeSerializer(many=True)
    href = of.URLField(help_text="The submission in the API")


class WebhookTestSerializer(of.Serializer[Any]):
    """A test that someone asked for. It is about nothing."""

    id = of.CharField(help_text="As in the header Webhook-Id")
    verb = plain({"type": "string", "const": "test"})
    at = of.DateTimeField()


WEBHOOK_BODY = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("WebhookEvent", "WebhookTest")]}
EVENT_WEBHOOK = OpenApiWebhook(
    "event",
    extend_schema(
        operation_id="onEvent", summary="Something happened to a submission", description=SIGNED, tags=["webhooks"],
        request=WebhookEventSerializer, responses=ANSWERS,
        examples=[OpenApiExample("Event", EVENT_EXAMPLE, request_only=True)],
    ),
)  # fmt: skip
TEST_WEBHOOK = OpenApiWebhook(
    "test",
    extend_schema(
        operation_id="onTest", summary="A test of the address", description=SIGNED, tags=["webhooks"],
        request=WebhookTestSerializer, responses=ANSWERS,
        examples=[OpenApiExample("Test", TEST_EXAMPLE, request_only=True)],
    ),
)  # fmt: skip


WRITE_SCOPES = (Scope.PREPARE, Scope.REVIEW)
VERB_CHOICES = list(VERB_TEXTS.items())
STATES: dict[str, dict[str, Any]] = {
    "waiting": {"delivered_at": None, "given_up_at": None},
    "delivered": {"delivered_at__isnull": False},
    "given-up": {"given_up_at__isnull": False},
}


class WebhookRequestSerializer(StrictSerializer):
    codes = {"required": "field-shape", "max_length": "webhook-address"}
    url = of.CharField(
        max_length=webhooks.LONGEST_URL, help_text="An https address that can be reached from the public internet"
    )
    verbs = of.ListField(
        child=JudgedChoiceField(VERB_CHOICES),
        default=list,
        help_text="Only these events; empty = all events that the organization can receive",
    )


class WebhookSerializer(of.Serializer[Any]):
    id = of.IntegerField(source="pk")
    url = of.CharField()
    verbs = of.ListField(child=of.CharField(), help_text="Only these events; empty = all")
    by = of.CharField(source="by.name", help_text="Who made it")
    made_at = of.DateTimeField()
    failures = of.IntegerField(help_text="Attempts after the last accepted delivery")
    rests_until = of.DateTimeField(
        allow_null=True, help_text="Nothing is sent before, because a delivery was not accepted"
    )
    ended_at = of.DateTimeField(allow_null=True, help_text="The webhook was ended")


class MadeSerializer(of.Serializer[Any]):
    webhook = WebhookSerializer()
    secret = of.CharField(help_text="The key that signs each delivery; shown only here")


class DeliverySerializer(of.Serializer[Any]):
    id = of.CharField(
        source="key", help_text="As in the header webhook-id: the same in a repeated delivery of the same event"
    )
    state = of.SerializerMethodField()
    made_at = of.DateTimeField()
    attempts = of.IntegerField(help_text="Since it was made or replayed")
    attempted_at = of.DateTimeField(allow_null=True, help_text="The last time")
    status = of.IntegerField(allow_null=True, help_text="Of the last answer; null if there was none")
    note = of.CharField(help_text="The result of the last attempt, in words")
    next_at = of.DateTimeField(source="due_at", allow_null=True, help_text="The next attempt, while it waits")
    delivered_at = of.DateTimeField(allow_null=True)
    given_up_at = of.DateTimeField(allow_null=True)
    body = of.SerializerMethodField(help_text="What is sent")

    @extend_schema_field({"type": "string", "enum": list(STATES)})
    def get_state(self, delivery: Delivery) -> str:
        if delivery.waits:
            return "waiting"
        return "delivered" if delivery.delivered_at else "given-up"

    @extend_schema_field(WEBHOOK_BODY)
    def get_body(self, delivery: Delivery) -> dict[str, Any]:
        return dict(json.loads(delivery.body))


class WebhooksView(BaseView, ListAPIView[Any]):
    """The webhooks of one's organization, those that ended too."""

    post = BaseView.write_once
    serializer_class = WebhookSerializer
    pagination_class = RowPagination
    result_serializer = MadeSerializer
    operation = "makeWebhook"
    write_summary = "Send events to an address. The response shows its secret, once."
    write_scopes = WRITE_SCOPES
    request_serializer = WebhookRequestSerializer
    statuses = {201: "The address gets events from now on"}

    def get_queryset(self) -> QuerySet[Webhook]:
        return webhooks_visible_to(self.reader)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Forbid compressing a response that shows a secret beside the values that were sent (`web.middleware`)."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if request.method == "POST":
            patch_cache_control(response, no_transform=True)
        return response

    def write(self, sent: dict[str, Any]) -> WriteResult:
        made = webhooks.create_webhook(self.reader, **sent)
        return WriteResult(made, 201, reverse("api:webhook", args=[made.webhook.pk]))


class WebhookDetailView(BaseView, RetrieveAPIView[Any]):
    """One webhook, and whether it takes what it is sent."""

    serializer_class = WebhookSerializer

    def get_object(self) -> Webhook:
        return webhook_at(self)


class DeliveryFilterSet(RefusalFilterSet):
    state = ChoiceFilter(
        choices=[(name, name) for name in STATES], method="in_state", help_text="Only deliveries in this state."
    )

    def in_state(self, rows: QuerySet[Delivery], name: str, state: str) -> QuerySet[Delivery]:
        return rows.filter(**STATES[state])


class DeliveriesView(BaseView, ListAPIView[Any]):
    """What was sent to a webhook, or will be, and what came of it."""

    serializer_class = DeliverySerializer
    pagination_class = RowPagination
    filterset_class = DeliveryFilterSet
    queryset = Delivery.objects.all()

    def get_queryset(self) -> QuerySet[Delivery]:
        return webhooks.deliveries(webhook_at(self))


class EndWebhookView(BaseView):
    """End a webhook. The portal sends nothing more, and gives up what waits."""

    post = BaseView.write_once
    result_serializer = WebhookSerializer
    write_scopes = WRITE_SCOPES
    statuses = {200: "It is ended"}

    def write(self, sent: None) -> WriteResult:
        webhooks.end_webhook(self.reader, webhook_at(self))
        return WriteResult(webhook_at(self))


class TestWebhookView(BaseView):
    """Send a test to a webhook. It tells of nothing, and shows whether the address takes it."""

    post = BaseView.write_once
    result_serializer = DeliverySerializer
    write_scopes = WRITE_SCOPES
    statuses = {202: "It is on its way"}

    def write(self, sent: None) -> WriteResult:
        return delivery_on_its_way(webhooks.send_test(self.reader, webhook_at(self)))


class ReplayDeliveryView(BaseView):
    """Send a delivery once more. The same id and body, with a new time and signature."""

    post = BaseView.write_once
    result_serializer = DeliverySerializer
    write_scopes = WRITE_SCOPES
    statuses = {202: "It is on its way"}

    def write(self, sent: None) -> WriteResult:
        rows = Delivery.objects.select_related("webhook").filter(webhook=webhook_at(self), key=self.kwargs["key"])
        return delivery_on_its_way(webhooks.replay_delivery(self.reader, first_or_not_found(rows, "delivery")))


def delivery_on_its_way(delivery: Delivery) -> WriteResult:
    row = webhooks.deliveries(delivery.webhook).get(pk=delivery.pk)
    return WriteResult(row, 202, reverse("api:webhook-deliveries", args=[delivery.webhook_id]))


def webhook_at(view: BaseView) -> Webhook:
    """Return the webhook that the address names."""
    return first_or_not_found(webhooks_visible_to(view.reader).filter(pk=view.kwargs["pk"]), "webhook")
