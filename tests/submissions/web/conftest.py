"""Browsers without a browser: signed-in test clients, a draft, a complete draft, a filing, and the worker's work.

A client's pages are compact: how the templates are laid out in lines is nothing that a test looks at.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache

from submissions.filings import drafts
from submissions.models import Person, Submission
from tests import cast
from tests.submissions.web.clients import file_complete


@pytest.fixture(autouse=True)
def _memory_cache(settings: object) -> None:
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    named = {name: memory | {"LOCATION": name} for name in settings.CACHES}
    settings.CACHES = {**named, "pages": settings.CACHES["pages"]}
    cache.clear()  # nobody starts with the attempts of the test before
    settings.SIMULATION_ROUNDS = 2_000_000  # with fewer, one royal flush can look like a fault


@pytest.fixture
def draft(preparer: Person) -> Submission:
    return drafts.start_submission(preparer, "686a")


@pytest.fixture
def filed(preparer: Person, manager: Person) -> Submission:
    return file_complete(preparer, manager)


@pytest.fixture(scope="module")
def filed_of_module(module_rows: None) -> Submission:
    """A filing for all tests of a module; one that changes it changes its own savepoint."""
    return file_complete(cast.preparer(), cast.manager())
