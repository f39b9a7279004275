"""Writing the history, and checking it: a chain of events, each sealed with the digest of the one before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from submissions.canonical import canonical_json
from submissions.models import Event, Person, Submission

GENESIS = "0" * 64
_LOCK = 0x5055_4253  # any fixed number: the advisory lock that orders writers on PostgreSQL


def record(
    actor: Person | None,
    submission: Submission | None,
    verb: str,
    *,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> Event:
    """Append one event. Must run inside the transaction of what it tells of; `actor` None is the portal itself."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("record() belongs into the transaction that it records")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # SQLite's IMMEDIATE transactions are in order already
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    last = Event.objects.order_by("-sequence").first()
    event = Event(
        sequence=last.sequence + 1 if last else 1,
        at=timezone.now(),
        actor=actor,
        organisation=submission.organisation if submission else actor.organisation if actor else None,
        submission=submission,
        verb=verb,
        reason=reason,
        before=dict(before or {}),
        after=dict(after or {}),
        previous=last.digest if last else GENESIS,
    )
    event.digest = digest_of(event)
    event.save(force_insert=True)
    return event


def digest_of(event: Event) -> str:
    """SHA-256 over everything the event says, and the digest of the one before."""
    content = {
        "sequence": event.sequence,
        "at": event.at.isoformat(),
        "actor": event.actor_id,
        "organisation": event.organisation_id,
        "submission": event.submission_id,
        "verb": event.verb,
        "reason": event.reason,
        "before": event.before,
        "after": event.after,
        "previous": event.previous,
    }
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Break:
    """The first link that does not hold."""

    sequence: int
    problem: str


def verify() -> tuple[int, Break | None]:
    """How many events hold, and the first broken link, if any."""
    previous, count = GENESIS, 0
    for event in Event.objects.order_by("sequence").iterator():
        if event.sequence != count + 1:
            return count, Break(count + 1, f"event {count + 1} is missing; the next one found is {event.sequence}")
        if event.previous != previous:
            return count, Break(event.sequence, "does not continue the event before it")
        if event.digest != digest_of(event):
            return count, Break(event.sequence, "its content is not what was sealed")
        previous, count = event.digest, count + 1
    return count, None
