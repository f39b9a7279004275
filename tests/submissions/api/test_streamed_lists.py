"""Each list as a stream of lines, in a portal with rows of every kind: the rows of its pages for each caller.

Long streams, and streams that end early: `test_row_streams`.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from submissions.models import Organization
from tests.submissions.api.addresses import ADDRESSES
from tests.submissions.api.clients import made, system
from tests.submissions.api.streams import FEED, STREAM, SUBMISSIONS, paged, streamed
from tests.submissions.api.test_access import ARGUMENTS
from tests.submissions.api.world import World

pytestmark = pytest.mark.django_db
LISTS = [name for _, view, name in ADDRESSES if view.is_paged]
PUBLIC = ("register", "in-force")


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino).token)


@pytest.mark.parametrize("name", LISTS)
def test_stream_has_the_rows_of_the_pages_for_each_caller(
    name: str, world: World, casino: Organization, other_casino: Organization, board: Organization
) -> None:
    address = reverse(f"api:{name}", args=ARGUMENTS[name].format(**world.arguments).split())
    for organization in (casino, other_casino, board):
        caller = system(made(organization).token)
        answer = caller.get(address, headers=STREAM)
        assert answer.status_code == caller.get(address).status_code
        if answer.status_code == 200:
            rows, end = streamed(caller, address)
            assert (rows, end["rows"]) == (paged(caller, address), len(rows))
            assert end["cursor"] == caller.get(f"{address}?limit=200").json()["cursor"]
    assert paged(system(made(casino).token), address) or name == "drawings"


@pytest.mark.parametrize("name", LISTS)
def test_stream_needs_a_key_and_its_scope(name: str, world: World, casino: Organization) -> None:
    """Public lists, too: anyone could hold open as many streams as they like."""
    address = reverse(f"api:{name}", args=ARGUMENTS[name].format(**world.arguments).split())
    answer = system().get(address, headers=STREAM)
    assert (answer.status_code, answer.json()["code"]) == (401, "credential-missing")
    answer = system(made(casino, scopes=["prepare"]).token).get(address, headers=STREAM)
    assert answer.status_code == (200 if name in PUBLIC else 403)


def test_cursor_of_the_last_line_continues_where_the_stream_ended(client: Client, world: World) -> None:
    """The last line of a stream without rows has the cursor that was sent."""
    rows, end = streamed(client, FEED)
    assert streamed(client, f"{FEED}?cursor={end['cursor']}") == ([], {"rows": 0, "cursor": end["cursor"]})
    place = client.get(f"{FEED}?limit=1").json()["cursor"]
    assert streamed(client, f"{FEED}?cursor={place}") == (rows[1:], end | {"rows": len(rows) - 1})


def test_head_has_the_headers_of_the_stream_and_no_body(client: Client, world: World) -> None:
    got, head = (method(SUBMISSIONS, headers=STREAM) for method in (client.get, client.head))
    assert (head.status_code, head.getvalue(), dict(head.headers)) == (200, b"", dict(got.headers) | dict(head.headers))
    assert "Content-Length" not in head.headers
    assert "Accept" in head["Vary"]


def test_what_is_not_a_list_has_no_stream(client: Client, world: World) -> None:
    answer = client.get(f"{SUBMISSIONS}{world.submission.number}/", headers=STREAM)
    assert (answer.status_code, answer.json()["code"]) == (406, "not-acceptable")
