"""Chapter 657a, in general use: known figures, hands counted slowly, the strategy in words, rounds dealt.

Not found here: a rule or a payout in general use that differs from the regulation, since its text is not at hand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.chapters.ch657a_crazy_4_poker import play
from games.chapters.ch657a_crazy_4_poker.play import GAME
from games.maths.cards import cards
from games.maths.showdown.deck import LOSE, SHORT, TIE, WIN, orbit_of, orbits
from games.maths.showdown.four_cards import HIGH_CARD, PAIR, card_bit, four_card_order
from games.maths.showdown.strategy import OTHER_CARDS
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze as analyse_all
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter
from tests.games.maths import slow_four_cards as slow

pytestmark = pytest.mark.proof

CRAZY = lazy_chapter("657a")
PAYTABLES = [f"Not in the source text: three-of-a-kind {odds} to 1" for odds in (9, 8, 7)]
KING_HIGH, ACES = (HIGH_CARD, 11), (PAIR, 12)
EVERYTHING = {"queens_up_wager": True, "queens_up_paytable": PAYTABLES[0]}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, CRAZY, None)}


def best_strategy():
    return GAME.played(CRAZY.tables_of("super_bonus")).best


def strengths():
    return four_card_order().strengths


def results_of(hand):
    name = orbit_of(sum(1 << card_bit(card) for card in hand))
    return best_strategy().against.results[int(np.searchsorted(orbits(5).names, name))]


def test_required_wagers_in_general_use_lose_3_42_percent_per_ante(analysed):
    ante = analysed["ante", ""]
    assert float(100 * ante.required.loss_per_ante) == pytest.approx(3.418855, abs=5e-7)
    assert float(100 * ante.hold) == pytest.approx(1.090137, abs=5e-7)
    assert ante.required.loss_per_initial == ante.required.loss_per_ante / 2
    assert [figure.reproduced for figure in ante.published] == [False]  # 3.35, of what is not said
    assert ante.cycle == 2_598_960 * 1_533_939


@pytest.mark.parametrize(
    ("paytable", "hold", "published"), [*zip(PAYTABLES, (2.26, 4.52, 6.78), ([], [], [True]), strict=True)]
)
def test_queens_up_in_general_use(analysed, paytable, hold, published):
    queens_up = analysed["queens_up", paytable]
    assert round(float(100 * queens_up.hold), 2) == hold
    assert [figure.reproduced for figure in queens_up.published] == published


def test_every_analysis_says_that_it_is_not_the_regulations(analysed):
    assert len(analysed) == 4
    assert all("Not in the source text" in found.notes[0] for found in analysed.values())


def test_player_and_dealer_are_dealt_alike():
    against = best_strategy().against
    lower, equal, higher, short = (against.results * against.hands.sizes[:, None]).sum(axis=0).tolist()
    assert lower + equal + higher + short == against.cycle
    qualifies = against.values >= four_card_order().least_value(KING_HIGH)
    own_short = int(against.hands.sizes[~qualifies].sum()) * against.dealer_hands
    assert short == own_short  # either side falls short of king high as often as the other
    beaten = int((against.results[qualifies, LOSE] * against.hands.sizes[qualifies]).sum())
    assert lower - beaten == 0  # of hands that qualify on both sides


@pytest.mark.parametrize("hand", ["Ac Kd 8h 8s 3c", "2c 3d 4h 6s 7c"])
def test_one_hand_against_every_hidden_five_looked_at_one_by_one(hand):
    """Not found here: hands of other forms than these two."""
    hidden = slow.HiddenHands(cards(hand))
    lower, equal, higher = hidden.beside_own(hidden.five)
    least = next(place for place, worth in enumerate(hidden.worths) if worth >= (0, 11))
    short = int((hidden.five < least).sum())
    found = results_of(cards(hand))
    assert found[SHORT] == short
    if hidden.own >= least:
        assert (found[WIN], found[TIE], found[LOSE]) == (lower - short, equal, higher)
    else:
        assert (found[WIN], found[TIE], found[LOSE]) == (0, 0, lower + equal + higher - short)


def words_say(strength):
    if strength < (HIGH_CARD, 11, 10, 6, 2):
        return 0
    return 3 if strength >= ACES else 1


def test_words_are_what_the_enumeration_finds_but_for_two_hands_that_the_table_names():
    strategy = best_strategy()
    by_value = strategy.table[0]
    mixed = [strengths()[value] for value in np.flatnonzero(by_value == OTHER_CARDS)]
    assert mixed == [(HIGH_CARD, 11, 10, 5, 4), (HIGH_CARD, 11, 10, 6, 2)]
    for value in np.unique(strategy.against.values):
        if by_value[value] != OTHER_CARDS:
            assert by_value[value] == words_say(strengths()[value])
    assert strategy.equal_hands == 0


def test_no_hand_below_king_high_is_played():
    """So that it does not matter what becomes of its Super Bonus Wager where the dealer is short as well."""
    strategy = best_strategy()
    below = [strengths()[value] < KING_HIGH for value in strategy.against.values]
    assert not strategy.decisions[below].any()


@pytest.mark.parametrize(
    ("hand", "decision"),
    [
        ("Kc Qd 7h 6s 2c", 0),
        ("Kc Qc 7h 6s 3d", 1),  # king and queen suited
        ("Kc Qd 7h 7s 3d", 1),
        ("Kc Qd 8c 4d 2s", 1),
        ("Kc 2c 8d 4d Qs", 0),
        ("Kc Kd Ah Qs 3c", 1),
        ("Ac Ad 2h 3s 6c", 3),
    ],
)
def test_decision_of_single_hands(hand, decision):
    assert best_strategy().of(cards(hand)) == decision


def test_plain_players_lose_more(analysed):
    ante = analysed["ante", ""]
    losses = {play.name: float(100 * play.required.loss_per_ante) for play in ante.simplified_plays}
    assert losses == {
        "Goes by the best four cards alone": pytest.approx(3.418944, abs=5e-7),
        "Folds without a pair": pytest.approx(15.350517, abs=5e-7),
        "Never plays more than one Ante": pytest.approx(33.695155, abs=5e-7),
        "Never folds": pytest.approx(11.821800, abs=5e-7),
    }
    assert min(losses.values()) > float(100 * ante.required.loss_per_ante)


def test_rounds_dealt_agree_with_the_exact_counts_whatever_the_number_of_workers(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=400_000))
    result = simulate(CRAZY, EVERYTHING, 1_000_000, seed=657)
    assert [row.wager for row in result.wagers] == ["ante", "queens_up"]
    assert all(row.passed for row in result.wagers)
    assert simulate(CRAZY, EVERYTHING, 1_000_000, seed=657, workers=2) == result


def test_story_shows_the_cards_that_were_settled():
    analysis = analyse_all(CRAZY, EVERYTHING)
    for index in (0, 5, 333):
        replayed = replay_round(CRAZY, EVERYTHING, analysis, seed=3, block=1, index=index)
        player, dealer, decision = replayed.steps
        assert len({*player.cards, *dealer.cards}) == 10
        assert all(one.section in CRAZY.sections for one in (*replayed.steps, *replayed.settlements))
        ante = next(one.row.outcome for one in replayed.settlements if one.wager == "ante")
        assert (ante == "Folded") is (decision.what == "folds")
        if slow.best_four(dealer.cards) < KING_HIGH and decision.what != "folds":
            assert "does not qualify" in ante
