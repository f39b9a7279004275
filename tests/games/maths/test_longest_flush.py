"""The longest flush with other raises and qualifiers: rounds dealt agree, sentences say it, no game has wrong ones.

Not found here: a wrong order of flushes, which the dealt rounds and the counts share; a decision that is only a little
worse than the best.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import sqrt

import numpy as np
import pytest

from games.chapters.ch678a_high_card_flush.play import GAME
from games.chapters.ch678a_high_card_flush.second import TABLE
from games.maths.longest_flush.exact import DEALERS, MIXED, best_play
from games.maths.longest_flush.rules import OF_SIZE, BonusWager, Flush, Meter, Rules, Sections
from games.maths.longest_flush.wagers import bonus_counts, choices, simplified_plays, strategy_tables
from games.maths.wagers import analyze_wagers
from games.rules.errors import ParameterError
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof

OTHER = Rules(raises=(2, 2, 2, 2, 3, 3), qualifier=Flush(3, "Q"))  # flushes of two cards may be raised twice
CHAPTER = lazy_chapter("678a")
SECTIONS = GAME.sections


def test_rounds_of_another_game_agree_with_its_exact_counts():
    game, rounds = replace(GAME, rules=OTHER, beaten="Qh 7h 4h 3d 7d 3c 7c"), 400_000
    table = replace(TABLE, raises=OTHER.raises, least_size=OTHER.qualifier.size, least_high=OTHER.qualifier.high)
    dealt = table.deal(CHAPTER, {}, game.strategy(CHAPTER, {}), (9, 9, rounds)).endings["ante"]
    rounds_with = {ending.outcome: ending.rounds for ending in dealt}
    exact = {row.outcome: float(row.probability) for row in analyze_wagers(game, CHAPTER, {})[0].outcomes}
    assert len(dealt) == len(exact) == 1 + 3 * 4
    for outcome, chance in exact.items():
        assert abs(rounds_with[outcome] - rounds * chance) <= 4.5 * sqrt(rounds * chance)
    assert {ending.outcome: (ending.wagered, ending.won) for ending in dealt} == {
        row.outcome: (row.wagered, row.net) for row in analyze_wagers(game, CHAPTER, {})[0].outcomes
    }


def test_sentences_of_another_game_are_its_decisions():
    best = best_play(OTHER)
    said = {choice.decision: choice.when for choice in choices(best)}
    assert said == {
        "Raise 1×": "A two-card flush; a three-card flush, king high or lower; "
        "some three-card flushes, ace high (table)",
        "Raise 2×": "A four-card or five-card flush; the other three-card flushes, ace high (table)",
        "Raise 3×": "A six-card or seven-card flush",
    }
    for size, raised in ((2, 1), (4, 2), (5, 2), (6, 3), (7, 3)):
        assert {int(best.by_value[size << 13 | flush]) for flush in OF_SIZE[size]} == {raised}
    by_top = {flush: int(best.by_value[3 << 13 | flush]) for flush in OF_SIZE[3]}
    assert {raised for flush, raised in by_top.items() if flush < 1 << 12} == {1}
    assert {raised for flush, raised in by_top.items() if flush >= 1 << 12} >= {MIXED}
    assert sum(choice.frequency for choice in choices(best)) == 1


def test_table_of_another_game_counts_the_hands_that_other_cards_decide():
    best = best_play(OTHER)
    table = strategy_tables(OTHER, best)[1]
    assert table.title == "Three-card flushes, ace high: hands raised more than 1×"
    mixed = [flush for flush in OF_SIZE[3] if best.by_value[3 << 13 | flush] == MIXED]
    assert len(table.rows) == len(mixed)
    raised = sum(int(cell.split(" of ")[0].replace(",", "")) for row in table.rows for cell in row[1:])
    always = sum(int(cell.split(" of ")[1].replace(",", "")) for row in table.rows for cell in row[1:])
    assert 0 < raised < always
    assert best.ends[3, 12, 2].sum() >= raised * DEALERS


def test_best_play_of_another_game_loses_least():
    best = best_play(OTHER)
    counts = best.ends.sum(axis=(0, 1))
    wins = np.array([[1, 1 + raised, 0, -1 - raised] for raised in range(4)])
    wins[0] = -1
    loss = -(counts * wins).sum() / counts.sum()
    plain = simplified_plays(OTHER, best, SECTIONS)
    assert all(float(play.required.loss_per_ante) >= loss - 1e-12 for play in plain)
    assert [play.name for play in plain][2] == "Raises from a two-card flush, three high"


def test_raises_for_which_other_cards_decide_beside_longer_flushes_are_refused():
    with pytest.raises(ParameterError, match="other cards decide on more than three-card flushes"):
        best_play(Rules(raises=(1, 1, 2, 2, 3, 4), qualifier=Flush(3, "T")))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Flush(1, "9"), "qualifier.size: is 1; the longest flush of 7 cards has 2 to 7"),
        (lambda: Flush(8, "A"), "qualifier.size: is 8"),
        (lambda: Flush(3, "3"), "qualifier.high: is '3'; the highest of 3 cards is one of 4, 5"),
        (lambda: Flush(3, "10"), "qualifier.high: is '10'"),
        (lambda: Flush(3, ""), "qualifier.high: is ''"),
        (lambda: replace(OTHER, raises=(1, 1, 2, 3, 3)), "raises: are 5; there is one for each size, 2 to 7"),
        (lambda: replace(OTHER, raises=(1, 0, 1, 2, 3, 3)), "raises: has 0; a Raise Wager is of 1 to 9 Antes"),
        (lambda: BonusWager("straight"), "bonuses.by: is 'straight'; allowed are flush, straight flush"),
        (lambda: Meter(Decimal(0), Decimal(1), ""), "meter.bet: is 0"),
        (lambda: Meter(Decimal(1), Decimal(-1), ""), "meter.reset: is -1"),
        (lambda: replace(SECTIONS, dealt={}), "sections.dealt: is empty"),
        (lambda: replace(SECTIONS, ends={0: "a", 1: "b"}), r"sections.ends: has \[0, 1\]"),
        (lambda: replace(GAME, beaten="9h 7h 4h 3d 7d 3c 7x"), "beaten: '7x' is not a card"),
        (lambda: replace(GAME, beaten="9h 7h 4h 3d 7d 3c 3c"), "beaten: .* it has 7 different cards"),
        (lambda: replace(GAME, beaten="9s 7h 4h 3d 7d 3c 7c"), "beaten: has 9s; spades"),
        (lambda: replace(GAME, beaten="8h 7h 4h 3d 7d 3c 7c"), "beaten: .* with which the dealer does not qualify"),
    ],
)
def test_parameters_that_no_game_can_have_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_paytable_row_for_no_flush_is_refused():
    table = CHAPTER.tables_of("flush_bonus")[0]
    with pytest.raises(ValueError, match="pays 'Seven-card flush'; allowed are No-card straight flush"):
        bonus_counts(table, BonusWager("straight flush"), [0] * 8)


def test_sections_come_from_the_chapter_alone():
    sections = Sections(
        dealt={"manual_shoe": "a"}, raised="b", folded="c", shown="d", ends=dict(enumerate(("e", "f", "g", "h")))
    )
    game = replace(GAME, sections=sections, bonuses={})
    rows = analyze_wagers(game, CHAPTER, {})[0].outcomes
    assert {row.section for row in rows} == {"c", "e", "f", "g", "h"}
    lowest, suited = tuple(range(14)), (0, 4, 8, 12, 16, 20, 24, 1, 2, 3, 5, 6, 7, 51)
    rounds = [game.describe_round(CHAPTER, {}, dealt) for dealt in (lowest, suited)]
    assert {step.section for steps in rounds for step in steps} == {"a", "b", "c", "d"}
