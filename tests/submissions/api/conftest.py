"""Systems that call the portal: credentials of each organization, and clients that show them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from redis import Redis

from tests.portal.broker import redis_server


@pytest.fixture(scope="session")
def counts() -> Iterator[Redis]:
    """Where requests are counted."""
    with redis_server() as socket:
        yield Redis.from_url(f"unix://{socket}")


@pytest.fixture(autouse=True)
def _nothing_counted_nor_cached(settings: Any, counts: Redis) -> None:
    counts.flushdb()
    settings.THROTTLE_URL = f"unix://{counts.get_connection_kwargs()['path']}"
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    caches["default"].clear()
    settings.SECOND_FACTOR = False
