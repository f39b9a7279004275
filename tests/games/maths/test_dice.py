"""Props & Hops and High Roll Dice: every throw counted naively beside the exact figures, and rounds beside both."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from games.maths.dice.game import UPWARDS, further_matches, most_matches, throws
from games.registry import chapter, table
from games.rules.wagers_in_play import covering
from games.runs.engine import analyze, replay_round, simulate

ORDER = [2, 3, 4, 5, 6, 1]


def naive_most(dice):
    """(face, matches) → throws, each throw looked at by itself."""
    found = {}
    for thrown in product(range(1, 7), repeat=dice):
        matches = max(thrown.count(face) for face in ORDER)
        face = [face for face in ORDER if thrown.count(face) == matches][-1]
        found[face, matches] = found.get((face, matches), 0) + 1
    return found


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_most_matches_are_those_of_every_throw(dice):
    assert most_matches(dice, UPWARDS) == naive_most(dice)


def test_throws_of_ten_dice_add_up():
    assert sum(ways for _, ways in throws(10)) == 6**10
    assert sum(further_matches(8).values()) == 6**8


@pytest.mark.parametrize(
    ("wager", "hold"),
    [
        ("double", Fraction(5, 36)),
        ("any_number", Fraction(1, 9)),
        ("field", Fraction(1, 18)),
        ("any_craps", Fraction(1, 9)),
        ("any_seven", Fraction(1, 6)),
        ("any_doubles", Fraction(1, 6)),
    ],
)
def test_props_hold_what_36_throws_give(wager, hold):
    assert analyze(chapter("585")).of(wager).hold == hold


def test_ten_of_a_kind_is_one_in_ten_million_and_seventy_seven_thousand():
    found = next(one for one in analyze(chapter("593")).wagers if one.spot == "Ten-of-a-kind")
    assert found.hit_frequency == Fraction(1, 6**9)
    assert found.hold == 1 - Fraction(1_000_000 + 1, 6**9)


def test_smaller_millionaire_row_wager_wins_the_same_prize():
    answers = dict(covering(chapter("593"))[0]) | {"millionaire_row_bet": "0.50"}
    found = next(one for one in analyze(chapter("593"), answers).wagers if one.spot == "Nine-of-a-kind")
    assert found.largest_win == 100_000


def test_extra_roll_on_five_alone_and_on_every_circle_is_what_the_notes_say():
    found = {one.spot: one for one in analyze(chapter("593")).wagers if one.wager == "extra_roll"}
    assert round(100 * found["Five-of-a-kind"].hold, 2) == Fraction("23.23")
    (note,) = found["every circle, two to eight"].notes
    assert "of all 8 wagers together 8.7" in note


def test_second_roll_throws_every_die_that_does_not_match():
    (answers,) = covering(chapter("593"))
    for rounds in range(1, 200):
        last = table("593").deal(chapter("593"), answers, None, (7, 0, rounds)).last
        dice, again = last[:10], last[10:]
        (stays,) = {thrown for thrown, new in zip(dice, again, strict=True) if new == 0}
        assert all(new == 0 for thrown, new in zip(dice, again, strict=True) if thrown == stays)
        assert stays == [face for face in ORDER if dice.count(face) == max(map(dice.count, ORDER))][-1]


@pytest.mark.parametrize("number", ["585", "593"])
def test_rounds_agree_with_the_exact_figures(number):
    (answers,) = covering(chapter(number))
    one = simulate(chapter(number), answers, 300_000, 5)
    assert one.passed
    assert one == simulate(chapter(number), answers, 300_000, 5, workers=2)


@pytest.mark.parametrize("number", ["585", "593"])
def test_story_tells_the_throw_that_the_tally_settles(number):
    (answers,) = covering(chapter(number))
    analysis = analyze(chapter(number), answers)
    for index in range(4):
        replayed = replay_round(chapter(number), answers, analysis, 1, 0, index)
        assert len(replayed.settlements) == len(analysis.wagers)
        assert all(step.section.startswith(f"§ {number}.") for step in replayed.steps)
    if number == "585":
        one, other = (int(word) for word in replayed.steps[-1].what.partition(": ")[2].split(" and "))
        seven = next(found for found in replayed.settlements if found.wager == "any_seven")
        assert (seven.row.net > 0) == (one + other == 7)
