"""What the evidence says of each wager, from figures frozen with a filing; what older filings lack is left out."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from games.maths.export import to_json
from games.maths.statistics import spreads
from games.registry import chapter
from games.runs.engine import analyze, simulate
from submissions.documents import context_evidence
from submissions.documents.context_evidence import evidence_context, outcomes
from tests.games.chapters.examples import example
from tests.submissions.documents import sample

Shown = dict[str, Any]


def shown(number: str, rounds: int = 20_000) -> Shown:
    """The evidence of the chapter's example, as it is frozen with a filing."""
    game, answers = chapter(number), example(number)
    analysis = analyze(game, answers)
    result = simulate(game, answers, rounds, seed=1)
    frozen = {
        **to_json(result),
        "spreads": {
            found.key: spreads(found, seen.observed) for found, seen in zip(analysis.wagers, result.wagers, strict=True)
        },
    }
    configuration = {
        "wagers": [{"key": wager.key, "name": wager.name} for wager in game.wagers],
        "paytables": [
            {"wager": table.wager, "name": table.name, "citation": table.citation} for table in game.paytables
        ],
        "house_way": None,
    }
    run = {"analysis": to_json(analysis), "result": frozen, "passed": True, "configuration": 0, "blocks": 1, "seed": 1}
    return evidence_context(configuration, json.loads(json.dumps(run)), key="c0")


@pytest.fixture(scope="module")
def over_under() -> Shown:
    return shown("686a")


def test_outcomes_add_up_to_the_return(over_under: Shown) -> None:
    for group in over_under["wagers"]:
        for wager in group["parts"]:
            returned = sum(row["share"] for row in wager["outcomes"])
            assert f"{100 * (1 - returned):.4f}" == wager["exact"] == wager["total"]["hold"]
            counts = [int(row["count"].replace(",", "")) for row in wager["outcomes"]]
            assert f"{sum(counts):,}" == wager["total"]["count"]


def test_every_outcome_names_its_section(over_under: Shown) -> None:
    rows = [row for group in over_under["wagers"] for wager in group["parts"] for row in wager["outcomes"]]
    assert rows
    assert all(row["section"].startswith("§ 686a.") for row in rows)


def test_required_wager_has_its_denominators_play_and_plots(over_under: Shown) -> None:
    (wager,) = over_under["wagers"][0]["parts"]
    facts = dict(wager["facts"])
    assert facts["Hold"] == "1.0498 % of all money wagered"  # the Board's 98.95 % payback
    assert {"Loss per Ante", "Loss per initial wager", "Loss per total wagered"} <= facts.keys()
    assert facts["Volatility index"].count("%") == 3
    assert wager["steps"]
    assert {plot["title"] for plot in wager["plots"]["drawn"]} == {
        "Payback by outcome",
        "Result after 1,000 rounds",
        "Result after 100,000 rounds",
    }
    assert [after["rounds"] for after in wager["plots"]["spreads"]] == ["1,000", "100,000"]


def test_plain_player_loses_more_than_under_the_play_assumed(over_under: Shown) -> None:
    plain = over_under["wagers"][0]["parts"][0]["plain_play"]
    assert plain
    assert all(float(one["more"]) >= 0 for one in plain)


def test_spots_of_a_wager_stand_together() -> None:
    groups = {group["name"]: group["parts"] for group in shown("593", 2_000)["wagers"]}
    streets = groups["Pip Street Wager"]
    assert [part["spot"] for part in streets] == ["Two", "Three", "Four", "Five", "Six", "One/ace"]
    assert len({part["exact"] for part in streets}) == 6
    assert len({part["id"] for parts in groups.values() for part in parts}) == sum(map(len, groups.values()))


def test_game_without_house_wagers_shows_what_a_pot_is_charged() -> None:
    found = shown("637a", 1)
    assert found["wagers"] == []
    assert {"pot": "100.00", "rake": "5.00"}.items() <= found["rake"]["pots"][7].items()


def test_figure_of_the_board_in_an_earlier_record_has_one_of_the_three_words() -> None:
    kept = (
        {"reproduced": True, "ours": "1 %", "verdict": "reproduced"},
        {"reproduced": False, "ours": "1 %"},
        {"reproduced": False, "ours": "1 %", "verdict": "within the noise of a simulation"},
        {"reproduced": False, "ours": "1 %", "verdict": "cannot be compared"},
        {"reproduced": False, "ours": "—", "verdict": ""},
    )
    run = sample.record()["simulations"][0]
    for wager in run["analysis"]["wagers"]:
        wager["published"] = []
    run["analysis"]["wagers"][0]["published"] = [{"figure": "1% hold", "note": "", **figure} for figure in kept]
    verdicts = [figure["verdict"] for figure in evidence_context(sample.configuration(), run, key="c0")["published"]]
    assert verdicts == ["reproduced", "differs", "differs", "cannot be compared", "cannot be compared"]


