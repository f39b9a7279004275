"""Dry judgment: findings and holds of what is sent, and nothing is kept. That all doors agree: `test_same_words`."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.registry import chapter as chapter_of
from submissions.filings.evidence import computations
from submissions.models import Event, Organization, Submission
from tests.games.chapters.examples import example
from tests.submissions.api.clients import made, system


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino).token)


def judged(client: Client, number: str, answers: dict[str, Any], query: str = "?fields=findings,asked") -> Any:
    body = {"answers": answers}
    answer = client.post(f"/api/v1/chapters/{number}/judge/{query}", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_answer_that_another_rules_out_is_kept_and_blocks(client: Client) -> None:
    answers = {**example("687a"), "trips_bonus_wager": False, "trips_paytable": "X-99", "no_such_line": 3}
    told = judged(client, "687a", answers, "?fields=findings,unused,blocking")
    assert told["unused"] == ["trips_paytable"]
    assert [(one["rule"], one["severity"]) for one in told["findings"]] == [
        ("687a.paytable-without-wager", "blocking"),
        ("687a.unknown-option", "blocking"),
        ("687a.chapter-not-final", "warning"),
    ]
    assert told["blocking"] == 2


def test_holds_are_the_exact_ones_of_the_kept_figures(client: Client) -> None:
    chapter = chapter_of("585")
    computed = computations.compute_figures(chapter)
    told = judged(client, "585", example("585"), "")
    assert (told["computing"], told["rules_digest"], told["blocking"]) == (False, chapter.digest, 0)
    holds = {(row["wager"], row["spot"]): row["hold_fraction"] for row in told["holds"]}
    assert holds
    assert holds == {
        (row.wager, row.spot): str(row.hold) for row in computed.values() if row.paytable in told["paytables"].values()
        or not row.paytable
    }  # fmt: skip


def test_what_is_not_computed_yet_says_so(client: Client) -> None:
    told = judged(client, "585", example("585"), "?fields=computing,holds")
    assert told == {"computing": True, "holds": []}


def test_nothing_is_kept(client: Client) -> None:
    events = Event.objects.count()
    judged(client, "687a", example("687a"), "?fields=blocking")
    assert (Submission.objects.count(), Event.objects.count()) == (0, events)


@pytest.mark.parametrize("answer", [[], {"a": [1]}, "x" * 100_000, 10**300, "1E+999999999", -0.5, "\u202e\u0000"])
def test_odd_answers_are_findings_not_faults(client: Client, answer: object) -> None:
    chapter = chapter_of("687a")
    answers = {option.key: answer for option in chapter.options} | {"no_such_line": answer}
    told = judged(client, "687a", answers)["findings"]
    assert "687a.unknown-option" in {one["rule"] for one in told}
    assert len(told) > len(chapter.options) / 3
