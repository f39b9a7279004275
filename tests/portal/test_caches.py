"""The portal's cache as it is set: limits of the sign-in outlast many other entries."""

from __future__ import annotations

import pytest
from allauth.core.internal import ratelimit
from django.core.cache import caches
from django.core.management import call_command
from django.test import RequestFactory

from portal import settings as portal_settings

RATES = {"login_failed": "5/5m/key"}
pytestmark = pytest.mark.django_db


def test_full_cache_keeps_attempts_and_used_codes() -> None:
    """With Django's 300 entries, each write above them threw away the counters, whose keys sort first."""
    assert portal_settings.CACHES["default"]["OPTIONS"]["MAX_ENTRIES"] >= 100_000
    call_command("createcachetable", verbosity=0)
    cache = caches["default"]
    request = RequestFactory().post("/accounts/login/")

    def attempt() -> bool:
        return bool(ratelimit.consume(request, app="account", action="login_failed", key="director", config=RATES))

    assert [attempt() for _ in range(7)] == [True] * 5 + [False] * 2
    assert cache.add("allauth.mfa.totp.used?code", "y", timeout=300)
    for number in range(1_000):
        cache.set(f"round:{number}", number, timeout=300)
    assert not attempt()
    assert not cache.add("allauth.mfa.totp.used?code", "y", timeout=300)