def test_progressive_is_a_function_of_its_meter() -> None:
    row = {
        **sample.analysis()["wagers"][3],
        "progressive": {
            "fixed_return_pct": 50.0, "return_at_reset_pct": 60.0, "long_run_return_pct": None,
            "meter_coefficient": "1/100000", "reset": "10000", "rate": None, "break_even_meter": 50000.0,
        },
    }  # fmt: skip
    configuration = sample.configuration()
    run = sample.record()["simulations"][0]
    run["analysis"]["wagers"][3] = row
    meter = evidence_context(configuration, run, key="c0")["wagers"][3]["parts"][0]["progressive"]
    assert [(amount, back) for amount, _, back, _ in meter["rows"]] == [
        ("$10,000.00", "60.0000"),
        ("$20,000.00", "70.0000"),
        ("$50,000.00", "100.0000"),
        ("$50,000.00", "100.0000"),
        ("$100,000.00", "150.0000"),
    ]


def test_simplified_play_of_a_wager_placed_after_the_cards_are_seen_is_compared_per_round() -> None:
    """588's Double Down Wager is optional, so it has no loss per Ante, and simplified plays all the same."""
    chances = (("Wins", "3/10", "1", "1"), ("Loses", "1/10", "-1", "1"), ("Not placed", "3/5", "0", "0"))
    run = sample.record()["simulations"][0]
    run["analysis"]["wagers"][1] |= {
        "outcomes": [
            {"outcome": outcome, "count": None, "probability": probability, "net": net, "wagered": wagered}
            for outcome, probability, net, wagered in chances
        ],
        "plain_play": [
            {"name": "Always", "when": "Always.", "loss_per_ante_pct": -5.0, "loss_per_total_wagered_pct": -5.0}
        ],
    }
    groups = evidence_context(sample.configuration(), run, key="c0")["wagers"]
    wager = groups[1]["parts"][0]
    assert [(plain["per_ante"], plain["more"]) for plain in wager["plain_play"]] == [("−5.0000", "15.0000")]
    assert (wager["plain_unit"], groups[0]["parts"][0]["plain_unit"]) == ("round", "Ante")


def test_filing_of_before_has_what_it_had() -> None:
    """The sample is frozen without outcomes, volatility and spreads, as filings once were."""
    found = evidence_context(sample.configuration(), sample.record()["simulations"][0], key="c0")
    wager = found["wagers"][1]["parts"][0]
    assert (wager["outcomes"], wager["plots"]["spreads"], wager["volatility"]) == ([], [], "–")
    assert [plot["title"] for plot in wager["plots"]["drawn"]] == ["Convergence"]


def test_hold_without_a_fraction_is_said_to_be_computed_by_floating_point() -> None:
    run = sample.record()["simulations"][0]
    for wager in run["analysis"]["wagers"]:
        wager["method"], wager["hold_fraction"] = "exact", None
    found = evidence_context(sample.configuration(), run, key="c0")
    methods = {part["method"] for group in found["wagers"] for part in group["parts"]}
    assert methods == {"Exact to all the digits shown, computed by floating point."}


def test_deviation_and_chances_that_are_not_exact_are_said_to_have_an_error() -> None:
    run = sample.record()["simulations"][0]
    for wager in run["analysis"]["wagers"]:
        wager |= {"method": "exact", "hold_fraction": None, "spread_error": 1.25e-06, "largest_share_pct": 0.11}
    found = evidence_context(sample.configuration(), run, key="c0")
    parts = [part for group in found["wagers"] for part in group["parts"]]
    within = "but for deviation and chances, which are within 0.0000013."
    assert all(part["method"].endswith(f"computed by floating point; {within}") for part in parts)
    assert all(dict(part["facts"])["Largest win"].endswith(", 0.11 % of all that is returned") for part in parts)


def test_outcomes_without_chances_go_by_the_rounds_dealt() -> None:
    row = {
        "outcomes": [
            {"outcome": "Won", "count": None, "probability": None, "net": "1"},
            {"outcome": "Lost", "count": None, "probability": None, "net": "-1"},
        ]
    }
    won, lost = outcomes(row, {"Won": 480, "Lost": 520}, "§ 1")
    assert (won["count"], won["chance"], won["returned"], won["section"]) == ("480", "48.0000", "96.0000", "§ 1")
    assert lost["returned"] == "0.0000"


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.125, "12.5000"), (0.001, "0.1000"), (0.00024, "0.0240"), (3.48e-7, "0.0000348"), (0, "0.0000")],
)
def test_small_chances_keep_three_digits(share: float, words: str) -> None:
    assert context_evidence.chance(share) == words


def test_long_fraction_is_told_by_its_size() -> None:
    assert context_evidence.fraction("-3/8") == "−3 ∕ 8"
    long = Fraction(10**30 + 1, 10**31)
    assert context_evidence.fraction(str(long)) == "a fraction with a numerator of 31 and a denominator of 32 digits"


@pytest.mark.parametrize(
    ("net", "words"), [("1/2", "+0.5"), ("-1", "−1"), (19.95, "+19.95"), ("0", "0"), ("1003", "+1,003")]
)
def test_units_have_their_sign(net: str | float, words: str) -> None:
    assert context_evidence.units(net) == words
