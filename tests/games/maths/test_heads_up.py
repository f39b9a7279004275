"""Three chances to raise, with other raises and qualifiers: rounds dealt agree, sentences count, wrong ones refused.

Not found here: a wrong decision in the other game, which the dealt rounds and the counts share.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from games.chapters.ch677a_world_poker_tour_heads_up_hold_em.play import GAME
from games.chapters.ch677a_world_poker_tour_heads_up_hold_em.second import TABLE
from games.maths import hands
from games.maths.heads_up import wagers
from games.maths.heads_up.best_play import CYCLE
from games.maths.heads_up.rules import (
    BEST_FIVE,
    LOSE,
    LOSE_UNQUALIFIED,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
    BonusWager,
    Rules,
    Sections,
)
from games.maths.heads_up.solved import settled
from games.maths.heads_up.wagers import bonus_counts, outcome_rows
from games.maths.wagers import analyze_wagers
from games.rules.errors import ParameterError
from games.rules.model import Pay, Row
from games.second.hands import NO_PAIR
from games.second.heads_up import deal_rounds
from tests.games.lazy import lazy_chapter

CHAPTER = lazy_chapter("677a")
OTHER = replace(GAME, rules=Rules(raises=(4, 3, 2), qualifier=hands.HIGH_CARD))  # the dealer always qualifies
OTHER_TABLE = replace(TABLE, raises=(4, 3, 2), qualifier=NO_PAIR)
ENDS = [WIN, TIE, LOSE, WIN_UNQUALIFIED, TIE_UNQUALIFIED, LOSE_UNQUALIFIED]  # in the order of the second side
pytestmark = pytest.mark.proof
NUMBERS = re.compile(r"(?:but for |with )([\d,]+) of ([\d,]+)")


@pytest.fixture(scope="module")
def other():
    return OTHER.odds_tables(CHAPTER)


def test_rounds_of_another_game_agree_with_its_exact_counts(other):
    best, rounds, strategy = settled(other.pays()).best, 400_000, OTHER.strategy(CHAPTER, {})
    dealt = np.zeros_like(best)
    dealt[:, ENDS] = deal_rounds(NO_PAIR, strategy, (9, 9, rounds))[0]
    assert int(best.sum()) == CYCLE
    assert not best[:, [WIN_UNQUALIFIED, TIE_UNQUALIFIED, LOSE_UNQUALIFIED]].any()
    exact = best / CYCLE
    assert (np.abs(dealt - rounds * exact) <= 4.5 * sqrt(rounds) * np.sqrt(exact) + 1).all()


def test_amounts_of_another_game_are_settled_alike_by_both_sides(other):
    settled_by_second = OTHER_TABLE.deal(CHAPTER, {}, OTHER.strategy(CHAPTER, {}), (0, 0, 0)).endings["ante"]
    amounts = {ending.outcome: (ending.wagered, ending.won) for ending in settled_by_second}
    rows = outcome_rows(other, OTHER.sections, settled(other.pays()).best)
    assert {row.outcome: (row.wagered, row.net) for row in rows}.items() <= amounts.items()


def test_outcomes_of_another_game_name_its_raises(other):
    rows = outcome_rows(other, OTHER.sections, settled(other.pays()).best)
    assert {row.outcome.split(",")[0] for row in rows} == {"Raised 4×", "Raised 3×", "Raised 2×", "Folded"}
    assert {row.wagered for row in rows} == {2, 4, 5, 6}
    assert sum(row.probability for row in rows) == 1
    assert not any("dealer without" in row.outcome for row in rows)


@pytest.mark.parametrize("game", [GAME, OTHER])
def test_sentences_count_the_decisions(game):
    """What they say of deals is what the shares of the decisions come to, which are counted with the dealer's hand."""
    before, after, last, fold = wagers.choices(game.odds_tables(CHAPTER))
    checked = 1 - before.frequency
    assert sum(choice.frequency for choice in (before, after, last, fold)) == 1
    flops = comb(52, 2) * comb(50, 3)
    for choice, reached, cycle in ((after, checked, flops), (last, checked - after.frequency, flops * comb(47, 2))):
        counted = [tuple(int(number.replace(",", "")) for number in pair) for pair in NUMBERS.findall(choice.when)]
        *_, (raised, deals) = counted
        assert all(0 < part < whole for part, whole in counted)
        others = Fraction(deals, cycle)
        assert others < reached
        mostly = reached - others  # of these all are raised but the exceptions
        exceptions = Fraction(sum(part for part, _ in counted[:-1]), cycle)
        assert mostly - exceptions + Fraction(raised, cycle) == choice.frequency


