"""A game that is invented for tests, whose figures are known elsewhere: those of stud poker against a dealer who
qualifies with ace-king, played without looking at the dealer's card."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

import games.chapters
from games import registry
from games.maths import hands
from games.maths.cards import cards
from games.maths.ranking import standard
from games.maths.showdown.deck import LOSE, SHORT, TIE, WIN, orbit_of, orbits
from games.maths.showdown.four_cards import card_bit
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze, replay_round, simulate
from tests.games.checking.chapter_copy import forget
from tests.games.maths import slow_five_cards as slow

NUMBER = "690a"
INVENTED = Path(__file__).parents[2] / "invented" / "chapters"
PUBLISHED_CYCLE = 19_933_230_517_200
PUBLISHED_LOSSES = {  # wizardofodds.com, Caribbean Stud Poker: units lost over all deals, each upcard apart
    "Goes by the order of the hands alone": 1_059_715_400_580,  # raises ace, king, jack, 8, 3 or better
    "Raises any pair": 1_090_272_101_460,
    "Raises what qualifies": 1_132_600_203_540,
    "Never folds": 3_310_360_338_060,
}
ROUNDS = 2_000_000


@pytest.fixture(scope="module", autouse=True)
def invented_chapter():
    games.chapters.__path__.append(str(INVENTED))
    forget()
    yield
    forget()
    games.chapters.__path__.remove(str(INVENTED))
    registry.forget()


@pytest.fixture(scope="module")
def game(invented_chapter):
    return __import__(f"games.chapters.{registry.folder_of(NUMBER).name}.play", fromlist=["GAME"]).GAME


@pytest.fixture(scope="module")
def ante(game):
    (analysis,) = (row for row in analyze_wagers(game, registry.chapter(NUMBER), None) if row.wager == "ante")
    return analysis


def results_of(game, own):
    place = int(np.searchsorted(orbits(5).names, orbit_of(sum(1 << card_bit(card) for card in own))))
    return game.against.results[place, [WIN, TIE, LOSE, SHORT]].tolist()


# ---- the count


def test_units_lost_by_simplified_rules_are_those_published(ante):
    assert comb(52, 5) * comb(47, 5) * 5 == PUBLISHED_CYCLE  # each of the dealer's five cards may be the upcard
    assert ante.cycle * 5 == PUBLISHED_CYCLE
    losses = {play.name: play.required.loss_per_ante * PUBLISHED_CYCLE for play in ante.simplified_plays}
    assert losses == PUBLISHED_LOSSES


def test_best_play_without_the_upcard_loses_no_more_than_its_rule(ante):
    assert ante.required.loss_per_ante * PUBLISHED_CYCLE < min(PUBLISHED_LOSSES.values())
    assert f"{float(ante.required.loss_per_ante):.5%}" == "5.31632%"


@pytest.mark.proof
def test_dealer_qualifies_as_often_as_in_all_hands_looked_at_one_by_one(game):
    """Not found here: two mistakes that cancel out over all hands."""
    worths = slow.worths(slow.hands(list(range(52))))
    assert len(worths) == comb(52, 5)
    short = int((worths < slow.ACE_KING).sum())
    counted = (game.against.results[:, SHORT] * game.against.hands.sizes).sum()
    assert counted == short * comb(47, 5)  # dealt first, the dealer leaves the player any five of 47
    assert f"{short / len(worths):.4f}" == "0.4368"


def test_slow_ranking_is_that_of_the_tables():
    dealt = slow.hands([*cards("Ac Kc Qc Jc Tc 9c"), *cards("5d 4d 3d 2d Ad"), *cards("Ah As 9d 9h Ks")])
    ours = np.array([standard().value(tuple(hand)) for hand in dealt.tolist()])
    theirs = slow.worths(dealt)
    order = np.lexsort((theirs, ours))
    assert (np.diff(ours[order]) > 0).tolist() == (np.diff(theirs[order]) > 0).tolist()


@pytest.mark.proof
@pytest.mark.parametrize(
    "hand",
    [
        "Ac Kd Jh 8s 2c",
        "Ac Kd Jh 8c 2c",
        "As Kd Qh 9s 4c",
        "2c 2d 7h 9s Jc",
        "7c 5d 4h 3s 2c",
        "9c 8c 7c 6c 5c",
        "Kc Kd 4h 4s 4c",
    ],
)
def test_one_hand_against_every_hidden_five_looked_at_one_by_one(game, hand):
    """Not found here: hands of other forms than these seven."""
    assert results_of(game, cards(hand)) == list(slow.results(cards(hand), slow.ACE_KING))


def test_both_sides_win_alike_where_both_qualify(game):
    against = game.against
    qualifies = against.values >= against.order.least_value(against.order.strength(game.least))
    wins, loses = (
        int((against.results[qualifies, result] * against.hands.sizes[qualifies]).sum()) for result in (WIN, LOSE)
    )
    assert wins == loses


# ---- strategy


def test_sentences_and_table_name_the_one_hand_that_suits_decide(ante):
    said = {choice.decision: (choice.when, choice.frequency) for choice in ante.strategy}
    raised = comb(52, 5) - 1_302_540 + (44 + 8 + 7 + 5) * (4**5 - 4)  # with A-K-Q, A-K-J-10, -9 and -8-3 or better
    assert said["Raise"][0] == "Ace, king, jack, 8 and 3 or better, also for 240 others (see the table)"
    assert said["Fold"][0] == "Less than ace, king, jack, 8 and 3, but not for 240 of these hands (see the table)"
    assert said["Raise"][1] == Fraction(raised + 240, comb(52, 5)) == 1 - said["Fold"][1]
    by_hand, by_suits = ante.strategy_tables
    assert by_hand.rows[1] == ("ace, king, jack, 8 and 2",) * 2 + ("The suits decide",)
    assert by_suits.rows == (("ace, king, jack, 8 and 2", "Raise", "Fold", "Fold", "Fold", "Fold"),)


@pytest.mark.parametrize(
    ("hand", "raises"),
    [("Ac Kd Jh 8s 2c", 1), ("Ac Kd Jh 8c 2c", 0), ("Ac Kd Jh 8s 3c", 1), ("Ac Kd Th 9s 8c", 0), ("2c 2d 3h 4s 6c", 1)],
)
def test_decision_of_single_hands_is_what_their_results_are_worth(game, hand, raises):
    chapter = registry.chapter(NUMBER)
    wins, ties, loses, short = results_of(game, cards(hand))
    worth = 3 * wins - 3 * loses + short  # the raise pays 1 to 1 up to a pair
    assert (worth > -(wins + ties + loses + short)) is bool(raises)
    assert game.played(chapter.tables_of("raise")).best.of(cards(hand)) == raises


# ---- wagers and rounds


def test_bonus_is_paid_by_the_classes_of_all_hands(game):
    known = {
        hands.PAIR: 84_480,
        hands.TWO_PAIRS: 123_552,
        hands.THREE: 54_912,
        hands.STRAIGHT: 10_200,
        hands.FLUSH: 5_108,
    }
    for analysis in analyze_wagers(game, registry.chapter(NUMBER), None)[1:]:
        counts = {row.outcome: row.count for row in analysis.outcomes}
        assert counts["Pair of aces"] == known[hands.PAIR]
        assert (counts["Two pair"], counts["Three-of-a-kind"]) == (known[hands.TWO_PAIRS], known[hands.THREE])
        assert (counts["Straight"], counts["Flush"]) == (known[hands.STRAIGHT], known[hands.FLUSH])
        assert sum(counts.values()) == analysis.cycle == comb(52, 5)


@pytest.mark.parametrize("name", ["Paytable A", "Paytable B", "Paytable C"])
def test_rounds_dealt_agree_with_the_exact_counts(name):
    answers = {"five_card_wager": True, "five_card_paytable": name}
    result = simulate(registry.chapter(NUMBER), answers, ROUNDS, seed=690)
    assert [row.wager for row in result.wagers] == ["ante", "five_card"]
    assert all(row.passed for row in result.wagers)


def test_replay_shows_the_cards_that_were_settled():
    chapter, answers = registry.chapter(NUMBER), {"five_card_wager": True, "five_card_paytable": "Paytable A"}
    analysis = analyze(chapter, answers)
    ends = set()
    for index in range(40):
        replayed = replay_round(chapter, answers, analysis, seed=5, block=1, index=index)
        player, dealer, decision = replayed.steps
        assert len({*player.cards, *dealer.cards}) == 10
        outcome = next(one.row.outcome for one in replayed.settlements if one.wager == "ante")
        own, other = slow.worths(np.array([player.cards, dealer.cards]))
        expected = "Wins" if own > other else "Tie" if own == other else "Beaten"
        if decision.what == "folds":
            expected = "Folded"
        elif other < slow.ACE_KING:
            expected = "The dealer does not qualify"
        assert outcome.startswith(expected)
        ends.add(expected)
    assert ends == {"Wins", "Beaten", "Folded", "The dealer does not qualify"}
