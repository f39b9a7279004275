"""What is taken from a pot: the schedule filed, beside a pot from which the dealer takes chips as it grows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.maths.export import to_json
from games.maths.rake import by_share, by_steps
from games.registry import chapter
from games.runs.engine import analyze, simulate
from tests.games.chapters.examples import example

STEPS = [(Fraction(10), Fraction(1)), (Fraction(20), Fraction(2)), (Fraction(50), Fraction(6))]


@pytest.mark.parametrize("bet", [1, 3, 7, 25])
def test_steps_take_what_a_dealer_takes_as_the_pot_grows(bet):
    pot, taken, steps = 0, Fraction(0), list(STEPS)
    while pot < 120:
        pot += bet
        while steps and pot >= steps[0][0]:
            _, rake = steps.pop(0)
            taken += rake - taken
        assert by_steps(STEPS, Fraction(pot)) == taken


def test_share_is_capped():
    assert by_share(Fraction(1, 10), Fraction(5), Fraction(40)) == 4
    assert by_share(Fraction(1, 10), Fraction(5), Fraction(400)) == 5
    assert by_share(Fraction(1, 10), None, Fraction(400)) == 40


def poker(**changes):
    return analyze(chapter("637a"), example("637a", **changes))


def test_percentage_names_the_pot_from_which_its_maximum_is_taken():
    rake = poker(rake_percentage="10", rake_maximum="5.00").rake
    assert (rake.largest, rake.reached_at) == (5, 50)
    (row,) = (row for row in rake.pots if row.pot == 100)
    assert (row.rake, row.contributions, row.per_hour) == (5, 2, (125, 150, 175))


def test_steps_stand_among_the_pots():
    rake = poker(rake_kind="incremental", rake_steps="15: 1, 35: 3").rake
    assert {row.pot: row.rake for row in rake.pots}[Fraction(35)] == 3
    assert (rake.largest, rake.reached_at) == (3, 35)


def test_time_charge_is_told_by_players():
    rake = poker(rake_kind="time", time_charge="6.50").rake
    assert dict(rake.by_players)[8] == 52
    assert to_json(poker(rake_kind="time", time_charge="6.50"))["rake"]["by_players"][0]["rake_per_hour"] == "13.00"


def test_small_pot_holds_no_more_than_itself():
    rake = poker(rake_kind="incremental", rake_steps="5: 5").rake
    assert [row.contributions for row in rake.pots if row.pot == 5] == [0]


def test_without_a_schedule_there_is_nothing_to_show():
    assert analyze(chapter("637a")).rake is None
    assert poker(rake_percentage=None).rake is None


def test_run_without_wagers_passes_and_says_nothing():
    result = simulate(chapter("637a"), example("637a"), 10, 1)
    assert (result.wagers, result.passed) == ((), True)
