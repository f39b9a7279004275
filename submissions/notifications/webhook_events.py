"""The webhook deliveries of an event: created with it, in its transaction (`audit.record`).

A webhook gets exactly what the people of its organization can read in the submission's history at that moment: nothing
internal to the Board, nothing before filing, and for a sandbox only its own events. Sending is in `webhook_delivery`.
"""

import json
import secrets
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from submissions.audit.timeline import VERB_TEXTS, event_chapter, timeline_entry
from submissions.core.dates import moment_text
from submissions.jobs import leases
from submissions.models import Delivery, Event, Job, Organization, Person, Submission, Webhook
from submissions.permissions import history_visible_to
from submissions.permissions.visible import BOARD_ONLY_VERBS, LICENSEE_ONLY_VERBS, UNFILED_VERBS


def notify_webhooks(event: Event) -> list[Delivery]:
    """A delivery, with its job, for each webhook that subscribes to the event and may get it."""
    if event.submission is None:
        return []
    webhooks = _permitted(_subscribed(event, event.submission), event, event.submission)
    if not webhooks:
        return []
    body = _body(event, event.submission)
    return [create_delivery(webhook, event, body) for webhook in webhooks]


def has_webhooks() -> bool:
    """Whether there is any webhook: a bulk update has thousands of events, and without one none needs a query."""
    return Webhook.objects.filter(ended_at=None).exists()


@cache
def verbs_for(kind: Organization.Kind) -> tuple[str, ...]:
    """The events that an organization of this kind can get."""
    if kind == Organization.Kind.LICENSEE:
        return tuple(verb for verb in VERB_TEXTS if verb not in BOARD_ONLY_VERBS)
    before_filing = ("started", "amends", *UNFILED_VERBS, *LICENSEE_ONLY_VERBS)
    return tuple(verb for verb in VERB_TEXTS if verb not in before_filing)


def create_delivery(webhook: Webhook, event: Event | None, body: dict[str, Any]) -> Delivery:
    """The delivery of this body, and the job that sends it after this transaction."""
    key, now = secrets.token_hex(16), timezone.now()
    delivery = Delivery.objects.create(
        webhook=webhook,
        event=event,
        key=key,
        body=json.dumps({"id": key, **body}, ensure_ascii=False),
        made_at=now,
        asked_at=now,
    )
    leases.enqueue(Job.Kind.WEBHOOK, delivery.pk)
    return delivery


def _subscribed(event: Event, submission: Submission) -> list[Webhook]:
    """The webhooks of the submission's licensee and of the Board (with its sandbox) that subscribe to such events."""
    active = Webhook.objects.filter(ended_at=None)
    sides = Q(organization=submission.organization_id) | Q(organization__kind=Organization.Kind.REGULATOR)
    return [
        webhook
        for webhook in active.filter(sides).select_related("organization").order_by("pk")
        if event.verb in (webhook.verbs or verbs_for(Organization.Kind(webhook.organization.kind)))
    ]


def _permitted(webhooks: list[Webhook], event: Event, submission: Submission) -> list[Webhook]:
    """The webhooks whose organization's people may read the event; one query for each organization."""
    organizations = {webhook.organization_id: webhook.organization for webhook in webhooks}
    # Without a role: all read the same.
    readers = {key: Person(organization=organization) for key, organization in organizations.items()}
    may_read = {
        key for key, person in readers.items() if history_visible_to(person, submission).filter(pk=event.pk).exists()
    }
    return [webhook for webhook in webhooks if webhook.organization_id in may_read]


def _body(event: Event, submission: Submission) -> dict[str, Any]:
    """The event as in the API, with the submission's current status and version."""
    entry = timeline_entry(event_chapter(submission.chapter, submission.takes_effect, event.at), event)
    current = Submission.objects.values("status", "version").get(pk=submission.pk)
    return {
        "verb": entry.verb,
        "at": moment_text(entry.at),
        "number": entry.number,
        "submission": submission.number,
        "chapter": submission.chapter,
        "licensee": submission.organization.slug,
        **current,
        "who": entry.who,
        "role": entry.role,
        "what": entry.what,
        "detail": entry.detail,
        "reason": entry.reason,
        "changes": entry.lines,
        "href": f"{settings.PUBLIC_URL}/api/v1/submissions/{submission.number}/",
    }
