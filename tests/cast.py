"""The fixed cast: two people and a reader at one casino, one at another, an analyst, two directors.

Each function returns the row that is there already or creates it: a test, its fixtures and a world that was built once
for its module mean the same people.
"""

from __future__ import annotations

from submissions.models import Organization, Person, Role

PASSWORD = "a long demo passphrase"


def casino() -> Organization:
    return _organization("licensee", "Casino East", "east")


def other_casino() -> Organization:
    return _organization("licensee", "Casino West", "west")


def board() -> Organization:
    return _organization("regulator", "Gaming Control Board", "board")


def preparer() -> Person:
    return person(casino(), Role.PREPARER, "Preparer East")


def manager() -> Person:
    return person(casino(), Role.MANAGER, "Manager East")


def reader() -> Person:
    return person(casino(), Role.READER, "Reader East")


def stranger() -> Person:
    """The Table Games Manager of another casino."""
    return person(other_casino(), Role.MANAGER, "Manager West")


def analyst() -> Person:
    return person(board(), Role.ANALYST, "Analyst One")


def director() -> Person:
    return person(board(), Role.DIRECTOR, "Director One")


def other_director() -> Person:
    return person(board(), Role.DIRECTOR, "Director Two")


def person(organization: Organization, role: Role, name: str) -> Person:
    email = f"{name.lower().replace(' ', '.')}@{organization.slug}.example.test"
    found = Person.objects.filter(email=email).first()
    return found or Person.objects.create_user(email, PASSWORD, name=name, organization=organization, role=role)


def _organization(kind: str, name: str, slug: str) -> Organization:
    return Organization.objects.get_or_create(slug=slug, defaults={"kind": kind, "name": name})[0]
