"""How often one may call: a refused request is counted too, and the headers say how many are left."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from submissions.api.framework.authentication import RequestThrottle
from submissions.models import Organization
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused

pytestmark = pytest.mark.service("broker")

ADDRESS = "/api/v1/submissions/"
NOW = 1_000 * 60 + 49.6  # seconds; 10.4 are left of this minute
WRONG = f"rsp_live_{'0' * 12}_{'0' * 64}"


@pytest.fixture(autouse=True)
def _within_one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RequestThrottle, "timer", lambda _: NOW)


@pytest.mark.parametrize(("token", "code"), [("", "credential-missing"), (WRONG, "credential-wrong")])
def test_who_is_not_recognised_is_counted_by_address(
    casino: Organization, monkeypatch: pytest.MonkeyPatch, token: str, code: str
) -> None:
    monkeypatch.setitem(RequestThrottle.THROTTLE_RATES, "address", "2/minute")
    answers = [system(token).get(ADDRESS) for _ in range(3)]
    assert [answer["RateLimit"].split(";t=")[0] for answer in answers] == [f'"minute";r={left}' for left in (1, 0, 0)]
    refused(answers[1], 401, code)
    refused(answers[2], 429, "too-many-requests")
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert system(token, REMOTE_ADDR="192.0.2.9").get(ADDRESS).status_code == 401
    assert system(made(casino).token).get(ADDRESS).status_code == 200  # another program at the same address


def test_who_lacks_the_scope_is_counted(casino: Organization, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RequestThrottle.THROTTLE_RATES, "credential", "1/minute")
    client = system(made(casino, scopes=["prepare"]).token)
    first, second = client.get(ADDRESS), client.get(ADDRESS)
    refused(first, 403, "scope-missing")
    assert first["RateLimit-Policy"] == '"minute";q=1;w=60'
    refused(second, 429, "too-many-requests")


def test_next_minute_begins_after_the_seconds_in_retry_after(
    casino: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = NOW
    monkeypatch.setattr(RequestThrottle, "timer", lambda _: now)
    monkeypatch.setitem(RequestThrottle.THROTTLE_RATES, "credential", "1/minute")
    client = system(made(casino).token)
    assert client.get(ADDRESS).status_code == 200
    over = client.get(ADDRESS)
    assert (over.status_code, over["Retry-After"]) == (429, "11")
    now += int(over["Retry-After"])
    assert client.get(ADDRESS).status_code == 200


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere.sock"])
def test_requests_are_answered_while_redis_is_away(casino: Organization, settings: Any, url: str) -> None:
    settings.THROTTLE_URL = url
    assert system(made(casino).token).get(ADDRESS).status_code == 200


def test_counts_do_not_stay(casino: Organization, counts: Redis) -> None:
    for _ in range(2):
        system(made(casino).token).get(ADDRESS)
    assert [60 < counts.ttl(key) <= 120 for key in counts.scan_iter()] == [True, True]  # seconds; two credentials
