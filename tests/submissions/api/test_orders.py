"""Orders, waivers and conditions in the API, and the member `waiver` of findings."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.filings.orders.order_entry import end_order
from submissions.models import Organization, Person
from tests.games.chapters.examples import example
from tests.submissions.api.clients import made, system
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import RULE, WITHOUT_RACK, chapter_order, waiver

DAY = timedelta(days=1)


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino).token)


def test_orders_are_listed_with_their_days_and_state(client: Client, director: Person) -> None:
    today = timezone.localdate()
    order = waiver(director, tables="3, 5-8")
    end_order(director, order, from_day=today + DAY, reason="The rack is there.")
    (row,) = client.get(reverse("api:orders")).json()["results"]
    expected = {
        "number": order.number, "kind": "waiver", "docket": "12-2026", "citation": "§ 686a.2(f)", "licensee": "east",
        "chapter": "686a", "tables": "3, 5-8", "option": "", "rule": RULE, "chapter_effect": "",
        "first_day": today.isoformat(), "last_day": today.isoformat(), "text": order.text, "receipt": None,
        "replaces": None, "replaced_by": None, "state": "in-effect",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    assert (row["end"]["outcome"], row["end"]["from_day"]) == ("ended", (today + DAY).isoformat())


def test_orders_are_those_that_the_caller_may_see(
    client: Client, director: Person, other_casino: Organization, board: Organization
) -> None:
    own, west, of_all = waiver(director), waiver(director, licensee="west"), waiver(director, licensee="")
    callers = {"east": client, "west": system(made(other_casino).token), "board": system(made(board).token)}
    seen = {
        who: {row["number"] for row in caller.get(reverse("api:orders")).json()["results"]}
        for who, caller in callers.items()
    }
    assert seen == {
        "east": {own.number, of_all.number},
        "west": {west.number, of_all.number},
        "board": {own.number, west.number, of_all.number},
    }


def test_orders_are_narrowed_by_kind_and_chapter(client: Client, director: Person) -> None:
    waiver(director)
    found = [
        len(client.get(reverse("api:orders"), query).json()["results"])
        for query in ({"kind": "waiver", "chapter": "686a"}, {"kind": "order"}, {"chapter": "581"})
    ]
    assert found == [1, 0, 0]
    assert client.get(reverse("api:orders"), {"kind": "decree"}).json()["code"] == "unknown-kind"


def test_finding_names_its_waiver(client: Client, manager: Person, director: Person) -> None:
    submission = ready_to_file(manager, "686a")
    change(manager, submission, WITHOUT_RACK)
    address = reverse("api:findings", args=[submission.number])

    def of_rule() -> dict[str, object]:
        return next(row for row in client.get(address).json()["results"] if row["rule"] == RULE)

    before = of_rule()
    assert (before["severity"], before["waiver"]) == ("blocking", None)
    order = waiver(director)
    after = of_rule()
    assert (after["severity"], after["waiver"]["number"], after["waiver"]["last_day"]) == (
        "warning",
        order.number,
        None,
    )


def test_answers_are_judged_with_the_callers_waivers(
    client: Client, director: Person, other_casino: Organization
) -> None:
    waiver(director)
    answers = {"answers": {**example("686a"), **WITHOUT_RACK}}
    address = reverse("api:judge", args=["686a"])
    counts = [
        caller.post(address, answers, content_type="application/json").json()["blocking"]
        for caller in (client, system(made(other_casino).token))
    ]
    assert counts[1] - counts[0] == 1


def test_version_of_a_chapter_that_ended_says_so(manager: Person, analyst: Person, director: Person) -> None:
    today = timezone.localdate()
    Cast(manager, analyst, director, computes=False).version("581")
    chapter_order(director, "581", last_day=today + DAY)
    days = [today + number * DAY for number in (1, 2)]
    addresses = (reverse("api:in-force-game", args=["east", "581"]), reverse("api:in-force"))
    found = [[Client().get(address, {"on": day.isoformat()}).json() for day in days] for address in addresses]
    (single, listed) = found
    ended = (today + DAY).isoformat()
    assert [row["chapter_ended"] for row in single] == [None, ended]
    assert [row["results"][0]["chapter_ended"] for row in listed] == [None, ended]
