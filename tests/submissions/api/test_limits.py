"""How often one may call: whoever is refused is counted too, and is told where they stand."""

from __future__ import annotations

import pytest

from submissions.api import limits
from submissions.models import Organisation
from tests.submissions.api.conftest import made, system
from tests.submissions.api.test_problems import refused

ADDRESS = "/api/v1/submissions/"
WRONG = f"rsp_live_{'0' * 12}_{'0' * 64}"


@pytest.mark.parametrize(("token", "code"), [("", "credential-missing"), (WRONG, "credential-wrong")])
def test_who_is_not_recognised_is_counted_by_address(
    casino: Organisation, monkeypatch: pytest.MonkeyPatch, token: str, code: str
) -> None:
    monkeypatch.setattr(limits, "WITHOUT", 2)
    answers = [system(token).get(ADDRESS) for _ in range(3)]
    assert [answer["RateLimit"].split(";t=")[0] for answer in answers] == [f'"minute";r={left}' for left in (1, 0, 0)]
    refused(answers[1], 401, code)
    refused(answers[2], 429, "too-many-requests")
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert system(token, REMOTE_ADDR="192.0.2.9").get(ADDRESS).status_code == 401
    assert system(made(casino).token).get(ADDRESS).status_code == 200  # another program at the same address


def test_who_lacks_the_scope_is_counted(casino: Organisation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WITH_CREDENTIAL", 1)
    client = system(made(casino, scopes=["prepare"]).token)
    first, second = client.get(ADDRESS), client.get(ADDRESS)
    refused(first, 403, "scope-missing")
    assert first["RateLimit-Policy"] == '"minute";q=1;w=60'
    refused(second, 429, "too-many-requests")


def test_after_the_time_that_is_told_the_next_minute_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    limits.count("caller", 1)
    now += 49.6
    over = limits.count("caller", 1)
    assert (over.over, over.ends) == (True, 11)
    now += over.ends
    assert not limits.count("caller", 1).over
