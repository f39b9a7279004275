"""What gunicorn itself adds to the portal's responses: asked over a socket, as a client does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from select import select
from socket import create_connection, socket

import pytest

from submissions.models import Organization
from submissions.web.load_limits import THREADS
from tests.portal.running import Running
from tests.portal.web_alone import web_running
from tests.submissions.api.clients import made

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]
JUDGE = "/api/v1/chapters/585/judge/"
TAKEN = 0.5  # seconds, in which the portal has taken the connections that say nothing; it gives each 5
LONG = 6 << 20  # bytes; 5 MB are taken


@pytest.fixture(scope="module")
def portal(django_db_setup: None) -> Iterator[Running]:
    """One for all tests: none of them stops a process of it."""
    with web_running(1) as portal:
        yield portal


@pytest.fixture
def connection(portal: Running) -> Iterator[HTTPConnection]:
    """A connection to a running portal, which the client keeps as long as the server says it may."""
    connection = HTTPConnection("127.0.0.1", portal.port, timeout=30)
    yield connection
    connection.close()


def ask(connection: HTTPConnection, method: str, address: str, *given: object, **options: object) -> HTTPResponse:
    connection.request(method, address, *given, **options)
    response = connection.getresponse()
    response.read()
    return response


def test_refusal_of_a_long_body_says_that_it_closes(connection: HTTPConnection, casino: Organization) -> None:
    """Else the next call of a client that keeps its connections fails; and the answer arrives, however much is sent."""
    key = {"Authorization": f"Bearer {made(casino).token}", "Content-Type": "application/json"}
    pieces = (b" " * 1000 for _ in range(100))
    for status, body, headers in (
        (413, b" " * LONG, key),
        (401, b" " * LONG * 5, {}),
        (411, pieces, {**key, "Transfer-Encoding": "chunked"}),
    ):
        response = ask(connection, "POST", JUDGE, body, headers, encode_chunked=status == 411)
        assert (response.status, response.getheader("Connection")) == (status, "close")
        assert ask(connection, "GET", "/api/v1/chapters/").status == 200


def test_other_answers_keep_the_connection_and_none_names_the_server(
    connection: HTTPConnection, casino: Organization
) -> None:
    key = {"Authorization": f"Bearer {made(casino).token}", "Content-Type": "application/json"}
    ask(connection, "GET", "/api/v1/chapters/")
    line = connection.sock
    for status, body, headers in ((401, b"{}", {}), (400, b"{", key), (200, b'{"answers": {}}' + b" " * 200_000, key)):
        response = ask(connection, "POST", JUDGE, body, headers)
        assert (response.status, response.getheader("Connection")) == (status, "keep-alive")
    for method, address in (("GET", "/"), ("HEAD", "/static/portal/icon.svg"), ("GET", "/no/such/page/")):
        response = ask(connection, method, address)
        assert (response.getheader("Server"), response.getheader("Date") is None) == (None, False), address
    assert connection.sock is line


def test_head_requests_are_no_warning_in_the_log(portal: Running, connection: HTTPConnection) -> None:
    for address in ("/", "/api/v1/chapters/", "/open-data/register.csv", "/static/portal/icon.svg", "/no/such/page/"):
        assert ask(connection, "HEAD", address).getheader("Connection") == "keep-alive", address
    assert "no-body" not in portal.log.read_text()


def silent(stack: ExitStack, port: int, number: int) -> list[socket]:
    """So many clients that connect and say nothing: each takes a thread."""
    clients = [stack.enter_context(create_connection(("127.0.0.1", port), timeout=30)) for _ in range(number)]
    time.sleep(TAKEN)
    return clients


def test_full_process_gives_its_connections_up(connection: HTTPConnection) -> None:
    """So that the next request goes to a process that has time for it."""
    with ExitStack() as stack:
        silent(stack, connection.port, THREADS - 1)
        assert ask(connection, "GET", "/api/v1/chapters/").getheader("Connection") == "close"
    time.sleep(TAKEN)
    assert ask(connection, "GET", "/api/v1/chapters/").getheader("Connection") == "keep-alive"


def test_request_never_waits_while_another_process_has_a_free_thread() -> None:
    """It would wait until the portal gives one of the silent clients up, and closes its connection."""
    with web_running(2) as portal:
        for _ in range(5):
            with ExitStack() as stack:
                clients = silent(stack, portal.port, 2 * THREADS - 1)
                connection = HTTPConnection("127.0.0.1", portal.port, timeout=30)
                stack.callback(connection.close)
                ask(connection, "GET", "/health/live")
                assert select(clients, [], [], 0)[0] == []
            time.sleep(TAKEN)
