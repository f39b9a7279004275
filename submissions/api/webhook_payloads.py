"""What the portal sends to webhooks, as OpenAPI describes it; `notifications.webhook_events` makes it."""

from drf_spectacular.utils import OpenApiExample, OpenApiWebhook, extend_schema
from rest_framework import serializers as of

from submissions.api.framework.plain_fields import plain
from submissions.api.framework.read_views import ReadSerializer
from submissions.api.review import EventChangeSerializer
from submissions.models import Status

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


class WebhookEventSerializer(ReadSerializer):
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


class WebhookTestSerializer(ReadSerializer):
    """A test that someone asked for. It is about nothing."""

    id = of.CharField(help_text="As in the header Webhook-Id")
    verb = plain({"type": "string", "const": "test"})
    at = of.DateTimeField()


WEBHOOK_BODY = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("WebhookEvent", "WebhookTest")]}
EVENT = OpenApiWebhook(
    "event",
    extend_schema(
        operation_id="onEvent", summary="Something happened to a submission", description=SIGNED, tags=["webhooks"],
        request=WebhookEventSerializer, responses=ANSWERS,
        examples=[OpenApiExample("Event", EVENT_EXAMPLE, request_only=True)],
    ),
)  # fmt: skip
TEST = OpenApiWebhook(
    "test",
    extend_schema(
        operation_id="onTest", summary="A test of the address", description=SIGNED, tags=["webhooks"],
        request=WebhookTestSerializer, responses=ANSWERS,
        examples=[OpenApiExample("Test", TEST_EXAMPLE, request_only=True)],
    ),
)  # fmt: skip
