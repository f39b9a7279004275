"""What gunicorn itself adds to the portal's responses: asked over a socket, as a client does."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.portal.running import running

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def connection() -> Iterator[HTTPConnection]:
    """A connection to a running portal, which the client keeps as long as the server says it may."""
    with running(PORTAL_WEB_PROCESSES="1") as portal:
        connection = HTTPConnection("127.0.0.1", portal.port, timeout=30)
        yield connection
        connection.close()


def test_no_response_names_the_server(connection: HTTPConnection) -> None:
    for method, address in (("GET", "/"), ("HEAD", "/static/portal/icon.svg"), ("GET", "/no/such/page/")):
        connection.request(method, address)
        response = connection.getresponse()
        response.read()
        assert (response.getheader("Server"), response.getheader("Date") is None) == (None, False), address
