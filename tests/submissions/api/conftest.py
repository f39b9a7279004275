"""Systems that call the portal: credentials of each organization, and clients that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from redis import Redis

from submissions.accounts import api_credentials
from submissions.models import Organization, Person, Role
from tests.conftest import person
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


def administrator(organization: Organization) -> Person:
    """A person who administers the organization; the same one each time."""
    found = Person.objects.filter(organization=organization, administrator=True).first()
    if found is None:
        found = person(organization, Role.READER, f"Administrator {organization.slug}")
        found.administrator = True
        found.save()
    return found


def made(
    organization: Organization, *, scopes: Sequence[str] = ("read",), **given: Any
) -> api_credentials.IssuedCredential:
    wanted = {"name": "Nightly", "live": True, "expires_at": timezone.now() + timedelta(days=90), **given}
    return api_credentials.issue_credential(administrator(organization), scopes=scopes, **wanted)


def system(token: str = "", **given: Any) -> Client:
    """A program that shows this credential; none, if it has none."""
    return Client(headers={"Authorization": f"Bearer {token}"} if token else None, **given)