def test_sentence_before_the_flop_names_what_is_raised_below_the_thresholds():
    raised = np.zeros((13, 13), dtype=np.int64)
    raised[12, 12] = raised[1, 1] = 1
    raised[:12, 12] = raised[12, 5:12] = 1  # of two suits every one, of one suit from 7 on
    raised[12, 2] = 1
    raised[10, 9] = raised[8, 4] = 1
    assert wagers._before(raised) == (
        "A pair of aces or better; an ace with a 2 or better; a queen and a jack of one suit; a pair of 3s; "
        "an ace and a 4 of one suit; a 10 and a 6 of one suit"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rules(raises=(3, 2)), "rules.raises: are 2; there are three chances"),
        (lambda: Rules(raises=(3, 2, 0)), "rules.raises: has 0; a Raise Wager is of 1 to 9 Antes"),
        (lambda: Rules(raises=(1, 2, 3)), "rules.raises: are .* a later Raise Wager is not larger"),
        (lambda: Rules(raises=(3, 2, 1), qualifier="Ace-king"), "rules.qualifier: is 'Ace-king'; the family knows"),
        (lambda: BonusWager("three cards", ""), "bonuses.by: is 'three cards'; allowed are two own cards, best five"),
        (lambda: replace(GAME.sections, dealt={}), "sections.dealt: is empty"),
        (lambda: replace(GAME.sections, ends={0: "a"}), r"sections.ends: has \[0\]"),
        (lambda: replace(GAME, bonuses={"odds": BonusWager(BEST_FIVE, "")}), "bonuses: has odds"),
        (lambda: replace(GAME, bad_beat="odds"), "bad_beat: is 'odds'"),
    ],
)
def test_parameters_that_no_game_can_have_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_paytable_row_for_no_class_is_refused():
    (table, *_) = CHAPTER.tables_of("trips_plus")
    strange = replace(table, rows=(*table.rows, Row("Five-of-a-kind", table.rows[0].pays)))
    with pytest.raises(ValueError, match="pays 'Five-of-a-kind'; allowed are High card, Pair"):
        bonus_counts(strange, BonusWager(BEST_FIVE, ""), [0] * 10, 0)


def test_odds_of_too_fine_parts_are_refused():
    odds = GAME.odds_tables(CHAPTER)
    fine = Row("Pair", (Pay(odds=Fraction(1, 37), per="to"),))
    rows = tuple(row for row in odds.won.rows if row.outcome != "Pair")
    with pytest.raises(ValueError, match=r"the odds are in parts of 1/74; the enumeration has room for 1/33"):
        replace(odds, won=replace(odds.won, rows=(*rows, fine))).pays()


def test_sections_come_from_the_chapter_alone():
    sections = Sections(
        dealt={"manual_shoe": "a"},
        raised=("b", "c", "d"),
        flop="e",
        turn_and_river="f",
        shown="g",
        ends=dict(enumerate("hijklm")),
        bad_beat="n",
    )
    game = replace(GAME, sections=sections)
    rows = analyze_wagers(game, CHAPTER, {})[0].outcomes
    assert {row.section for row in rows} == set("dhijklmn")
    dealt = [TABLE.deal(CHAPTER, {}, game.strategy(CHAPTER, {}), (1, 0, index + 1)).last for index in range(9)]
    assert {step.section for cards in dealt for step in game.describe_round(CHAPTER, {}, cards)} <= set("abcdefg")
