"""A real browser at a real server: Chromium; axe looks at every page that is visited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connections
from playwright.sync_api import Browser, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.desk import Desk

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--js-flags=--no-turbofan --no-maglev",  # no page is open long enough for optimized code to pay
)  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests. While its event loop runs, Django opens a second connection to the database.

    The first one is closed, so that no later test finds the database in use.
    """
    connections.close_all()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        yield browser
        browser.close()
        connections.close_all()


@pytest.fixture(autouse=True)
def _quick(settings: object) -> None:
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()  # nobody starts with the attempts of the test before
    settings.SIMULATION_ROUNDS = 2_000_000  # with fewer, one royal flush can look like a fault


@pytest.fixture
def desk(chromium: Browser, live_server: LiveServer) -> Iterator[Desk]:
    desk = Desk(chromium, live_server)
    yield desk
    for context in desk.contexts:
        context.close()
