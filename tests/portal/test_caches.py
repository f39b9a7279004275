"""The portal's cache as it is set: limits of the sign-in outlast many other entries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.core.internal import ratelimit
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from portal import settings as portal_settings
from submissions.evidence import computations
from submissions.models import Computation, Job

RATES = {"login_failed": "5/5m/key"}
SIZE = 100_000  # entries; of the counters' cache
pytestmark = pytest.mark.django_db


def attempt() -> bool:
    """Whether one more attempt to sign in would be looked at."""
    request = RequestFactory().post("/accounts/login/")
    return bool(ratelimit.consume(request, app="account", action="login_failed", key="director", config=RATES))


@pytest.fixture
def _counted() -> None:
    call_command("createcachetable", verbosity=0)
    assert [attempt() for _ in range(7)] == [True] * 5 + [False] * 2


def test_full_cache_keeps_attempts_and_used_codes() -> None:
    """With Django's 300 entries, each write above them threw away the counters, whose keys sort first."""
    assert portal_settings.CACHES["default"]["OPTIONS"]["MAX_ENTRIES"] >= SIZE
    call_command("createcachetable", verbosity=0)
    cache = caches["default"]
    assert [attempt() for _ in range(7)] == [True] * 5 + [False] * 2
    assert cache.add("allauth.mfa.totp.used?code", "y", timeout=300)
    for number in range(1_000):
        cache.set(f"round:{number}", number, timeout=300)
    assert not attempt()
    assert not cache.add("allauth.mfa.totp.used?code", "y", timeout=300)


@pytest.mark.usefixtures("_counted")
def test_counters_of_past_days_beyond_the_size_go_before_those_that_count() -> None:
    over = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0) - timedelta(days=1))
    rows = [(f":1:allauth.past:{number}", "", over) for number in range(SIZE)]
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO portal_cache (cache_key, value, expires) VALUES (%s, %s, %s)", rows)
    caches["default"].set("one-more", 1, timeout=300)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM portal_cache")
        assert cursor.fetchone()[0] < 10
    assert not attempt()


@pytest.mark.usefixtures("_counted")
def test_pages_and_figures_beyond_the_size_of_their_stores_leave_the_counters(
    client: Client, settings: Settings
) -> None:
    """Pages have a cache of their own, figures are rows: neither is ever in the counters' cache."""
    pages = portal_settings.CACHES["pages"]
    settings.CACHES = settings.CACHES | {"pages": pages | {"LOCATION": "full"}}
    most = pages["OPTIONS"]["MAX_ENTRIES"]
    for number in range(most + 20):
        assert client.get(f"/register/?page={number + 1}&full").status_code in (200, 404)
        computations.stored_result(Job.Kind.ANALYZE, f"figures {number}", {})
    assert 0 < len(caches["pages"]._cache) <= most
    assert Computation.objects.count() == most + 20
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM portal_cache")
        assert [key for (key,) in cursor.fetchall() if "allauth" not in key] == []
    assert not attempt()
