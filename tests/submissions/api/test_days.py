"""Days at the API: the version in effect and the rules that judge, on the last day before a change and on its first."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from submissions.models import Organization, Person
from tests.games.chapters.examples import example
from tests.submissions.api.clients import made, system
from tests.submissions.approved import Cast
from tests.submissions.workbench.steps import first_day, head, published

RESET = '[[requirement]]\nid = "progressive-reset-minimum"\nmust = { progressive_reset = { at_least = 50000 } }\n'


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def judged(client: Client, day: date | None) -> Any:
    address = f"/api/v1/chapters/588/judge/{f'?on={day}' if day else ''}"
    answer = client.post(address, {"answers": example("588")}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_answers_are_judged_by_the_rules_of_the_day_named(cast: Cast, casino: Organization) -> None:
    """Chapter 588: from the day on a meter is reset to at least $50,000; the example's is below."""
    published(cast.analyst, cast.director, head("588") + RESET)
    client = system(made(casino).token)
    day, before = first_day(), first_day() - timedelta(days=1)
    old, new = judged(client, before), judged(client, day)
    assert (old["on"], new["on"]) == (before.isoformat(), day.isoformat())
    assert (old["blocking"], new["blocking"]) == (0, 1)
    assert old["rules_digest"] != new["rules_digest"]
    (finding,) = (row for row in new["findings"] if row["severity"] == "blocking")
    assert (finding["rule"], finding["citation"]) == ("588.progressive-reset-minimum", "§ 588.12(d)(2)")
    assert judged(client, None)["rules_digest"] == old["rules_digest"]  # today


def test_in_force_changes_on_the_first_day_of_the_next_version(cast: Cast) -> None:
    revision = cast.version("687a", trips_paytable="DJWT-05")
    day = first_day()
    amended = cast.amend(revision.submission, day, trips_paytable="DJWT-04")
    for on, receipt in ((day - timedelta(days=1), revision.receipt), (day, amended.receipt)):
        (row,) = system().get(f"/api/v1/in-force/?on={on}").json()["results"]
        assert row["receipt"] == receipt
        game = system().get(f"/api/v1/in-force/east/687a/?on={on}").json()
        assert game["receipt"] == receipt


@pytest.mark.parametrize(
    ("midnight", "day"),
    [
        (datetime(2027, 3, 14, 5, tzinfo=UTC), date(2027, 3, 14)),  # the night before the clocks go forward: EST
        (datetime(2027, 3, 15, 4, tzinfo=UTC), date(2027, 3, 15)),  # the night after: EDT
        (datetime(2027, 11, 7, 4, tzinfo=UTC), date(2027, 11, 7)),  # the night before they go back: EDT
        (datetime(2027, 11, 8, 5, tzinfo=UTC), date(2027, 11, 8)),  # the night after: EST
    ],
)
def test_day_without_a_name_begins_at_midnight_in_eastern_time(
    casino: Organization, midnight: datetime, day: date
) -> None:
    with time_machine.travel(midnight - timedelta(days=10), tick=False):
        client = system(made(casino).token)
    second = timedelta(seconds=1)
    for moment, today in ((midnight - second, day - timedelta(days=1)), (midnight, day)):
        with time_machine.travel(moment, tick=False):
            assert judged(client, None)["on"] == today.isoformat()
