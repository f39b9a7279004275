"""The plots: images with a title and a description, within their frame, true to their numbers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.statistics import spreads
from submissions.filings.evidence.charts import convergence_svg, returns_svg, spread_svg

POINTS = [(10**power, 0.05 + 0.01 / power, 0.02 / power) for power in range(3, 8)]
COIN = WagerAnalysis(
    "coin",
    "",
    "exact",
    (
        OutcomeRow("Heads", Fraction(45, 100), Fraction(1)),
        OutcomeRow("Tails", Fraction(55, 100), Fraction(-1)),
    ),
    Fraction(1, 10),
    Fraction(9, 20),
    1.0,
    Fraction(1),
)
SPACE = {"s": "http://www.w3.org/2000/svg"}


def drawn(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314


def test_convergence_is_an_image_with_title_and_description() -> None:
    svg = drawn(convergence_svg(POINTS, 0.0515, name="Trips & more", key="a"))
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "a-title a-desc"
    assert " ".join(svg.findtext("s:desc", "", namespaces=SPACE).split()) == (
        "After 10,000,000 rounds the simulated hold is 5.1429 %, plus or minus 0.5600 % (95 % interval). "
        "The exact hold is 5.1500 %."
    )


def test_convergence_stays_within_its_frame() -> None:
    svg = drawn(convergence_svg(POINTS, None, name="Trips", key="a"))
    band = svg.findall("s:path", SPACE)[0].get("d", "")
    corners = [pair.split() for pair in band.strip("MZ ").split(" L")]
    assert all(46 <= float(x) <= 332 and 8 <= float(y) <= 124 for x, y in corners)


def test_convergence_of_too_little_is_nothing() -> None:
    assert convergence_svg(POINTS[:1], 0.05, name="Trips", key="a") == ""


def test_convergence_of_a_constant_is_drawn() -> None:
    assert "<svg" in convergence_svg([(10, 0.0, 0.0), (100, 0.0, 0.0)], 0.0, name="Trips", key="a")


def test_returns_stand_in_order_and_add_up_in_words() -> None:
    shares = [("Lost", 0.0), ("Pair", 0.4), ("Flush", 0.53)]
    svg = drawn(returns_svg(shares, name="Trips", key="a"))
    assert [text.text for text in svg.findall("s:text", SPACE)] == ["Flush", "53.000 %", "Pair", "40.000 %"]
    widths = [float(bar.get("width", "")) for bar in svg.findall("s:rect", SPACE)]
    assert widths[1] / widths[0] == pytest.approx(0.4 / 0.53, abs=0.001)
    told = svg.findtext("s:desc", namespaces=SPACE) or ""
    assert told.startswith("The payback is 93.0000 % of all money wagered. The hold is 7.0000 %.")


def test_returns_of_many_outcomes_put_the_least_together() -> None:
    svg = drawn(returns_svg([(f"Outcome {place}", 0.01) for place in range(30)], name="Trips", key="a"))
    words = [text.text for text in svg.findall("s:text", SPACE)]
    assert words[-2:] == ["21 other outcomes", "21.000 %"]
    assert len(words) == 20


def test_returns_of_nothing_are_nothing() -> None:
    assert returns_svg([("Lost", 0.0)], name="Trips", key="a") == ""


@pytest.mark.parametrize("place", [0, 1])
def test_spread_lies_within_its_frame_and_says_nine_of_ten(place: int) -> None:
    after = spreads(COIN, {})["after"][place]
    svg = drawn(spread_svg(after, name="Coin", key="a"))
    bars = [(float(bar.get("x", "")), float(bar.get("width", ""))) for bar in svg.findall("s:rect", SPACE)]
    assert all(x >= 8 and x + width <= 332.1 for x, width in bars)
    low, high = round(after["quantiles"][0]), round(after["quantiles"][-1])
    told = (svg.findtext("s:desc", namespaces=SPACE) or "").replace("\N{MINUS SIGN}", "-")
    assert told.startswith(f"Nine of ten results are from {low:,} to {high:,} units.")


def test_spread_shows_break_even_only_where_it_is_near() -> None:
    near, far = spreads(COIN, {})["after"]
    red = "s:line[@stroke='#b50909']"
    assert len(drawn(spread_svg(near, name="Coin", key="a")).findall(red, SPACE)) == 1
    assert drawn(spread_svg(far, name="Coin", key="a")).findall(red, SPACE) == []


def test_spread_of_one_result_is_nothing() -> None:
    after = {**spreads(COIN, {})["after"][0], "chances": [1.0]}
    assert spread_svg(after, name="Coin", key="a") == ""
