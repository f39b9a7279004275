"""What the web server itself does with requests and responses: asked over a socket, as a client does."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from select import select
from statistics import median

import pytest
from django.db import transaction
from django.db.models import F

from bench.slow_clients import KINDS, LONGEST, beside
from portal.processes.web import OPTIONS
from submissions.models import Organization
from submissions.web.load_limits import THREADS
from tests.portal.running import Running, alive, listens, until
from tests.portal.web_alone import web_running
from tests.submissions.api.clients import made

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]
JUDGE = "/api/v1/chapters/585/judge/"
TAKEN = 0.5  # seconds, in which the portal has begun to answer
LONG = 6 << 20  # bytes; 5 MB are taken


@pytest.fixture(scope="module")
def portal(django_db_setup: None) -> Iterator[Running]:
    """One for all tests: none of them stops a process of it."""
    with web_running(1) as portal:
        yield portal


@pytest.fixture(scope="module")
def two_processes(django_db_setup: None) -> Iterator[Running]:
    """A web of two processes, which believes another proxy."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
        with web_running(2) as pair:
            yield pair


@pytest.fixture
def pair(two_processes: Running) -> Running:
    """The web of two processes, once the supervisor has started again what a test has stopped."""
    until(lambda: len(two_processes.worker_children("web")) == 2 and listens(two_processes.port), 60)
    return two_processes


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


def test_answer_to_a_long_body_arrives_and_the_next_call_too(connection: HTTPConnection, casino: Organization) -> None:
    """However much is sent. What is longer than any file is refused before it arrives, and the connection is closed."""
    key = {"Authorization": f"Bearer {made(casino).token}", "Content-Type": "application/json"}
    for status, body, headers in ((413, b" " * LONG, key), (401, b" " * LONG * 5, {})):
        response = ask(connection, "POST", JUDGE, body, headers)
        assert (response.status, response.getheader("Content-Type")) == (status, "application/problem+json")
        assert ask(connection, "GET", "/api/v1/chapters/").status == 200
    connection.putrequest("POST", JUDGE)
    connection.putheader("Content-Length", str(OPTIONS["max_request_body_size"]))
    connection.endheaders()
    response = connection.getresponse()
    assert (response.status, response.getheader("Connection")) == (413, "close")


def test_body_in_chunks_is_measured_by_the_server(connection: HTTPConnection, casino: Organization) -> None:
    key = {"Authorization": f"Bearer {made(casino).token}", "Content-Type": "application/json"}
    pieces = iter([b'{"answers": {}}', *(b" " * 1000 for _ in range(100))])
    response = ask(connection, "POST", JUDGE, pieces, {**key, "Transfer-Encoding": "chunked"}, encode_chunked=True)
    assert response.status == 200
    assert ask(connection, "GET", "/api/v1/chapters/").status == 200


def test_api_itself_answers_addresses_that_are_too_long(connection: HTTPConnection) -> None:
    for length in (5_000, 50_000):
        connection.request("GET", f"/api/v1/chapters/?on={'1' * length}")
        response = connection.getresponse()
        assert (response.status, json.load(response)["code"]) == (414, "address-too-long")


def test_other_answers_keep_the_connection_and_none_names_the_server(
    connection: HTTPConnection, casino: Organization
) -> None:
    key = {"Authorization": f"Bearer {made(casino).token}", "Content-Type": "application/json"}
    ask(connection, "GET", "/api/v1/chapters/")
    line = connection.sock
    for status, body, headers in ((401, b"{}", {}), (400, b"{", key), (200, b'{"answers": {}}' + b" " * 200_000, key)):
        response = ask(connection, "POST", JUDGE, body, headers)
        assert (response.status, response.getheader("Connection")) == (status, None)
    for method, address in (("GET", "/"), ("HEAD", "/static/portal/icon.svg"), ("GET", "/no/such/page/")):
        response = ask(connection, method, address)
        assert (response.getheader("Server"), response.getheader("Date") is None) == (None, False), address
    assert connection.sock is line


