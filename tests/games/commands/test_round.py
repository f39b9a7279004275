"""`python -m games round`: the round that the simulation dealt, in words and as data."""

from __future__ import annotations

import json

import pytest

from games.__main__ import main
from games.maths.cards import cards
from tests.games.chapters.examples import example_file

Printed = pytest.CaptureFixture[str]
CONFIG = str(example_file("686a"))


def asked(*more: str) -> list[str]:
    return ["round", "686a", "--config", CONFIG, "--seed", "7", *more]


def test_round_is_told_as_data(capsys: Printed) -> None:
    assert main(asked("--index", "12", "--json")) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert (replayed["chapter"], replayed["seed"], replayed["block"], replayed["index"]) == ("686a", 7, 0, 12)
    assert {one["wager"] for one in replayed["settlements"]} == {"ante", "bonus"}
    assert all(one["section"].startswith("§ 686a.") for one in replayed["steps"] + replayed["settlements"])
    assert any(cards(step["cards"]) for step in replayed["steps"])


def test_round_is_the_same_in_words(capsys: Printed) -> None:
    main(asked("--index", "12", "--json"))
    replayed = json.loads(capsys.readouterr().out)
    assert main(asked("--index", "12")) == 0
    words = capsys.readouterr().out
    assert all(f"{step['who']} {step['what']}" in words for step in replayed["steps"])
    assert all(f": {one['outcome']}" in words for one in replayed["settlements"])


@pytest.mark.parametrize(
    "wrong",
    [["--index", "-1"], ["--index", "999999999999"], ["--block", "-1"], ["--seed", "-1"], ["--seed", str(2**63)]],
)
def test_round_that_cannot_be_is_refused_in_one_line(wrong: list[str], capsys: Printed) -> None:
    assert main(asked(*wrong)) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert f"{wrong[0]} {wrong[1]}: allowed are 0 to" in captured.err
    assert captured.out == ""
