"""The web of a portal without its workers, for tests in which no job runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.portal.broker import redis_on_a_port
from tests.portal.running import Running, running


@contextmanager
def web_running(processes: int) -> Iterator[Running]:
    with (
        redis_on_a_port() as broker,
        running("--only", "web", REDIS_URL=broker, PORTAL_WEB_PROCESSES=str(processes)) as portal,
    ):
        yield portal
