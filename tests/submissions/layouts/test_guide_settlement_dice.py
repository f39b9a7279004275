"""Guides and signs of the dice games beside the rounds that the game throws and settles: every wager, every row.

What wins is read out of the guide's sentences, the odds off the sign. A changed sentence is another settlement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import pytest

from games.maths.dice.game import by_matches, by_second_roll
from games.registry import chapter, play
from games.runs.dealing import deal_block, round_steps
from tests.games.chapters.examples import example
from tests.submissions.layouts.guide_words import step, table

pytestmark = pytest.mark.slow

LOSES = "Loses"
NUMBERS = "zero one two three four five six seven eight nine ten"
SPELLED = {word: count for count, word in enumerate(NUMBERS.split(" "))}
Settled = Mapping[str, str]
"""Wager (and spot) → outcome."""


def rounds(number: str, count: int) -> Iterator[tuple[str, Settled]]:
    """What is shown in the round, in words, and how the game settles its wagers."""
    found, answers = chapter(number), example(number)
    before: dict[str, dict[str, int]] = {}
    for index in range(count):
        after = deal_block(found, answers, 14, 0, index + 1)
        outcomes = {
            wager: next(outcome for outcome, times in rows.items() if times > before.get(wager, {}).get(outcome, 0))
            for wager, rows in after.items()
        }
        yield ". ".join(each.what for each in round_steps(found, answers, 14, 0, index)), outcomes
        before = {wager: dict(rows) for wager, rows in after.items()}


def figures(words: str) -> list[int]:
    return [int(figure) for figure in re.findall(r"\d+", words)]


def said(number: str, part: str, pattern: str) -> str:
    """What the step that contains the part says at the pattern's group."""
    found = re.search(pattern, step(number, part))
    assert found, pattern
    return found.group(1)


# ---- Props & Hops


def test_props_are_settled_as_guide_and_sign_say() -> None:
    field = figures(
        said("585", "A Field Wager", r"A Field Wager wins on a total of ([\d, or]+)\. It loses on any other")
    )
    craps = figures(said("585", "An Any Craps", r"An Any Craps Wager wins on a total of ([\d, or]+)\. An Any Seven"))
    seven = figures(
        said("585", "An Any Craps", r"An Any Seven Wager wins on (\d+)\. An Any Doubles Wager wins on any two")
    )
    assert step("585", "Any Craps").endswith("Each loses on any other roll.")
    assert "names a total thrown with two equal dice" in step("585", "A Double Wager")
    assert "names two different dice, from One-Two to Five-Six. It loses on any other" in step("585", "An Any Number")
    thrown, named_pairs = set(), set()
    for words, outcomes in rounds("585", 600):
        double, low, high, first, second = figures(re.sub(r" two (\d)s", r" \1", words))
        total = first + second
        wins = {
            "double": first == second == double,
            "any_number": {first, second} == {low, high},
            "field": total in field,
            "any_craps": total in craps,
            "any_seven": total in seven,
            "any_doubles": first == second,
        }
        assert {wager: outcome != LOSES for wager, outcome in outcomes.items()} == wins, words
        if wins["field"]:
            assert total in figures(outcomes["field"])
        thrown.add((first, second))
        named_pairs.add((low, high))
    assert thrown == set(product(range(1, 7), repeat=2))
    assert len(named_pairs) == 15


@pytest.mark.parametrize("wager", ["double", "any_number", "field", "any_craps", "any_seven", "any_doubles"])
def test_odds_of_props_on_the_sign_are_those_that_are_paid(wager: str) -> None:
    (analysis,) = [one for one in play("585").analyze(chapter("585"), None) if one.wager == wager]
    net = {row.outcome: row.net for row in analysis.outcomes}
    assert net.pop(LOSES) == -1
    assert {outcome: Fraction(pays.removesuffix(" to 1")) for outcome, pays in table("585", wager).rows} == net


# ---- High Roll Dice


def kind(outcome: str) -> int:
    """How many dice match: “Eight-of-a-kind”, “Three of a kind”."""
    return SPELLED[re.split(r"[- ]of", outcome.lower())[0]]


