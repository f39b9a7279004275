"""The words of the paper."""

from __future__ import annotations

import pytest

from submissions.documents.context import document_context, in_pairs, moment
from submissions.documents.number_format import percent
from tests.submissions.documents import sample


@pytest.mark.parametrize(
    ("iso", "words"),
    [
        ("2026-11-20T09:14:00-05:00", "November 20, 2026, 9:14 a.m. EST"),
        ("2026-07-01T14:00:00-04:00", "July 1, 2026, 2:00 p.m. EDT"),
        ("2026-07-01T00:30:00+00:00", "July 1, 2026, 12:30 a.m. UTC+0000"),
    ],
)
def test_moment_is_said_in_the_zone_that_was_frozen(iso: str, words: str) -> None:
    assert moment(iso) == words


def test_narrow_paytables_stand_in_pairs_and_wide_ones_alone() -> None:
    tables = [{"wide": False}, {"wide": False}, {"wide": True}, {"wide": False}]
    assert [len(row) for row in in_pairs(tables)] == [2, 1, 1]


def test_percent_has_a_true_minus_and_four_digits() -> None:
    assert (percent(0.0102389), percent(-0.01)) == ("1.0239", "−1.0000")


def test_every_line_with_its_section_and_answer_is_presented() -> None:
    (configuration,) = document_context(sample.record())["configurations"]
    lines = [(line["section"], line["answer"]) for group in configuration["groups"] for line in group["lines"]]
    assert lines == [(citation.removeprefix("§ 687a"), answer) for _, citation, _, _, answer in sample.LINES]


def test_line_without_an_answer_says_so() -> None:
    record = sample.record()
    record["snapshot"]["configurations"][0]["lines"][0]["answer"] = ""
    (configuration,) = document_context(record)["configurations"]
    assert configuration["groups"][0]["lines"][0]["answer"] == "Not answered"


def test_evidence_puts_exact_and_simulated_in_pairs() -> None:
    evidence = document_context(sample.record())["configurations"][0]["evidence"]
    trips = evidence["rows"][1]
    assert (trips["name"], trips["exact"], trips["hold"], trips["z"], trips["p"]) == (
        "Trips Bonus Wager",
        "6.1570",
        "6.1669",
        "+0.10",
        "0.4130",
    )
    assert evidence["required"] == [
        {
            "name": "Ante, Blind and Raise",
            "per_ante": "3.4674",
            "per_initial": "–",
            "per_total": "1.0240",
            "average": "3.3860",
        }
    ]


def test_dealers_steps_are_left_to_the_house_way() -> None:
    record = sample.record()
    record["simulations"][0]["analysis"]["wagers"][0]["strategy"].append(
        {"decision": "Dealer: split", "when": "two pair", "frequency_pct": 1.0}
    )
    record["snapshot"]["configurations"][0]["house_way"] = {"name": "Traditional", "rules": [["two pair", "split"]]}
    group, *_ = document_context(record)["configurations"][0]["evidence"]["wagers"]
    assert [step["decision"] for step in group["parts"][0]["steps"]] == ["Raise (2 × Ante)", "Fold"]
