"""`python -m games par`: its table, its sentences, its JSON, and what it refuses."""

from __future__ import annotations

import json

import pytest

from games.__main__ import main
from tests.games.chapters.examples import example_file

Printed = pytest.CaptureFixture[str]


def par(number: str, *more: str) -> int:
    return main(["par", number, "--config", str(example_file(number)), *more])


def test_par_prints_intervals_loss_and_jackpots(capsys: Printed) -> None:
    assert par("588", "--wager", "5", "--rounds-per-hour", "60") == 0
    out = capsys.readouterr().out
    assert out.startswith("Chapter 588, rules ")
    # § 588.12: the hold is 3.947041 % (tests of the chapter); the deviation 0.743822, so ± 1.96 × 0.743822 ÷ 1,000.
    assert "          1,000,000                    3.8013 to 4.0928" in out
    assert "expected loss per hour, in dollars: 11.84" in out  # 0.0394704 × 5 × 60
    assert "expected loss per hour, in dollars: -7.45" in out
    assert "Five Aces (100% of meter): won once in 478,281 wagers on average; the meter is then at $172,388.19" in out


def test_par_says_how_unusual_a_hold_is(capsys: Printed) -> None:
    assert par("655a", "--only", "ante", "--rounds", "120000", "--actual-hold", "2.5") == 0
    out = capsys.readouterr().out
    assert "an actual hold of 2.5000 % of all money wagered is 1.43 standard errors above" in out
    assert "progressive" not in out


def test_par_says_where_a_meter_does_not_follow(capsys: Printed) -> None:
    par("655a", "--only", "progressive")
    out = capsys.readouterr().out
    assert "Four-of-a-kind (100% minor jackpot): won once in 4,165 wagers on average; what is then on the meter" in out


def test_par_as_json_has_exact_fractions(capsys: Printed) -> None:
    arguments = ("--only", "progressive", "--wager", "5", "--rounds-per-hour", "60", "--rounds", "1000")
    assert par("587", *arguments, "--actual-hold", "44", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    (wager,) = report["wagers"]
    assert (report["chapter"], wager["paytable"]) == ("587", "$5 Progressive Payout Wager")
    # The fixed rows of $5 and the reset of $5,000: § 587.12(e); 20 % of $5 is $1 a wager.
    assert wager["jackpots"][0]["rounds_between"] == "22100"
    assert wager["jackpots"][0]["average_meter"] == "27100"
    assert [interval["rounds"] for interval in wager["intervals"]] == [1000]
    assert set(wager["actual"]) == {"hold_pct", "z", "p", "words"}
    assert not wager["intervals"][0]["reliable"]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--actual-hold", "2"], "--actual-hold needs --rounds"),
        (["--rounds", "0"], "--rounds 0: allowed are 1 to 1,000,000,000,000"),
        (["--wager", "5"], "--wager and --rounds-per-hour need each other"),
        (["--only", "trips"], "the wagers against the house are: ante, progressive"),
    ],
)
def test_par_refuses_what_it_cannot_use(more: list[str], problem: str, capsys: Printed) -> None:
    assert par("655a", *more) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("text", ["two", "1/0"])
def test_par_refuses_what_is_not_a_number(text: str, capsys: Printed) -> None:
    with pytest.raises(SystemExit) as stopped:
        par("655a", "--rounds", "1000", "--actual-hold", text)
    assert stopped.value.code == 2
    assert f"--actual-hold: {text}: is not a number like 2.5" in capsys.readouterr().err


def test_par_of_a_game_without_house_wagers_is_refused(capsys: Printed) -> None:
    assert par("637a") == 2
    assert "chapter 637a: the wagers against the house are: none" in capsys.readouterr().err
