"""A decade in the database that the environment names: filings, 200,000 events and 1,000 people. Prints as JSON on its
last line what is asked for.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import django

if __name__ == "__main__":
    django.setup()

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from bench.visitors.world import open_session
from submissions.accounts import api_credentials
from submissions.audit.chain import link_of, move_tip, seal_event
from submissions.documents.checkpoints import make_hourly_checkpoint
from submissions.models import Event, Person, Role, Status, Submission, Tip
from tests.submissions import full_desk, full_portal
from tests.submissions.full_portal_span import DECADE

EVENTS, PEOPLE, BATCH = 200_000, 1_000, 2_000
MOST_PEOPLE = 50  # at once, each with a session: the portal answers one long list at a time for each


def build() -> dict[str, Any]:
    with transaction.atomic():
        people = full_portal.build(DECADE)
        full_desk.build(people)
        add_people(people)
        add_events(people)
    expires = timezone.now() + timedelta(days=300)
    issued = api_credentials.issue_credential(
        people.director, name="Nightly", scopes=["read"], live=True, expires_at=expires
    )
    approved = Submission.objects.filter(status=Status.APPROVED, chapter="683a").latest("pk")
    return {
        "sessions": [open_session(people.analyst) for _ in range(MOST_PEOPLE)],
        "number": approved.number,
        "key": approved.pk,
        "token": issued.token,
    }


def settle() -> None:
    """Do what a portal has long done: its history has a checkpoint, and the database knows its tables."""
    make_hourly_checkpoint(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def add_people(people: full_portal.People) -> None:
    """As many as there are in all, shared out among the licensees."""
    for number in range(PEOPLE - Person.objects.count()):
        casino = people.managers[number % len(people.managers)].organization
        email = f"preparer-{number}@{casino.slug}.example.test"
        Person.objects.create_user(email, name=f"Preparer {number}", organization=casino, role=Role.PREPARER)


def add_events(people: full_portal.People) -> None:
    """As many as there are in all: what is changed in the submissions, one after the other, at the end of the chain."""
    tip, submissions = Tip.objects.get(), list(Submission.objects.select_related("organization", "created_by"))
    now, link, events = timezone.now(), tip.link, []
    for sequence in range(tip.sequence + 1, EVENTS + 1):
        submission = submissions[sequence % len(submissions)]
        event = Event(
            sequence=sequence, at=now, actor=submission.created_by, organization=submission.organization,
            submission=submission, verb="saved",
        )  # fmt: skip
        seal_event(event, link)
        link = link_of(event.digest, event.mac)
        events.append(event)
        if len(events) == BATCH:  # PostgreSQL ends a transaction that leaves it without work for long
            Event.objects.bulk_create(events)
            events.clear()
    Event.objects.bulk_create(events)
    move_tip(tip, event)
    tip.save()


if __name__ == "__main__":
    call_command("migrate", verbosity=0)  # the events of the decade come first: `prepare` records one
    world = build()
    call_command("prepare", verbosity=0)
    settle()
    print(f"\n{json.dumps(world)}")
