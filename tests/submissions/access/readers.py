"""Everyone who might read or write, by name, and the groups that the tables of access name. Written by hand."""

from __future__ import annotations

from submissions.models import SCOPES_OF, Organization, Person, Role
from tests import cast
from tests.submissions.api.clients import made
from tests.submissions.properties import membership

VISITOR, READER, DIRECTOR, MANAGER = {"visitor"}, {"reader"}, {"director"}, {"manager"}
PREPARERS = {"preparer", "manager"}
ADMINISTRATOR = {"administrator"}
EAST = READER | ADMINISTRATOR | PREPARERS
WEST_MANAGER = {"west manager"}
BOTH = {"of both, acting at home", "of both, acting there"}  # managers who have a row at each casino, acting for West
WEST = WEST_MANAGER | {"west preparer", "west reader"} | BOTH
REVIEWERS = {"analyst", "director"}
BOARD_ADMINISTRATOR = {"board administrator"}
BOARD = REVIEWERS | BOARD_ADMINISTRATOR
EAST_PROGRAM, WEST_PROGRAM, BOARD_PROGRAM = {"east program"}, {"west program"}, {"board program"}
EAST_TEST, BOARD_TEST = {"east test program"}, {"board test program"}
GONE = {"former manager", "former director", "without an organization"}
PEOPLE = VISITOR | EAST | WEST | BOARD
PROGRAMS = EAST_PROGRAM | WEST_PROGRAM | BOARD_PROGRAM | EAST_TEST | BOARD_TEST
EVERYONE = PEOPLE | GONE | PROGRAMS


def people() -> dict[str, Person]:
    """Who can sign in. "west manager" administers its casino as well, "board administrator" decides nothing."""
    east, west, board = cast.casino(), cast.other_casino(), cast.board()
    at_home = cast.person(west, Role.MANAGER, "Of both West")
    away = cast.person(east, Role.MANAGER, "Of both East")
    found = {
        "reader": cast.reader(),
        "preparer": cast.preparer(),
        "manager": cast.manager(),
        "administrator": administering(cast.person(east, Role.READER, "Administrator East")),
        "west manager": administering(cast.stranger()),
        "west preparer": cast.person(west, Role.PREPARER, "Preparer West"),
        "west reader": cast.person(west, Role.READER, "Reader West"),
        "analyst": cast.analyst(),
        "director": cast.director(),
        "board administrator": administering(cast.person(board, Role.READER, "Administrator Board")),
    }
    membership(at_home, east, administrator=True)
    return found | {"of both, acting at home": at_home, "of both, acting there": membership(away, west)}


def gone() -> dict[str, Person]:
    """Who may read nothing any more."""
    found = {
        "former manager": cast.person(cast.casino(), Role.MANAGER, "Former Manager"),
        "former director": cast.person(cast.board(), Role.DIRECTOR, "Former Director"),
        "without an organization": cast.person(cast.casino(), Role.MANAGER, "Manager Nowhere"),
    }
    for name, person in found.items():
        person.is_active = not name.startswith("former")
        person.organization = None if name == "without an organization" else person.organization
        person.administrator = True
        person.save()
    return found


def tokens() -> dict[str, str]:
    """An API key with the scope `read` for each program."""
    east, west, board = cast.casino(), cast.other_casino(), cast.board()
    return {
        "east program": made(east).token,
        "west program": made(west).token,
        "board program": made(board).token,
        "east test program": made(east, live=False).token,
        "board test program": made(board, live=False).token,
    }


def writing_token(organization: Organization, *, live: bool = True) -> str:
    """An API key with every scope that the organization can have."""
    return made(organization, scopes=SCOPES_OF[Organization.Kind(organization.kind)], live=live).token


def administering(person: Person) -> Person:
    person.administrator = True
    person.save()
    return person
