"""People, programs and administrators of both sides and of their sandboxes, as rows: who may and who may not."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from submissions.models import Organization, Person, Role, StandIn
from submissions.permissions.visible import Visitor
from tests import cast

Actors = dict[str, Visitor]


def everyone() -> Actors:
    """Actors by what they are."""
    casino, board = cast.casino(), cast.board()
    test_casino, test_board = sandbox(casino), sandbox(board)
    actors: Actors = {
        "preparer": cast.preparer(), "manager": cast.manager(), "reader": cast.reader(), "stranger": cast.stranger(),
        "analyst": cast.analyst(), "director": cast.director(),
        "another preparer": cast.person(casino, Role.PREPARER, "Preparer Two"),
        "stand-in": cast.person(casino, Role.PREPARER, "Stand-in East"),
        "administrator": actor(casino, Role.READER, "Administrator East", administrator=True),
        "administrator of the Board": actor(board, Role.READER, "Administrator Board", administrator=True),
        "administrator of the test Board": actor(test_board, Role.READER, "Administrator Test", administrator=True),
        "director of the test Board": actor(test_board, Role.DIRECTOR, "Director Test"),
        "manager of the test casino": actor(test_casino, Role.MANAGER, "Manager Test"),
        "program": actor(casino, Role.MANAGER, "Program East", is_system=True),
        "test program": actor(test_casino, Role.MANAGER, "Program Test", is_system=True),
        "program of the Board": actor(board, Role.DIRECTOR, "Program Board", is_system=True, administrator=True),
        "read-only program": actor(casino, Role.READER, "Program Reader", is_system=True),
        "director at the casino": actor(casino, Role.DIRECTOR, "Director East"),
        "manager at the Board": actor(board, Role.MANAGER, "Manager Board"),
        "former program": actor(casino, Role.MANAGER, "Program Gone", is_system=True, is_active=False),
        "former director": actor(board, Role.DIRECTOR, "Director Gone", is_active=False, administrator=True),
        "without an organization": actor(None, Role.MANAGER, "Manager Nowhere", administrator=True),
        "visitor": AnonymousUser(),
    }  # fmt: skip
    name_stand_in(actors["stand-in"], casino)
    return actors


def actor(organization: Organization | None, role: Role, name: str, **fields: Any) -> Person:
    email = f"{name.lower().replace(' ', '.')}@example.test"
    return Person.objects.create_user(email, name=name, organization=organization, role=role, **fields)


def sandbox(organization: Organization) -> Organization:
    return Organization.objects.create(
        kind=organization.kind, name=f"{organization.name} (test)", slug=f"{organization.slug}-test",
        sandbox_of=organization,
    )  # fmt: skip


def name_stand_in(person: Visitor, organization: Organization) -> StandIn:
    """For today."""
    day, given = timezone.localdate(), {"by": cast.manager(), "at": timezone.now()}
    return StandIn.objects.create(
        organization=organization, person=person, first_day=day, last_day=day, reason="Vacation.", **given
    )
