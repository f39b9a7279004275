"""What is read: 17 licensees with all 21 games in force, each with its filing and document; and a credential.

The first licensee's are filed and approved as in life, from the chapters' examples; the others' are the same as rows.
The exact figures are those of the one game that is read. Made in the database that the environment names; prints the
credential as JSON on its last line.
"""

from __future__ import annotations

import json
from datetime import timedelta

import django

if __name__ == "__main__":
    django.setup()

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games.registry import chapters
from submissions.accounts import api_credentials
from submissions.models import Document, Organization, Person, Revision, Role, StoredFile
from tests.submissions import filing_rows
from tests.submissions.approved import Cast

LICENSEES = 17
FIRST, GAME = "casino-1", "687a"  # whose game in force is read


def build() -> str:
    """The token of a credential of the Board's, which may read everything."""
    call_command("prepare", verbosity=0)
    board = Organization.objects.create(kind="regulator", name="Gaming Control Board", slug="board")
    analyst, director = (_person(board, role) for role in (Role.ANALYST, Role.DIRECTOR))
    casinos = [
        Organization.objects.create(kind="licensee", name=f"Casino {place}", slug=f"casino-{place}")
        for place in range(1, LICENSEES + 1)
    ]
    first, *others = (_person(casino, Role.MANAGER) for casino in casinos)
    for chapter in chapters():
        filed = Cast(first, analyst, director, computes=chapter.number == GAME).version(chapter.number)
        for revision in (filed, *(_same(manager, filed) for manager in others)):
            _sign(revision)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself within minutes
    expires = timezone.now() + timedelta(days=300)
    return api_credentials.issue_credential(
        director, name="Nightly", scopes=["read"], live=True, expires_at=expires
    ).token


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
    """The same game of another licensee, in force."""
    configuration = dict(filed.content["configurations"][0])
    answers = configuration.pop("answers")
    revision = filing_rows.filing(manager, filed.submission.chapter, answers, **configuration)
    filing_rows.put_in_force(revision, filed.version.from_day, manager)
    return revision


def _sign(revision: Revision) -> None:
    """A document of the filing; what it says is not read here."""
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


if __name__ == "__main__":
    print(f"\n{json.dumps({'token': build()})}")
