"""Writes the history, a chain of events (`chain`), and the shape of payloads.

Each event also seals the rows that its change wrote (`row_seals`). Verifying is in `chain` and `row_verification`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.dispatch import Signal
from django.utils import timezone

from submissions.audit.chain import GENESIS, is_own_tip, link_of, move_tip, seal_event
from submissions.audit.row_seals import ChangedRow, seal_each
from submissions.core.errors import Refusal
from submissions.core.row_updates import insert_rows
from submissions.models import Configuration, Event, Organization, Person, Submission, Tip
from submissions.permissions import STAND_IN_TITLE, is_stand_in

events_recorded = Signal()  # sent with `events`, in their transaction; an exception rolls the change back
ACTS_AS = "acts_as"  # key of a payload: that the actor took a manager's step as stand-in
MANAGER_VERBS = ("filed", "withdrew", "discontinued", "sent-back", "layout-filed", "layout-withdrew", "bulk-confirmed")
IN_GROUP = "@group"  # key of a payload; no line of a checklist has such a key
_LOCK = 0x5055_4253  # any number: the advisory lock that orders writers on PostgreSQL


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event before it is recorded; its members are the parameters of `record_event`."""

    actor: Person | None
    submission: Submission | None
    verb: str
    reason: str = ""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    seals: Iterable[ChangedRow] = ()
    organization: Organization | None = None


def record_event(
    actor: Person | None,
    submission: Submission | None,
    verb: str,
    *,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    seals: Iterable[ChangedRow] = (),
    organization: Organization | None = None,
) -> Event:
    """Append one event, in the transaction of the change that it describes. `actor` None is the portal itself.

    `organization`: whose history it belongs to, if it is not that of the submission or the actor.

    `seals`: every row of a sealed table that the change wrote or deleted. It is sealed as it is now, so the event comes
    after the last change.
    """
    change = NewEvent(
        actor, submission, verb, reason=reason, before=before, after=after, seals=seals, organization=organization
    )
    (event,) = record_events([change])
    return event


def record_events(changes: Sequence[NewEvent]) -> list[Event]:
    """Append an event for each change, in this order, as `record_event` does; the number of queries does not grow.

    Errors: `Refusal` `history-broken/not-continued` if this portal did not write the end: a new end would hide that.
    """
    lock_history()
    tip = Tip.objects.first()
    if tip and not is_own_tip(tip):
        raise Refusal("history-broken/not-continued", where=f"event {tip.sequence}: this portal did not end it there")
    tip = tip or Tip(pk=1, sequence=0, link=GENESIS)
    events = []
    for change, rows in zip(changes, seal_each(change.seals for change in changes), strict=True):
        event = _next_event(tip, change, rows)
        tip.sequence, tip.link = event.sequence, link_of(event.digest, event.mac)
        events.append(event)
    insert_rows(events)
    if events:
        move_tip(tip, events[-1])
    tip.save()
    events_recorded.send(sender=Event, events=events)
    return events


def _next_event(tip: Tip, change: NewEvent, rows: str) -> Event:
    """Return the event that continues the chain from its tip. `rows`: the text of the rows that it seals."""
    owner = change.submission or change.actor
    event = Event(
        sequence=tip.sequence + 1,
        at=timezone.now(),
        actor=change.actor,
        organization_id=change.organization.pk if change.organization else owner.organization_id if owner else None,
        submission=change.submission,
        verb=change.verb,
        reason=change.reason,
        before=dict(change.before or {}),
        after=dict(change.after or {}),
        rows=rows,
    )
    if change.actor and change.verb in MANAGER_VERBS and is_stand_in(change.actor):
        event.after[ACTS_AS] = STAND_IN_TITLE
    seal_event(event, tip.link)
    return event


def lock_history() -> None:
    """Let other writers of events wait until the caller's transaction ends; what they recorded is then visible."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("An event is recorded in the transaction of its change.")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # SQLite's IMMEDIATE transactions are in order already
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def group_payload(row: Configuration) -> dict[str, object]:
    """Return the position and name of the table group; empty for the configuration of all tables."""
    return {IN_GROUP: {"position": row.position, "name": row.name}} if row.position else {}
