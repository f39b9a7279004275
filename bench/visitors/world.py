"""What the visitors ask for, made in the database that the environment names; prints it as JSON on its last line.

An approved filing with its real signed document, drafts ready to be filed, people with open sessions.
"""

from __future__ import annotations

import json
from typing import Any

import django

if __name__ == "__main__":
    django.setup()

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import transaction

from submissions.documents import signed_pdf, signing_job, signing_keys
from submissions.documents.document_record import document_record
from submissions.documents.render import render
from submissions.models import Organization, Person, Revision, Role, Simulation
from tests.cast import PASSWORD, person
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file

GAME = "687a"
DRAFTS = 30  # to be filed, one after the other
PEOPLE = 40  # at the casino, with an open session


def build(people: int = PEOPLE, drafts: int = DRAFTS) -> dict[str, Any]:
    """What `rows` and the test ask for."""
    casino = Organization.objects.create(kind="licensee", name="Casino East", slug="east")
    board = Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")
    manager = person(casino, Role.MANAGER, "Manager East")
    revision = Cast(
        manager, person(board, Role.ANALYST, "Analyst"), person(board, Role.DIRECTOR, "Director"), computes=False
    ).version(GAME)
    signed = _signed(revision)
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


def _signed(revision: Revision) -> bytes:
    """The real seal over the real record, as the job makes it."""
    for run in Simulation.objects.filter(revision=revision):
        Simulation.objects.filter(pk=run.pk).update(result=None)
    record, seal = document_record(revision), signing_keys.load_seal()
    rendered = render({**record, "simulations": []})
    content = signed_pdf.sign_pdf(
        rendered.content, f"Rules Submission {revision.receipt}", record["approved"]["by"], seal
    )
    with transaction.atomic():
        signing_job.store_document(revision, record, signed_pdf.require_verified(rendered, content, seal))
    return content


def open_session(signed_in: Person) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(signed_in.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = signed_in.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    call_command("prepare", verbosity=0)
    print(f"\n{json.dumps(build())}")
