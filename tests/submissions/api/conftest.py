"""Systems that call the portal: credentials of each organisation, and clients that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from games.rules.registry import folders
from submissions import analysis
from submissions.actions import credentials
from submissions.api import limits
from submissions.models import Organisation, Person, Role
from tests.conftest import person


@pytest.fixture(autouse=True)
def _memory_cache(settings: Any) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.SECOND_FACTOR = False
    cache.clear()


@pytest.fixture(autouse=True)
def _counts_anew() -> Iterator[None]:
    limits.start_anew()
    yield
    limits.start_anew()


def administrator(organisation: Organisation) -> Person:
    """Somebody who administers the organisation; the same one each time."""
    found = Person.objects.filter(organisation=organisation, administrator=True).first()
    if found is None:
        found = person(organisation, Role.READER, f"Administrator {organisation.slug}")
        found.administrator = True
        found.save()
    return found


def made(organisation: Organisation, *, scopes: Sequence[str] = ("read",), **given: Any) -> credentials.Made:
    wanted = {"name": "Nightly", "live": True, "expires_at": timezone.now() + timedelta(days=90), **given}
    return credentials.make(administrator(organisation), scopes=scopes, **wanted)


def system(token: str = "", **given: Any) -> Client:
    """A program that shows this credential; none, if it has none."""
    return Client(headers={"Authorization": f"Bearer {token}"} if token else None, **given)


@pytest.fixture
def somebody_computes(_memory_cache: None) -> None:
    """So that no thread begins to: figures are computed by the tests that are about them."""
    for number in folders():
        cache.set(f"{analysis._key(chapter_of(number))}:begun", True)
