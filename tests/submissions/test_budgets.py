"""How much the pages that list things may ask of the database and the server, in a portal that is in full use.

The number of queries is written here, and stays the same however much there is. So is about how many functions are
called: unlike seconds, it is the same beside other work. How long pages take is measured by `python -m bench decade`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from submissions.documents import pages
from submissions.models import AccessRecord, Document, IndexedAnswer, Revision, Status, Submission
from submissions.web.access_gate import is_open_to_visitors
from submissions.web.urls import ADDRESSES
from tests.submissions import full_desk, full_portal
from tests.submissions.api.clients import made, system
from tests.submissions.operations.rows import CLOCK_QUERIES, DISK_QUERIES
from tests.timing import took

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("full"), pytest.mark.service("queries", only=True)]
LONGEST_IN_DATABASE = 0.060  # of PostgreSQL's processor
LONGEST_PUBLIC = 0.050  # of a page that anyone may ask for without end: made, or from the cache

# page, who asks, address, queries, and at most so many thousand calls of functions
BUDGETS = (
    ("queue of an analyst", "analyst", "/", 16, 106),
    ("queue of a director", "director", "/", 16, 114),
    ("queue, filtered", "analyst", "/?assigned=me&chapter=687a&by=licensee", 16, 85),
    ("queue of what is overdue", "director", "/?overdue=yes&status=recommended&by=due", 17, 119),
    ("a submission", "analyst", "/submissions/{number}/", 20, 109),
    ("workload", "analyst", "/workload/?first=2023-01-01&last=2026-12-31", 12, 87),
    ("calendar", "analyst", "/calendar/?month=2026-12", 10, 83),
    ("a licensee's calendar", "manager", "/calendar/?month=2026-12", 9, 44),
    ("a licensee's own", "manager", "/", 25, 122),
    ("register", "nobody", "/register/", 5, 66),
    ("register, its third page", "analyst", "/register/?page=3", 10, 79),
    ("orders", "analyst", "/orders/", 8, 66),
    ("orders, filtered", "analyst", "/orders/?licensee=all&chapter=687a&state=open", 6, 35),
    ("a licensee's orders", "manager", "/orders/?state=ended", 6, 33),
    ("temporary chapters", "manager", "/orders/chapters/", 7, 41),
    ("table lists", "analyst", "/tables/", 6, 28),
    ("a licensee's table list", "manager", "/tables/of/casino-03/", 8, 106),
    ("a licensee's table list, narrowed", "analyst", "/tables/of/casino-05/?chapter=687a&open=yes&page=2", 8, 38),
    ("errata", "nobody", "/errata/", 0, 43),
    ("errata of a chapter", "nobody", "/errata/683a/", 5, 64),  # 2 once its holds and figures are computed
    ("notices", "analyst", "/notices/", 6, 42),
    ("search for everything", "analyst", "/search/", 10, 61),
    ("search for words", "analyst", "/search/?words=casino+04+cajun", 9, 55),
    ("search for a state", "analyst", "/search/?status=recommended&waiting=director&by=filed", 10, 64),
    ("search for a paytable", "analyst", "/search/?chapter=687a&paytable=trips%2FDJWT-05", 12, 85),
    ("search for an answer", "analyst", "/search/?chapter=686a&option=adjacent_boxes&value=3&by=licensee", 10, 71),
    ("search for what was in force", "analyst", "/search/?in_force=2024-03-03&chapter=687a&page=1", 9, 69),
    ("search for filings of a year", "analyst", "/search/?filed_from=2024-01-01&filed_to=2024-12-31&page=3", 11, 71),
    ("a licensee's search", "manager", "/search/?words=casino&status=approved", 8, 58),
    ("security log", "analyst", "/security-log/", 5, 78),
    ("security log, filtered", "analyst", "/security-log/?person=manager&kind=download&network=10.0.0.0/8", 5, 81),
    ("a licensee's security log", "manager", "/security-log/?outcome=failure", 5, 79),
    ("rulemakings", "analyst", "/rulemakings/", 7, 67),
    ("operations", "analyst", "/operations/", 18 + DISK_QUERIES + CLOCK_QUERIES, 58),
)
"""Of a person who is signed in, four are the frame's: session, account with its rows, administrators, new notices."""
UNPAGED = (
    ("temporary chapters of all", "analyst", "/orders/chapters/", 7),
    ("what is in force", "nobody", "/in-force/?on=2025-03-03", 4),
    ("versions and rule changes", "analyst", "/rules/changes/", 12),
    ("a licensee's versions and rule changes", "manager", "/rules/changes/", 12),
)  # everything on one page: only the queries

READS = (  # address, and at most so many thousand calls
    ("submissions/", 33),
    ("submissions/?status=approved,filed&chapter=687a&licensee=casino-05", 21),
    ("submissions/?words=casino+04+cajun", 24),
    ("submissions/{number}/", 13),
    ("submissions/{number}/revisions/", 14),
    ("submissions/{number}/events/", 20),
    ("register/", 27),
    ("register/?licensee=casino-05&standing=in-force", 23),
    ("in-force/", 27),
    ("events/", 31),
    ("layouts/?status=filed", 15),
    ("orders/", 49),
    ("tables/?licensee=casino-05&open=yes", 26),
    ("chapters/", 10),
    ("me/", 8),
)


