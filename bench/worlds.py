"""The portals that are measured, made in the database that the environment names (`python -m bench.worlds NAME`).

- `empty`: nothing is filed yet.
- `decade`: filings, 200,000 events and 1,000 people of ten years; and a credential of the Board's, which may read all.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import django

if __name__ == "__main__":
    django.setup()

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from bench.parts import main
from submissions.accounts import api_credentials
from submissions.audit.chain import link_of, move_tip, seal_event
from submissions.documents.checkpoints import make_hourly_checkpoint
from submissions.models import Event, Person, Role, Scope, Status, Submission, Tip
from tests.submissions import full_desk, full_portal
from tests.submissions.full_portal_span import DECADE


def empty() -> None:
    call_command("prepare", verbosity=0)


def open_session(signed_in: Person) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(signed_in.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = signed_in.get_session_auth_hash()
    session.create()
    return str(session.session_key)


EVENTS, PEOPLE, BATCH = 200_000, 1_000, 2_000
MOST_PEOPLE = 50  # at once, each with a session: the portal answers one long list at a time for each


def decade() -> dict[str, Any]:
    call_command("migrate", verbosity=0)  # the events of the decade come first: `prepare` records one
    with transaction.atomic():
        people = full_portal.build(DECADE)
        full_desk.build(people)
        add_people(people)
        add_events(people)
    approved = Submission.objects.filter(status=Status.APPROVED, chapter="683a").latest("pk")
    world = {
        "sessions": [open_session(people.analyst) for _ in range(MOST_PEOPLE)],
        "number": approved.number,
        "key": approved.pk,
        "token": issue_token(people.director, "Nightly", Scope.READ),
    }
    call_command("prepare", verbosity=0)
    # What a portal has long done: its history has a checkpoint, and the database knows its tables.
    make_hourly_checkpoint(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return world


def add_people(people: full_portal.People) -> None:
    """Add people up to the total, shared out among the licensees."""
    for number in range(PEOPLE - Person.objects.count()):
        casino = people.managers[number % len(people.managers)].organization
        email = f"preparer-{number}@{casino.slug}.example.test"
        Person.objects.create_user(email, name=f"Preparer {number}", organization=casino, role=Role.PREPARER)


def add_events(people: full_portal.People) -> None:
    """Add events up to the total: changes in the submissions, one after the other, at the end of the chain."""
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


def issue_token(owner: Person, name: str, scope: Scope) -> str:
    """Return the token of a live API key of the person's organization."""
    end = timezone.now() + timedelta(days=300)
    return api_credentials.issue_credential(owner, name=name, scopes=[scope], live=True, expires_at=end).token


if __name__ == "__main__":
    main(empty, decade)
