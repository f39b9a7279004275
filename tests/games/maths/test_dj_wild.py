"""Chapter 687a: the figures that the Board printed, the strategy in words, rounds dealt against the exact counts.

Not found here: a wrong ranking within a class of hands with wild cards, which counts, rounds and replays share; a wrong
decision that the words repeat, since no hand is played slowly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from games.chapters.ch687a_dj_wild_stud_poker.play import CLASSES, GAME
from games.maths import hands
from games.maths.cards import DEUCE, cards
from games.maths.ranking import class_of, with_wilds
from games.maths.showdown.deck import LOSE, TIE, WIN
from games.maths.showdown.required import pair_table
from games.maths.showdown.strategy import Strategy
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze as analyse_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof

DJ_WILD = lazy_chapter("687a")
EVERYTHING = {
    "trips_bonus_wager": True,
    "trips_paytable": "DJWT-05",
    "bad_beat_wager": True,
    "bad_beat_paytable": "DJWBB-03",
    "progressive_bonus_wager": True,
    "progressive_paytable": "Progressive Paytable 1",
    "folded_hands_qualify": False,
}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, DJ_WILD, None)}


def test_required_wagers_return_98_976_percent_of_all_that_is_wagered(analysed):
    ante = analysed["ante", ""]
    assert float(100 * (1 - ante.hold)) == pytest.approx(98.976109, abs=5e-7)
    assert float(100 * ante.required.loss_per_ante) == pytest.approx(3.467376, abs=5e-7)
    assert ante.required.loss_per_initial == ante.required.loss_per_ante / 2
    assert not ante.published[0].reproduced  # printed: 98.99
    assert ante.largest_win == 1003


@pytest.mark.parametrize(
    ("paytable", "payback", "reproduced"),
    [("DJWT-04", 93.843, False), ("DJWT-05", 92.474, True), ("DJWT-06", 92.338, True), ("DJWT-07", 91.454, True)],
)
def test_trips_bonus_paybacks(analysed, paytable, payback, reproduced):
    trips = analysed["trips", paytable]
    assert round(float(100 * (1 - trips.hold)), 3) == payback
    assert [figure.reproduced for figure in trips.published] == [reproduced]
    assert trips.cycle == 2_869_685


@pytest.mark.parametrize(("paytable", "payback"), [("DJWBB-03", 86.025), ("DJWBB-04", 85.980)])
def test_two_way_bad_beat_is_near_the_published_figures_and_reproduces_none(analysed, paytable, payback):
    bad_beat = analysed["bad_beat", paytable]
    assert round(float(100 * (1 - bad_beat.hold)), 3) == payback
    assert [figure.reproduced for figure in bad_beat.published] == [False]


def test_progressive_returns_56_5_percent_at_its_reset_whatever_becomes_of_folded_hands(analysed):
    first = analysed["progressive", "Progressive Paytable 1"]
    assert float(100 * first.progressive.return_at_reset) == pytest.approx(56.511682, abs=5e-7)
    assert first.progressive.long_run_return is None
    assert first.envy_per_other_player == Fraction(4, 2_598_960) * 1000 + Fraction(36, 2_598_960) * 300
    assert first.hold == analysed["progressive", "Progressive Paytable 2"].hold
    forfeited = {row.wager: row for row in analyze_wagers(GAME, DJ_WILD, EVERYTHING)}["progressive"]
    assert forfeited.hold == first.hold


@pytest.fixture(scope="module")
def played():
    return GAME.played(DJ_WILD.tables_of("blind"))


@pytest.fixture(scope="module")
def folds(played):
    assert -1 not in played.best.table[0]  # the decision is one by value
    return (played.best.table[0] == 0) & np.isin(np.arange(len(played.best.table[0])), played.best.against.values)


def ranking():
    return with_wilds(CLASSES, DEUCE, True)


def test_winning_hands_win_what_the_blind_adds_to_ante_and_raise(played):
    (wins,) = (by_result[WIN] for by_result in played.ends[1:])
    nets = dict(zip((s[0] for s in played.groups.strengths), (end.net for end in wins), strict=True))
    assert [nets[place] for place in range(12)] == [3, 3, 3, 3, 4, 5, 6, 7, 12, 13, 53, 1003]
    assert {end.net for end in played.ends[1][LOSE]} == {-4}
    assert {end.net for by_result in played.ends[0] for end in by_result} == {-2}


def test_who_always_raises_wins_as_often_as_the_dealer(played):
    best = played.best
    pairs = Strategy(best.against, np.ones_like(best.decisions)).pair_counts(played.groups)[1]
    raised = best.pair_counts(played.groups)[1]
    assert pairs.sum() == 2_869_685 * 1_712_304
    assert pairs[WIN].sum() == pairs[LOSE].sum()
    assert raised[WIN].sum() < pairs[WIN].sum()
    assert raised[TIE].sum() <= pairs[TIE].sum()


def test_plain_players_lose_more(analysed):
    ante = analysed["ante", ""]
    losses = {play.name: float(100 * play.required.loss_per_ante) for play in ante.simplified_plays}
    assert losses == {
        "Always raises": pytest.approx(33.758210, abs=5e-7),
        "Raises any pair": pytest.approx(3.852006, abs=5e-7),
        "Raises a pair of 5s": pytest.approx(3.508000, abs=5e-7),
    }
    assert min(losses.values()) > float(100 * ante.required.loss_per_ante)


def test_strategy_table_says_what_the_words_say(analysed, played, folds):
    (table,) = analysed["ante", ""].strategy_tables
    assert table == pair_table(GAME.order, folds)
    rows = {row[0]: row[1:] for row in table.rows}
    assert set(rows["No pair"]) == {"Fold"}
    assert set(rows["Pair of 3s"]) == {"–", "Fold"}
    assert rows["Pair of 4s"][:3] == ("Fold", "–", "Raise")
    assert all(
        "Fold" not in cells for name, cells in rows.items() if name not in ("No pair", "Pair of 3s", "Pair of 4s")
    )
    assert all(len(row) == len(table.header) for row in table.rows)


def test_strategy_table_owns_up_to_cells_that_are_played_both_ways(folds):
    folds = folds.copy()
    folds[ranking().value(cards("9c 9d 5h 6s Kc"))] = True
    table = pair_table(GAME.order, folds)
    assert next(row for row in table.rows if row[0] == "Pair of 9s")[3] == "Fold 1 of 28"


def test_every_outcome_names_the_subsection_that_settles_it(analysed):
    for analysis in analysed.values():
        for row in analysis.outcomes:
            section = row.section or DJ_WILD.paytable(analysis.wager, analysis.paytable).citation
            assert section in DJ_WILD.sections
    assert {row.section for row in analysed["ante", ""].outcomes} == {
        "§ 687a.11(b)", "§ 687a.11(e)(1)", "§ 687a.11(e)(2)", "§ 687a.11(e)(3)",
    }  # fmt: skip


def test_story_shows_the_cards_that_were_settled():
    analysis = analyse_all(DJ_WILD, EVERYTHING)
    jokers = 0
    for index in range(60):
        replayed = replay_round(DJ_WILD, EVERYTHING, analysis, seed=8, block=2, index=index)
        player, dealer, replacement, decision, *replaced = replayed.steps
        assert len({*player.cards, *dealer.cards, *replacement.cards}) == 11
        assert all(step.section in DJ_WILD.sections for step in replayed.steps)
        ends = {one.wager: one.row.outcome for one in replayed.settlements}
        own, other = ranking().value(player.cards), ranking().value(dealer.cards)
        expected = "Wins" if own > other else "Tie" if own == other else "Beaten"
        assert ends["ante"].startswith("Folded" if decision.what == "folds" else expected)
        assert bool(replaced) is (cards("Jk")[0] in player.cards)
        jokers += len(replaced)
    assert jokers > 0


def test_strategy_in_words_is_what_the_enumeration_finds(folds):
    found = {"folded": set(), "raised": set()}
    for names in ("3c 3d As Kh 9c", "4c 4d 3s Kh 9c", "As Kh Qd Jc 9s", "4c 4d 5s 6h 3c"):
        found["folded"].add(bool(folds[ranking().value(cards(names))]))
    for names in ("4c 4d As Kh 9c", "4c 4d 5s 6h 7c", "5c 5d 3s 4h 6c", "Jk 3c 4d 5h 9s", "2c 3c 4d 6h 8s"):
        found["raised"].add(bool(folds[ranking().value(cards(names))]))
    assert found == {"folded": {True}, "raised": {False}}
    assert {CLASSES[class_of(value)] for value in np.nonzero(folds)[0]} == {hands.HIGH_CARD, hands.PAIR}
    # pairs of 3s: 165 sets of kickers; pairs of 4s with a 3: 45 sets of two more
    assert sum(1 for value in np.nonzero(folds)[0] if CLASSES[class_of(value)] == hands.PAIR) == 165 + 45


def test_rounds_dealt_agree_with_the_exact_counts():
    result = simulate(DJ_WILD, EVERYTHING, 20_000_000, seed=687)
    assert [row.wager for row in result.wagers] == ["ante", "progressive", "trips", "bad_beat"]
    assert all(row.passed for row in result.wagers)


def test_every_trips_and_bad_beat_paytable_agrees_with_rounds_dealt():
    for trips, bad_beat in (("DJWT-04", "DJWBB-04"), ("DJWT-06", "DJWBB-04"), ("DJWT-07", "DJWBB-03")):
        answers = EVERYTHING | {"trips_paytable": trips, "bad_beat_paytable": bad_beat, "folded_hands_qualify": True}
        assert simulate(DJ_WILD, answers, 2_000_000, seed=12).passed
