"""Browsers without a browser: signed-in test clients, a draft, a complete draft, a filing, and the worker's work.

A client's pages are compact: how the templates are laid out in lines is nothing that a test looks at.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache

from submissions.filings import drafts, filing
from submissions.models import Person, Submission
from tests.submissions.web.clients import complete


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
    submission = complete(preparer)
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission
