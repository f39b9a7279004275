"""The portals that are measured, made in the database that the environment names (`python -m bench.worlds NAME`).

- `visitors`: an approved filing with its real signed document, drafts ready to be filed, people with open sessions.
- `games`: 17 licensees with all 21 games in force, each with its filing and document; and a credential. The first
  licensee's are filed and approved as in life; the others' are the same as rows.
- `decade`: filings, 200,000 events and 1,000 people of ten years.
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
from games.registry import chapters
from submissions.accounts import api_credentials
from submissions.audit.chain import link_of, move_tip, seal_event
from submissions.documents import signed_pdf, signing_keys, submission_document
from submissions.documents.checkpoints import make_hourly_checkpoint
from submissions.documents.document_record import document_record
from submissions.documents.submission_document import render_document
from submissions.models import (
    Document,
    Event,
    Organization,
    Person,
    Revision,
    Role,
    Scope,
    Simulation,
    Status,
    StoredFile,
    Submission,
    Tip,
)
from tests.cast import PASSWORD, person
from tests.submissions import filing_rows, full_desk, full_portal
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.full_portal_span import DECADE

GAME = "687a"
DRAFTS = 30  # to be filed, one after the other
PREPARERS = 40  # at the casino, with an open session


def visitors() -> dict[str, Any]:
    call_command("prepare", verbosity=0)
    return build_visited()


def build_visited(people: int = PREPARERS, drafts: int = DRAFTS) -> dict[str, Any]:
    """Make the rows that the visitors read; return their names and sessions."""
    casino = Organization.objects.create(kind="licensee", name="Casino East", slug="east")
    board = Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")
    manager = person(casino, Role.MANAGER, "Manager East")
    revision = Cast(
        manager, person(board, Role.ANALYST, "Analyst"), person(board, Role.DIRECTOR, "Director"), computes=False
    ).version(GAME)
    signed = _sealed(revision)
    preparers = [person(casino, Role.PREPARER, f"Preparer {number}") for number in range(people)]
    return {
        "email": manager.email,
        "password": PASSWORD,
        "session": open_session(manager),
        "digest": revision.document.signed_id,
        "signed": signed.decode("latin-1"),
        "drafts": [ready_to_file(manager, "686a").number for _ in range(drafts)],
        "sessions": list(map(open_session, preparers)),
    }


def _sealed(revision: Revision) -> bytes:
    """Return the record with its real seal, as the job makes it."""
    for run in Simulation.objects.filter(revision=revision):
        Simulation.objects.filter(pk=run.pk).update(result=None)
    record, seal = document_record(revision), signing_keys.load_seal()
    rendered = render_document({**record, "simulations": []})
    content = signed_pdf.sign_pdf(
        rendered.content, f"Rules Submission {revision.receipt}", record["approved"]["by"], seal
    )
    with transaction.atomic():
        submission_document.store_document(revision, record, signed_pdf.require_verified(rendered, content, seal))
    return content


def open_session(signed_in: Person) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(signed_in.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = signed_in.get_session_auth_hash()
    session.create()
    return str(session.session_key)


LICENSEES = 17
READ_GAME = "687a"  # the game in force that is read


def games() -> dict[str, Any]:
    """Make the games; return the token of a credential of the Board's, which may read everything."""
    call_command("prepare", verbosity=0)
    board = Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")
    analyst, director = (_person(board, role) for role in (Role.ANALYST, Role.DIRECTOR))
    casinos = [
        Organization.objects.create(kind="licensee", name=f"Casino {place}", slug=f"casino-{place}")
        for place in range(1, LICENSEES + 1)
    ]
    first, *others = (_person(casino, Role.MANAGER) for casino in casinos)
    for chapter in chapters():
        filed = Cast(first, analyst, director, computes=chapter.number == READ_GAME).version(chapter.number)
        for revision in (filed, *(_same(manager, filed) for manager in others)):
            _sign(revision)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself within minutes
    return {"token": issue_token(director, "Nightly", Scope.READ)}


def _person(organization: Organization, role: Role) -> Person:
    return Person.objects.create_user(
        f"{role}@{organization.slug}.example.test",
        None,
        name=role.label,
        organization=organization,
        role=role,
        administrator=True,
    )


def _same(manager: Person, filed: Revision) -> Revision:
    """Put a copy of the game in effect at another licensee."""
    configuration = dict(filed.content["configurations"][0])
    answers = configuration.pop("answers")
    revision = filing_rows.filing(manager, filed.submission.chapter, answers, **configuration)
    filing_rows.put_in_force(revision, filed.version.from_day, manager)
    return revision


def _sign(revision: Revision) -> None:
    """Add a document to the filing; its content is not read here."""
    Document.objects.create(
        revision=revision,
        unsigned_sha256="1" * 64,
        signed=StoredFile.keep(b"%PDF-" + revision.receipt.encode(), "application/pdf"),
        pages=9,
        signer="Demo Seal",
        signed_at=timezone.now(),
        verification={},
        demo=True,
    )


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
    main(visitors, games, decade)
