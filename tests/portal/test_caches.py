"""The portal's cache as it is set: limits of the sign-in outlast many other entries."""

from __future__ import annotations

import base64
import json
import pickle
import time
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import pytest
from allauth.core.internal import ratelimit
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.conf import settings as django_settings
from django.core.cache import caches
from django.core.signing import JSONSerializer
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from portal import settings as portal_settings
from portal.celery import app
from portal.storage import CounterCache
from submissions.filings.evidence import computations
from submissions.models import CachedValue, Computation, Job, Person
from tests.cast import PASSWORD

RATES = {"login_failed": "5/5m/key"}
SIZE = 100_000  # entries; of the counters' cache
OWN_MEMORY = ("django.core.cache.backends.locmem.LocMemCache",)  # reads only what the same process wrote
pytestmark = [pytest.mark.django_db, pytest.mark.service("transactions")]


def attempt() -> bool:
    """Whether one more attempt to sign in would be looked at."""
    request = RequestFactory().post("/accounts/login/")
    return bool(ratelimit.consume(request, app="account", action="login_failed", key="director", config=RATES))


@pytest.fixture
def _counted() -> None:
    assert [attempt() for _ in range(7)] == [True] * 5 + [False] * 2


class Bomb:
    """Creates the file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_nothing_shared_is_pickled() -> None:
    """Caches, sessions and messages of the broker. Who can write to them must not run code in a process."""
    assert {cache["BACKEND"] for cache in portal_settings.CACHES.values()} - {*OWN_MEMORY} == {
        "portal.storage.CounterCache"
    }
    assert import_module(django_settings.SESSION_ENGINE).SessionStore().serializer is JSONSerializer
    conf = app.conf
    assert {conf.task_serializer, conf.result_serializer, conf.event_serializer} == {"json"}
    assert {*conf.accept_content, *(conf.result_accept_content or ())} == {"json"}


def test_rows_that_are_no_numbers_run_nothing_and_the_attempts_are_counted(
    client: Client, director: Person, tmp_path: Path
) -> None:
    """With Django's database cache, a person who could write one row ran code at the next attempt to sign in."""
    ran = tmp_path / "ran"
    bomb = pickle.dumps(Bomb(ran))
    pickle.loads(bomb)  # noqa: S301  it works
    ran.unlink()
    form = {"login": director.email, "password": "not the passphrase"}
    client.post("/accounts/login/", form)
    keys = set(CachedValue.objects.values_list("key", flat=True))
    assert len(keys) > 5
    encoded = base64.b64encode(bomb).decode()
    for value in (encoded, json.dumps(encoded), bomb.decode("latin-1").replace("\0", ""), "[" * 100_000, '{"a": 1}'):
        CachedValue.objects.update(value=value, expires_at=timezone.now() + timedelta(days=1))
        assert client.post("/accounts/login/", form).status_code == 200
        assert not ran.exists()
        assert set(CachedValue.objects.values_list("key", flat=True)) == keys
        assert {len(json.loads(row.value)) for row in CachedValue.objects.all()} == {1}
    for _ in range(6):
        refused = client.post("/accounts/login/", form)
    assert "Too many" in refused.content.decode()


def test_cache_of_numbers_does_what_a_cache_does() -> None:
    cache = caches["default"]
    for value in (True, 7, 0.1, [1_789_000_000.123456, 2], []):
        cache.set("key", value, timeout=60)
        assert cache.get("key") == value
    assert not cache.add("key", 2)
    assert cache.touch("key", timeout=60)
    assert cache.delete("key")
    assert [cache.get("key", "none"), cache.touch("key"), cache.delete("key")] == ["none", False, False]
    cache.set("key", 1, timeout=0)
    assert [cache.get("key"), cache.add("key", 2, timeout=60), cache.get("key")] == [None, True, 2]
    cache.set("forever", 3, timeout=None)
    assert cache.get("forever") == 3
    for other in ("text", {"a": 1}, None, ["1"]):
        with pytest.raises(TypeError):
            cache.set("key", other)
    cache.clear()
    assert not CachedValue.objects.exists()


def test_code_of_an_authenticator_app_signs_in_once(director: Person) -> None:
    """With the cache of the settings: other tests of pages have one in memory, which takes any value."""
    secret = generate_totp_secret()
    TOTP.activate(director, secret)
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))

    def answer(client: Client) -> int:
        client.post("/accounts/login/", {"login": director.email, "password": PASSWORD})
        return client.post("/accounts/2fa/authenticate/", {"code": code}).status_code

    assert [answer(Client()), answer(Client())] == [302, 200]


def test_full_cache_keeps_attempts_and_used_codes() -> None:
    """With Django's 300 entries, each write above them threw away the counters, whose keys sort first."""
    assert portal_settings.CACHES["default"]["OPTIONS"]["MAX_ENTRIES"] >= SIZE
    cache = caches["default"]
    assert [attempt() for _ in range(7)] == [True] * 5 + [False] * 2
    assert cache.add("allauth.mfa.totp.used?code", "y", timeout=300)  # as allauth marks it
    for number in range(400):
        cache.set(f"round:{number}", number, timeout=300)
    assert not attempt()
    assert not cache.add("allauth.mfa.totp.used?code", "y", timeout=300)


def with_room_for(entries: int, cache: str) -> dict[str, dict[str, object]]:
    """The caches of the settings, one of them smaller, and with nothing in it that others put into memory."""
    small = {"LOCATION": "small", "OPTIONS": {"MAX_ENTRIES": entries}}
    return django_settings.CACHES | {cache: portal_settings.CACHES[cache] | small}


@pytest.mark.usefixtures("_counted")
def test_counters_of_past_days_beyond_the_size_go_before_those_that_count(settings: Settings) -> None:
    settings.CACHES = with_room_for(1_000, "default")
    over = timezone.now() - timedelta(days=1)
    rows = (CachedValue(key=f":1:allauth.past:{number}", value="1", expires_at=over) for number in range(1_000))
    CachedValue.objects.bulk_create(rows)
    caches["default"].set("one-more", 1, timeout=300)
    assert CachedValue.objects.count() < 10
    assert not attempt()


def test_above_the_size_those_that_expire_first_go() -> None:
    cache = CounterCache("", {"OPTIONS": {"MAX_ENTRIES": 9}})
    for number in range(10):
        cache.set(str(number), number, timeout=1_000 - number)
    assert [number for number in range(10) if cache.get(str(number)) is not None] == [0, 1, 2, 3, 4, 5]


@pytest.mark.usefixtures("_counted")
def test_pages_and_figures_beyond_the_size_of_their_stores_leave_the_counters(
    client: Client, settings: Settings
) -> None:
    """Pages have a cache of their own, figures are rows: neither is ever in the counters' cache."""
    most = 20
    settings.CACHES = with_room_for(most, "pages")
    for number in range(most + 20):
        assert client.get(f"/register/?page={number + 1}&full").status_code in (200, 404)
        computations.stored_result(Job.Kind.ANALYZE, f"figures {number}", {})
    assert 0 < len(caches["pages"]._cache) <= most
    assert Computation.objects.count() == most + 20
    assert not CachedValue.objects.exclude(key__contains="allauth").exists()
    assert not attempt()
