"""The words of the paper, and the plot."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from submissions.charts import convergence_svg
from submissions.documents.evidence import percent
from submissions.documents.present import moment, present, side_by_side
from tests.submissions.documents import sample

POINTS = [(10**power, 0.05 + 0.01 / power, 0.02 / power) for power in range(3, 8)]


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
    assert [len(row) for row in side_by_side(tables)] == [2, 1, 1]


def test_percent_has_a_true_minus_and_four_digits() -> None:
    assert (percent(0.0102389), percent(-0.01)) == ("1.0239", "−1.0000")


def test_every_line_with_its_section_and_answer_is_presented() -> None:
    (configuration,) = present(sample.record())["configurations"]
    lines = [(line["section"], line["answer"]) for group in configuration["groups"] for line in group["lines"]]
    assert lines == [(citation.removeprefix("§ 687a"), answer) for _, citation, _, _, answer in sample.LINES]


def test_line_without_an_answer_says_so() -> None:
    record = sample.record()
    record["snapshot"]["configurations"][0]["lines"][0]["answer"] = ""
    (configuration,) = present(record)["configurations"]
    assert configuration["groups"][0]["lines"][0]["answer"] == "Not answered"


def test_evidence_puts_exact_and_simulated_side_by_side() -> None:
    evidence = present(sample.record())["configurations"][0]["evidence"]
    trips = evidence["rows"][1]
    assert (trips["name"], trips["exact"], trips["hold"], trips["z"], trips["p"]) == (
        "Trips Bonus Wager",
        "6.1570",
        "6.1669",
        "+0.10",
        "0.4130",
    )
    assert evidence["required"] == [
        {"name": "Ante, Blind and Raise", "per_ante": "3.4674", "per_total": "1.0240", "average": "3.3860"}
    ]
    assert len(evidence["plots"]) == 4


def test_dealers_steps_are_left_to_the_house_way() -> None:
    record = sample.record()
    record["simulations"][0]["analysis"]["wagers"][0]["strategy"].append(
        {"decision": "Dealer: split", "when": "two pair", "frequency_pct": 1.0}
    )
    record["snapshot"]["configurations"][0]["house_way"] = {"name": "Traditional", "rules": [["two pair", "split"]]}
    (play,) = present(record)["configurations"][0]["evidence"]["strategy"]
    assert [step["decision"] for step in play["steps"]] == ["Raise (2 × Ante)", "Fold"]


def test_plot_is_an_image_with_title_and_description() -> None:
    svg = ET.fromstring(convergence_svg(POINTS, 0.0515, name="Trips & more", key="a"))  # noqa: S314
    space = {"s": "http://www.w3.org/2000/svg"}
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "a-title a-desc"
    assert svg.findtext("s:desc", namespaces=space) == (
        "After 10,000,000 rounds the simulated hold is 5.1429 %, plus or minus 0.5600 % (95 % interval). "
        "The exact hold is 5.1500 %."
    )


def test_plot_stays_within_its_frame() -> None:
    svg = ET.fromstring(convergence_svg(POINTS, None, name="Trips", key="a"))  # noqa: S314
    band = svg.findall("{http://www.w3.org/2000/svg}path")[0].get("d", "")
    corners = [pair.split() for pair in band.strip("MZ ").split(" L")]
    assert all(46 <= float(x) <= 332 and 8 <= float(y) <= 124 for x, y in corners)


def test_plot_of_too_little_is_nothing() -> None:
    assert convergence_svg(POINTS[:1], 0.05, name="Trips", key="a") == ""


def test_plot_of_a_constant_is_drawn() -> None:
    assert "<svg" in convergence_svg([(10, 0.0, 0.0), (100, 0.0, 0.0)], 0.0, name="Trips", key="a")
