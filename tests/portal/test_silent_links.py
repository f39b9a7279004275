"""A link that goes silent is given up in time, by both ends: no worker waits for ever, and no lock stays.

The relay drops every packet, as a cut cable does. Not here: whole machines behind such links (`make cluster`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import psycopg
import pytest
from celery import Celery
from django.db import InternalError, connection, transaction
from kombu.exceptions import OperationalError

from bench.cluster.machines import Relay, Relays
from portal import env
from portal.celery import app
from submissions.core.database_faults import is_database_away
from tests.portal.broker import redis_on_a_port
from tests.portal.running import database_url

pytestmark = pytest.mark.service("transactions", only=True)

GIVEN_UP = 20.0  # seconds, on a busy machine too
FOR_DJANGO = ("isolation_level", "server_side_binding")  # options that Django does not pass on to the driver
IDLE = "idle_in_transaction_session_timeout"
LOCK = "select pg_advisory_xact_lock(601)"


def on_postgresql(test: Callable[..., None]) -> Callable[..., None]:
    """SQLite has no links."""
    skip = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no links")
    return skip(pytest.mark.django_db(transaction=True)(test))


@pytest.fixture
def relays() -> Iterator[Relays]:
    with Relays().running() as running:
        yield running


def connected(port: int) -> psycopg.Connection[tuple[object, ...]]:
    """To the test's database through this port, with the portal's own options."""
    url = urlsplit(database_url())
    options = env.database(url.geturl())["OPTIONS"]
    assert isinstance(options, dict)
    given = {name: value for name, value in options.items() if name not in FOR_DJANGO}
    return psycopg.connect(
        host="127.0.0.1", port=port, user=url.username, password=connection.settings_dict["PASSWORD"],
        dbname=url.path[1:], **given,
    )  # fmt: skip


def linked(relays: Relays) -> tuple[Relay, psycopg.Connection[tuple[object, ...]]]:
    relay = relays.open(urlsplit(database_url()).port or 0)
    return relay, connected(relay.port)


@on_postgresql
def test_query_over_a_silent_link_fails(relays: Relays) -> None:
    relay, client = linked(relays)
    client.execute("select 1")
    relays.do(relay.silence())
    began = time.monotonic()
    with pytest.raises(psycopg.OperationalError):
        client.execute("select 1")
    assert time.monotonic() - began < GIVEN_UP


@on_postgresql
def test_lock_behind_a_silent_link_is_released(relays: Relays) -> None:
    relay, client = linked(relays)
    client.execute(LOCK)
    relays.do(relay.silence())
    with connected(urlsplit(database_url()).port or 0) as other:
        began = time.monotonic()
        other.execute(LOCK)
        assert time.monotonic() - began < GIVEN_UP
    with suppress(psycopg.Error):
        client.close()


@on_postgresql
def test_process_that_stands_still_within_a_transaction_loses_it() -> None:
    """Only the limit is asked for: `make cluster` waits for it."""
    with connected(urlsplit(database_url()).port or 0) as client:
        limit = client.execute("select setting::int, unit from pg_settings where name = %s", [IDLE]).fetchone()
    assert limit == (20_000, "ms")


def stand_still() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"set local {IDLE} = 100")
        time.sleep(0.5)
        cursor.execute("select 1")


@on_postgresql
def test_request_that_stood_still_within_a_transaction_is_to_be_made_again() -> None:
    with pytest.raises(InternalError) as ended:
        stand_still()
    connection.close()
    assert is_database_away(ended.value)
    assert not is_database_away(InternalError("another fault"))


def test_wake_up_over_a_silent_link_fails_soon(relays: Relays) -> None:
    with redis_on_a_port() as address:
        relay = relays.open(urlsplit(address).port or 0)
        options = dict(app.conf.broker_transport_options)
        sender = Celery("test", broker=f"redis://127.0.0.1:{relay.port}/0", set_as_current=False)
        sender.conf.broker_transport_options = options
        sender.send_task("none", queue="short", retry=False)
        relays.do(relay.silence())
        began = time.monotonic()
        with pytest.raises(OperationalError):
            sender.send_task("none", queue="short", retry=False)
        assert time.monotonic() - began < GIVEN_UP
        sender.close()
