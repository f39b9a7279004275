"""Which webhooks are told of an event: put down with it, in its transaction (`history.record`).

A webhook is told exactly what the people of its organisation read in the submission's history at that moment: nothing
within the Board, nothing that is not filed yet, and of a sandbox only what belongs there. Not here: how it is sent
(`delivering`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.rules.registry import held
from submissions.access import history_visible_to
from submissions.access.seeing import NEVER_FILED, NOT_FILED_YET, WITHIN_BOARD
from submissions.actions import jobs
from submissions.models import Delivery, Event, Job, Organisation, Person, Submission, Webhook
from submissions.story import WORDS, entry_of


def tell(event: Event) -> list[Delivery]:
    """A delivery, with its job, for each webhook that wants the event and may know it."""
    if event.submission is None:
        return []
    informed = list(_informed(_concerned(event, event.submission), event, event.submission))
    if not informed:
        return []
    told = _body(event, event.submission)
    return [put_down(webhook, event, told) for webhook in informed]


@cache
def verbs_for(kind: Organisation.Kind) -> tuple[str, ...]:
    """The events of which an organisation of this kind is ever told."""
    if kind == Organisation.Kind.LICENSEE:
        return tuple(verb for verb in WORDS if verb not in WITHIN_BOARD)
    before_filing = ("started", "amends", *NOT_FILED_YET, *NEVER_FILED)
    return tuple(verb for verb in WORDS if verb not in before_filing)


def put_down(webhook: Webhook, event: Event | None, told: dict[str, Any]) -> Delivery:
    """The delivery of what is told, and the job that sends it once this transaction is committed."""
    key, now = secrets.token_hex(16), timezone.now()
    delivery = Delivery.objects.create(
        webhook=webhook,
        event=event,
        key=key,
        body=json.dumps({"id": key, **told}, ensure_ascii=False),
        made_at=now,
        asked_at=now,
    )
    jobs.enqueue(Job.Kind.WEBHOOK, delivery.pk)
    return delivery


def _concerned(event: Event, submission: Submission) -> list[Webhook]:
    """Those of the submission's licensee and of the Board, its sandbox among them, that want such events."""
    going = Webhook.objects.filter(ended_at=None)
    if not going.exists():  # asked for each of thousands of events: where nobody is told, nothing more is
        return []
    sides = Q(organisation=submission.organisation_id) | Q(organisation__kind=Organisation.Kind.REGULATOR)
    return [
        webhook
        for webhook in going.filter(sides).select_related("organisation").order_by("pk")
        if event.verb in (webhook.verbs or verbs_for(Organisation.Kind(webhook.organisation.kind)))
    ]


def _informed(webhooks: list[Webhook], event: Event, submission: Submission) -> Iterator[Webhook]:
    """Those whose organisation's people may read the event; asked once for each organisation."""
    seen: dict[int, bool] = {}
    for webhook in webhooks:
        if webhook.organisation_id not in seen:
            anybody = Person(organisation=webhook.organisation)  # no role: every colleague reads the same
            read = history_visible_to(anybody, submission).filter(pk=event.pk)
            seen[webhook.organisation_id] = read.exists()
        if seen[webhook.organisation_id]:
            yield webhook


def _body(event: Event, submission: Submission) -> dict[str, Any]:
    """The event in the words of the API, and where the submission stands now that it has happened."""
    entry = entry_of(held(submission.chapter), event)
    stands = Submission.objects.values("status", "version").get(pk=submission.pk)
    return {
        "verb": entry.verb,
        "at": entry.at.isoformat(),
        "number": entry.number,
        "submission": submission.number,
        "chapter": submission.chapter,
        "licensee": submission.organisation.slug,
        **stands,
        "who": entry.who,
        "role": entry.role,
        "what": entry.what,
        "detail": entry.detail,
        "reason": entry.reason,
        "changes": entry.lines,
        "href": f"{settings.PUBLIC_URL}/api/v1/submissions/{submission.number}/",
    }
