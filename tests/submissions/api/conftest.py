"""Systems that call the portal: credentials of each organization, and clients that show them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.test import override_settings
from redis import Redis

from tests import cast
from tests.portal.broker import redis_server
from tests.submissions.api.world import World, build


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


@pytest.fixture(scope="module")
def built_world(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world for a module whose tests all expect its rows."""
    folder: Path = tmp_path_factory.mktemp("checkpoints")
    with override_settings(CHECKPOINTS=folder, SECOND_FACTOR=False):
        return build(cast.manager(), cast.analyst())


@pytest.fixture
def world(built_world: World, db: None) -> World:
    """A copy for each test: a test may change the objects. What it changes in the database is undone after it."""
    return copy.deepcopy(built_world)