@pytest.fixture(autouse=True)
def _memory_cache(settings: object) -> None:
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


@pytest.fixture(scope="module")
def people(django_db_setup: None, django_db_blocker: object) -> Iterator[full_portal.People]:
    """A portal in full use, for the tests of this module only."""
    with django_db_blocker.unblock(), transaction.atomic():
        portal = full_portal.build()
        full_desk.build(portal)
        yield portal
        transaction.set_rollback(True)


@pytest.fixture
def _django_db_helper(people: full_portal.People) -> None:
    """No transaction of its own for a test: building takes longer than all of them together."""


@pytest.fixture(scope="module")
def clients(people: full_portal.People) -> dict[str, Client]:
    signed_in = {"analyst": people.analyst, "director": people.director, "manager": people.managers[3]}
    found = {who: Client() for who in (*signed_in, "nobody")}
    for who, person in signed_in.items():
        found[who].force_login(person)
    return found


@pytest.fixture
def number(people: full_portal.People) -> str:
    """That of an approved submission, in the addresses that have one."""
    return Submission.objects.filter(status=Status.APPROVED, chapter="683a").latest("pk").number


def test_there_is_as_much_as_said(people: full_portal.People) -> None:
    assert Revision.objects.count() == 17 * 21 * 10
    assert IndexedAnswer.objects.count() > 50_000
    assert AccessRecord.objects.count() >= 20_000


@pytest.mark.slow
@pytest.mark.parametrize(("page", "who", "address", "queries"), UNPAGED)
def test_unpaged_lists_ask_no_more_than_written(
    clients: dict[str, Client], page: str, who: str, address: str, queries: int
) -> None:
    assert clients[who].get(address).status_code == 200
    asked = _asked(clients[who], address)
    assert len(asked) == queries, "\n".join(asked)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "who", "address", "queries", "calls"), BUDGETS)
def test_pages_cost_no_more_than_written(
    clients: dict[str, Client], number: str, page: str, who: str, address: str, queries: int, calls: int
) -> None:
    client, address = clients[who], address.format(number=number)
    assert client.get(address).status_code == 200
    asked = _asked(client, address)
    assert len(asked) == queries, "\n".join(asked)
    assert _calls(client, address) <= calls * 1_000
    assert min(_database_seconds(client, address) for _ in range(3)) < LONGEST_IN_DATABASE


@pytest.mark.slow
@pytest.mark.parametrize(("address", "calls"), READS)
def test_api_reads_cost_no_more_than_written(people: full_portal.People, number: str, address: str, calls: int) -> None:
    client, address = system(made(people.analyst.organization).token), f"/api/v1/{address.format(number=number)}"
    assert client.get(address).status_code == 200
    assert _calls(client, address) <= calls * 1_000
    assert min(_database_seconds(client, address) for _ in range(3)) < LONGEST_IN_DATABASE


def _asked(client: Client, address: str) -> list[str]:
    """Return the queries of a page."""
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return [one["sql"][:300] for one in asked]


def _calls(client: Client, address: str) -> int:
    """Count the calls of functions for a page: the same each time, also beside other work."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        client.get(address)
    finally:
        sys.setprofile(before)
    return calls


def _database_seconds(client: Client, address: str) -> float:
    before = _seconds_of_postgresql()
    client.get(address)
    return _seconds_of_postgresql() - before


def _seconds_of_postgresql() -> float:
    """Processor seconds of the process that answers this connection; none where it is SQLite, in this thread."""
    if connection.vendor != "postgresql":
        return 0.0
    nanoseconds = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]
    return int(nanoseconds) / 1_000_000_000


def public_addresses() -> list[str]:
    """Every public page, with the arguments of a document in use."""
    document = Document.objects.select_related("revision__submission__organization").latest("pk")
    submission = document.revision.submission
    given = {"licensee": submission.organization.slug, "chapter": submission.chapter, "name": "3", "number": "683a"}
    given |= {"place": "637a.1", "secret": "unknown", "key": "unknown", "digest": document.signed_id}
    given |= {"rest": "people/"}  # of an address that moved
    routes = {address.name: address.route for address in ADDRESSES if is_open_to_visitors(address.who)}
    routes |= {pattern.name: str(pattern.pattern) for pattern in pages.urlpatterns}
    return [
        reverse(name, kwargs={part: given[part] for part in re.findall(r"<\w+:(\w+)>", route)})
        for name, route in routes.items()
    ]


@pytest.mark.slow
def test_public_pages_cost_little(clients: dict[str, Client], settings: Any, subtests: Any) -> None:
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"}
    settings.CACHES = settings.CACHES | {"pages": memory}
    addresses = public_addresses()
    assert len(addresses) > 12
    for address in addresses:
        with subtests.test(address):
            clients["nobody"].get(address)
            tries = (took(lambda address=address: clients["nobody"].get(address)) for _ in range(3))
            assert any(seconds < LONGEST_PUBLIC for seconds in tries)