def face_of(outcome: str) -> int:
    return SPELLED[outcome.lower().removesuffix("/ace")]


def test_ten_dice_are_settled_as_the_guide_says() -> None:
    order = figures(said("593", "The face that occurs", r"the higher one counts: (a 1, .* 2 is lowest)\."))
    assert sorted(order) == [1, 2, 3, 4, 5, 6]
    assert "It wins if its face comes most often on the first roll." in step("593", "a Pip Street Wager on any")
    assert "It wins if exactly that many dice match on the first roll." in step("593", "place a Like Kind")
    extra = step("593", "are thrown again")
    assert "wins if the second throw adds matching dice and you have a Like Kind Boulevard Wager on the new" in extra
    assert "It loses if no die is added" in extra
    ties, added = 0, set()
    for words, outcomes in rounds("593", 500):
        first, _, again = words.partition("throws ten dice: ")[2].partition(". announces")
        dice = figures(first)
        more = figures(again.partition("again: ")[2])
        matches = max(dice.count(face) for face in order)
        most = [face for face in order if dice.count(face) == matches]
        after = matches + more.count(most[0])
        for spot, outcome in outcomes.items():
            wager, name = spot.split("/", 1)
            if wager == "pip_street":
                wins = face_of(name) == most[0]
            elif wager == "extra_roll":
                circle = after if name.startswith("every") else kind(name)
                wins = after > matches and after == circle and after <= 8
            else:
                wins = kind(name) == matches
            assert (outcome != LOSES) is wins, (spot, words)
            if wins:
                assert outcome == name or kind(outcome) == after
        ties += len(most) > 1
        added.add(after - matches)
    assert ties > 50
    assert {0, 1, 2} <= added


def test_circles_of_ten_dice_are_those_of_guide_and_sign() -> None:
    """Nine and ten are on no circle of Like Kind Boulevard, and no paytable of the Extra Roll Wager has them."""
    first, last = re.findall(r"the numbers (\w+) through (\w+)", step("593", "place a Like Kind"))[0]
    circles = {kind(row[0]) for row in table("593", "like_kind").rows}
    assert circles == set(range(SPELLED[first], SPELLED[last] + 1))
    assert "With nine or ten, all of them lose." in step("593", "place a Like Kind")
    extra = {kind(row[0]) for row in table("593", "extra_roll").rows}
    assert "or with nine or ten matching dice" in step("593", "are thrown again")
    assert {kind(row[0]) for row in table("593", "millionaire_row").rows} == {9, 10}
    assert "on either or both of nine and ten" in step("593", "a Millionaire Row Wager")
    for many in (9, 10):
        assert not [circle for circle in circles if by_matches(circle, 1, many)]
        assert not [circle for circle in extra if by_second_roll(circle, 8, many)]


@pytest.mark.parametrize("wager", ["pip_street", "like_kind", "extra_roll"])
def test_odds_of_ten_dice_on_the_sign_are_those_that_are_paid(wager: str) -> None:
    shown = dict(table("593", wager).rows)
    analyses = [one for one in play("593").analyze(chapter("593"), example("593")) if one.wager == wager]
    paid = {row.outcome: row.net for one in analyses for row in one.outcomes}
    assert paid.pop(LOSES) == -1
    assert {outcome: Fraction(pays.replace(" to ", "/").replace(",", "")) for outcome, pays in shown.items()} == paid


@pytest.mark.parametrize("bet", ["1.00", "0.50"])
def test_millionaire_row_pays_the_amount_of_the_sign_beside_any_wager(bet: str) -> None:
    shown = table("593", "millionaire_row", millionaire_row_bet=bet)
    assert shown.beneath == ("A fixed amount, no matter how much you wagered. Your wager is returned in addition.",)
    answers = example("593", millionaire_row_bet=bet)
    won = {
        row.outcome: row.net * Fraction(bet)
        for one in play("593").analyze(chapter("593"), answers)
        if one.wager == "millionaire_row"
        for row in one.outcomes
        if row.outcome != LOSES
    }
    assert {outcome: Fraction(pays.strip("$").replace(",", "")) for outcome, pays in shown.rows} == won
