"""Writing the history: a chain of events, each sealed with the digest of the one before. Checking it is `chain`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from submissions.actions import notices, telling
from submissions.actions.chain import GENESIS, digest_of, verify
from submissions.models import Event, Person, Submission, Tip

__all__ = ["record", "verify"]

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
    tip = Tip.objects.first() or Tip(pk=1, sequence=0, digest=GENESIS)
    owner = submission or actor
    event = Event(
        sequence=tip.sequence + 1,
        at=timezone.now(),
        actor=actor,
        organisation_id=owner.organisation_id if owner else None,
        submission=submission,
        verb=verb,
        reason=reason,
        before=dict(before or {}),
        after=dict(after or {}),
        previous=tip.digest,
    )
    event.digest = digest_of(event)
    event.save(force_insert=True)
    tip.sequence, tip.digest = event.sequence, event.digest
    tip.save()
    notices.tell(event)
    telling.tell(event)
    return event