def test_head_requests_are_no_warning_in_the_log(portal: Running, connection: HTTPConnection) -> None:
    before = len(portal.log.read_text())
    for address in ("/", "/api/v1/chapters/", "/open-data/register.csv", "/static/portal/icon.svg", "/no/such/page/"):
        assert ask(connection, "HEAD", address).status in (200, 302, 404), address
    assert "WARNING waitress" not in portal.log.read_text()[before:]


@pytest.mark.parametrize("kind", KINDS)
def test_clients_that_keep_it_waiting_take_no_thread(portal: Running, kind: str) -> None:
    """Each is one of the connections that a process takes; its threads have time for the others."""
    taken = beside(portal.port, kind, 300, 2)
    for asked, times in taken.items():
        assert median(times) < 1, asked
        assert max(times) < LONGEST, asked


def test_what_was_read_is_answered_before_the_end_and_a_process_that_dies_is_replaced(
    pair: Running, casino: Organization
) -> None:
    token = made(casino, scopes=["read", "prepare"]).token
    key = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    (main,) = pair.named("web")
    first, second = pair.worker_children("web")
    os.kill(first.pid, signal.SIGKILL)
    until(lambda: {each.pid for each in pair.worker_children("web")} > {second.pid}, 10)
    with closing(HTTPConnection("127.0.0.1", pair.port, timeout=30)) as connection:
        with transaction.atomic():
            Organization.objects.update(name=F("name"))  # others that write wait for the end
            connection.request("POST", "/api/v1/submissions/", '{"chapter": "585"}', key)
            time.sleep(TAKEN)
            os.kill(main.pid, signal.SIGTERM)
            time.sleep(TAKEN)
        assert connection.getresponse().status == 201
    until(lambda: not alive(main.pid) and not alive(second.pid), 10)


def test_stream_that_nobody_reads_to_its_end_gives_its_place_back(portal: Running, connection: HTTPConnection) -> None:
    for _ in range(2 * THREADS):
        with closing(HTTPConnection("127.0.0.1", portal.port, timeout=30)) as other:
            other.request("GET", "/open-data/register.csv")
            other.getresponse().read(1)
    until(lambda: ask(connection, "GET", "/open-data/register.csv").status == 200, 10)


def test_scheme_is_believed_of_the_named_proxy_alone(connection: HTTPConnection, pair: Running) -> None:
    """Of another sender it is not even read."""
    no_scheme = {"X-Forwarded-Proto": "ftp"}
    assert ask(connection, "GET", "/api/v1/chapters/", headers=no_scheme).status == 400
    with closing(HTTPConnection("127.0.0.1", pair.port, timeout=30)) as other:
        assert ask(other, "GET", "/api/v1/chapters/", headers=no_scheme).status == 200


def test_known_etag_is_answered_without_a_body(connection: HTTPConnection) -> None:
    etag = ask(connection, "GET", "/api/v1/chapters/").getheader("ETag")
    assert ask(connection, "GET", "/api/v1/chapters/", headers={"If-None-Match": etag}).status == 304
    assert ask(connection, "GET", "/api/v1/chapters/").status == 200


def test_request_never_waits_while_another_process_has_a_free_thread(pair: Running, casino: Organization) -> None:
    """It would wait until the database takes what the others write."""
    token = made(casino, scopes=["read", "prepare"]).token
    key = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    for _ in range(10):
        with ExitStack() as stack:
            connections = [HTTPConnection("127.0.0.1", pair.port, timeout=30) for _ in range(2 * THREADS)]
            for connection in connections:
                stack.callback(connection.close)
            *writers, reader = connections
            with transaction.atomic():
                Organization.objects.update(name=F("name"))  # others that write wait for the end
                for writer in writers:
                    writer.request("POST", "/api/v1/submissions/", '{"chapter": "585"}', key)
                time.sleep(TAKEN)
                ask(reader, "GET", "/health/live")
                assert select([writer.sock for writer in writers], [], [], 0)[0] == []
            assert {writer.getresponse().status for writer in writers} == {201}
