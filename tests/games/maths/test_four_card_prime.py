"""Chapter 682a: the Board's figures, hands counted slowly, the strategy in words, rounds dealt, the largest round.

Not found here: a wrong decision under Bad Beat Paytable B or C. The words are compared only with the strategy for
Paytable A.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from games.chapters.ch682a_four_card_prime.play import GAME
from games.maths.cards import cards
from games.maths.showdown.deck import LOSE, SHORT, TIE, WIN, orbit_of, orbits
from games.maths.showdown.four_cards import HIGH_CARD, PAIR, best_four, value_counts
from games.maths.showdown.six_cards import six_card_counts
from games.maths.showdown.strategy import OTHER_CARDS
from games.maths.wagers import analyze_wagers
from games.rules.wagers_in_play import NoPaytable
from games.runs.dealing import round_steps
from games.runs.engine import analyze as analyse_all
from games.runs.engine import replay_round, simulate
from tests.games.chapters.examples import example
from tests.games.lazy import lazy_chapter
from tests.games.maths import slow_four_cards as slow

pytestmark = pytest.mark.proof

PRIME = lazy_chapter("682a")
EXAMPLE = example("682a")
LEFT_OUT = ("Six-card royal flush—diamonds", "Six-card royal flush—hearts, spades or clubs")


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, PRIME, None)}


def best_strategy():
    return GAME.played((PRIME.paytable("bad_beat", "Paytable A"), *PRIME.tables_of("win_bonus"))).best


def strengths():
    return best_four(5).strengths


# ---- figures


@pytest.mark.parametrize(
    ("wager", "paytable", "hold"),
    [
        ("ante", "Paytable A", 2.625098),
        ("prime", "Paytable A", 4.741897),
        ("prime", "Paytable B", 9.803922),
        ("aces_bonus", "Paytable A", 1.105981),
        ("aces_bonus", "Paytable E", 6.614646),
        ("all_six", "Paytable C", 6.741335),
        ("all_six", "Paytable E", 18.098054),
    ],
)
def test_published_hold_is_reproduced(analysed, wager, paytable, hold):
    found = analysed[wager, paytable]
    assert float(100 * found.hold) == pytest.approx(hold, abs=5e-7)
    assert [figure.reproduced for figure in found.published] == [True]


def test_lower_end_of_the_required_wagers_is_not_reproduced_and_looks_like_a_mixture(analysed):
    first, last = (analysed["ante", f"Paytable {name}"] for name in "AD")
    assert [figure.reproduced for figure in last.published] == [False]
    assert float(100 * last.hold) == pytest.approx(2.390206, abs=5e-7)
    assert round(first.required.loss_per_ante - last.required.loss_per_ante, 4) == Fraction("0.0050")
    assert Fraction("2.63") - Fraction("0.50") == Fraction("2.13")  # as printed


def test_every_paytable_of_every_wager_is_analysed(analysed):
    assert len(analysed) == 4 + 2 + 8 + 5
    assert analysed["all_six", "Paytable C"].cycle == 20_358_520
    assert analysed["ante", "Paytable A"].cycle == 2_598_960 * 10_737_573


def test_denominators_follow_from_each_other(analysed):
    found = analysed["ante", "Paytable B"].required
    assert found.loss_per_ante == found.loss_per_initial == found.loss_per_total_wagered * found.average_wagered


# ---- hands


def test_orbits_stand_for_every_set_of_cards():
    assert [int(orbits(size).sizes.sum()) for size in range(6)] == [1, 52, 1326, 22_100, 270_725, 2_598_960]
    hand = orbits(5).cards[77_777]
    assert orbit_of(sum(1 << (13 * (card % 4) + card // 4) for card in hand.tolist())) == orbits(5).names[77_777]


@pytest.mark.parametrize("size", [5, 6])
def test_best_four_order_hands_as_trying_every_four_does(size):
    chance = random.Random(size)
    ranking = best_four(size)
    hands = [tuple(chance.sample(range(52), size)) for _ in range(4_000)]
    hands += [
        (*cards("Ac 2c 3c 4c"), *cards("9d Td")[: size - 4]),
        (*cards("Ac 2d 3c 4c"), *cards("Kd Qd")[: size - 4]),
    ]
    found = sorted((slow.best_four(hand), ranking.value(hand)) for hand in hands)
    for (worth, value), (next_worth, next_value) in pairwise(found):
        assert (value < next_value) == (worth < next_worth)
        assert (value == next_value) == (worth == next_worth)


def test_four_card_hands_are_counted_as_combinatorics_does():
    counts = value_counts()
    aces = [sum(counts[value] for value, one in enumerate(strengths()) if one[:2] == (7, rank)) for rank in range(13)]
    assert aces == [48] * 13  # four of a rank and any fifth card
    assert counts.sum() == 2_598_960


def test_six_card_classes_agree_with_a_slow_look():
    chance, seen = random.Random(682), {}
    for _ in range(20_000):
        name = slow.six_class(tuple(chance.sample(range(52), 6)))
        seen[name] = seen.get(name, 0) + 1
    counts = six_card_counts()
    assert counts.sum() == 20_358_520
    assert counts[-2:].tolist() == [3, 1]  # six-card royal flushes; of diamonds
    for name, number in (("Three-of-a-kind", 1), ("Straight", 2), ("Flush", 3), ("Full house", 4), ("", 0)):
        expected = 20_000 * counts[number] / counts.sum()
        assert abs(seen[name] - expected) < 4 * expected**0.5


def test_one_hand_against_every_hidden_six_looked_at_one_by_one():
    """Not found here: hands of other forms than this one."""
    hand = cards("Tc Td Jc 3h 2s")
    strategy = best_strategy()
    place = int(np.searchsorted(orbits(5).names, orbit_of(sum(1 << (13 * (card % 4) + card // 4) for card in hand))))
    found = strategy.against.results[place]
    assert (found[WIN], found[TIE], found[LOSE]) == slow.HiddenHands(hand).six()
    assert found[SHORT] == 0
    assert found.sum() == 10_737_573


# ---- strategy


def words_say(strength):
    """The decision by the words of the strategy alone."""
    if strength < (PAIR, 1):
        return 0
    return 3 if strength >= (PAIR, 8, 9) else 1


def test_words_are_what_the_enumeration_finds_but_for_the_hands_that_the_table_names():
    strategy = best_strategy()
    by_value = strategy.table[0]
    dealt = np.unique(strategy.against.values)
    for value in dealt:
        if by_value[value] != OTHER_CARDS:
            assert by_value[value] == words_say(strengths()[value])
        else:
            assert strengths()[value][:2] in ((PAIR, 7), (PAIR, 8))
    assert strategy.equal_hands == 0
    otherwise = [words_say(strengths()[value]) for value in strategy.against.values] != strategy.decisions
    assert strategy.against.hands.sizes[otherwise].sum() < 4_000  # of 2,598,960


@pytest.mark.parametrize(
    ("hand", "decision"),
    [
        ("2c 2d As Kh 9c", 0),
        ("Ac Kd Qs Th 8c", 0),
        ("3c 3d 2s 4h 6c", 1),
        ("Kh Js Ts 9c 9d", 3),  # jack and 10 suited
        ("Kh Jd Ts 9c 9d", 1),
        ("Kc Jc 9c 9d 2s", 1),
        ("Tc Td Jc 3h 2s", 3),
        ("Tc Td 9s 8h 2c", 1),
        ("Jc Jd 2s 3h 5c", 3),
        ("Ac 2d 3h 4s 9c", 3),
    ],
)
def test_decision_of_single_hands(hand, decision):
    assert best_strategy().of(cards(hand)) == decision


def test_tables_of_strategy_name_every_hand_once(analysed):
    by_hand, by_suits = analysed["ante", "Paytable A"].strategy_tables
    assert by_hand.rows[0] == ("7, 6, 4 and 3", "pair of 2s with ace and king", "Fold")
    assert by_hand.rows[-1] == ("pair of 10s with ace and 4", "four aces", "Raise three Antes")
    row = next(row for row in by_suits.rows if row[:2] == ("pair of 9s with king and jack", "10"))
    assert row[2] == "Raise three Antes with J-10 or K-J suited; else Raise one Ante"
    for table in (by_hand, by_suits):
        assert all(len(row) == len(table.header) for row in table.rows)


def test_plain_players_lose_more(analysed):
    ante = analysed["ante", "Paytable A"]
    losses = {play.name: float(100 * play.required.loss_per_ante) for play in ante.simplified_plays}
    assert losses == {
        "Goes by the pair alone": pytest.approx(5.633714, abs=5e-7),
        "Always raises one Ante": pytest.approx(56.608440, abs=5e-7),
        "Always raises three Antes": pytest.approx(117.688810, abs=5e-7),
    }
    assert min(losses.values()) > float(100 * ante.required.loss_per_ante)


def test_no_single_change_of_a_decision_by_value_gains(analysed):
    """The worth of either neighbor of each threshold, from the counts alone: a pair of 2s folds, of 3s raises."""
    strategy = best_strategy()
    results, values = strategy.against.results, strategy.against.values
    for strength, raises in (((PAIR, 0, 12, 11), False), ((PAIR, 1, 4, 2), True)):
        (place, *_) = np.flatnonzero(values == strengths().index(strength))
        wins, loses = int(results[place, WIN] + results[place, TIE]), int(results[place, LOSE])
        assert (2 * wins - 2 * loses > -(wins + loses)) is raises
    assert strengths()[0][0] == HIGH_CARD


# ---- rounds


def test_rounds_dealt_agree_with_the_exact_counts():
    result = simulate(PRIME, EXAMPLE, 3_000_000, seed=682)
    assert [row.wager for row in result.wagers] == ["ante", "prime", "aces_bonus", "all_six"]
    assert all(row.passed for row in result.wagers)


@pytest.mark.parametrize(("bad_beat", "all_six"), [("A", "A"), ("C", "C"), ("D", "D")])
def test_other_paytables_agree_with_rounds_dealt(bad_beat, all_six):
    answers = EXAMPLE | {"bad_beat_paytable": f"Paytable {bad_beat}", "all_six_paytable": f"Paytable {all_six}"}
    assert simulate(PRIME, answers, 300_000, seed=5).passed


def test_story_shows_the_cards_that_were_settled():
    analysis = analyse_all(PRIME, EXAMPLE)
    for index in (0, 17, 400):
        replayed = replay_round(PRIME, EXAMPLE, analysis, seed=3, block=1, index=index)
        shared, player, dealer, decision = replayed.steps
        assert len({*shared.cards, *player.cards, *dealer.cards}) == 12
        assert all(step.section in PRIME.sections for step in replayed.steps)
        ends = {one.wager: one.row.outcome for one in replayed.settlements}
        assert all(one.section in PRIME.sections for one in replayed.settlements)
        wins = slow.best_four(player.cards) >= slow.best_four(dealer.cards)
        assert ("wins" in ends["ante"]) is (wins and decision.what != "folds")
        assert (ends["ante"] == "Folded") is (decision.what == "folds")
        assert ends["all_six"] == (slow.six_class((*player.cards, *shared.cards)) or "Lost")


def test_no_all_six_bonus_card_is_told_of_where_that_wager_is_not_offered():
    answers = EXAMPLE | {"all_six_wager": False, "all_six_paytable": None, "from_hand": False, "manual_shoe": True}
    steps = round_steps(PRIME, answers, 1, 0, 0)
    assert [step.section for step in steps] == ["§ 682a.8(c)", "§ 682a.8(c)", "§ 682a.11(b)"]


@pytest.mark.parametrize("given", [None, "Paytable Z"])
def test_ante_without_its_bad_beat_paytable_is_not_dealt(given):
    with pytest.raises(NoPaytable, match="bad_beat_paytable"):
        simulate(PRIME, EXAMPLE | {"bad_beat_paytable": given}, 1_000, seed=1)


# ---- the largest round


def settled(deal, answers, stakes):
    """Dollars that the six cards win on both wagers, by the slow looks alone."""
    six, five = (step.cards for step in deal)
    kind, first, *_ = slow.best_four(five)
    names = {
        "four": ("Four aces", "Four-of-a-kind"),
        "straight flush": ("Royal flush", "Straight flush"),
        "three": ("Three aces", "Three-of-a-kind"),
        "flush": ("Flush", "Flush"),
        "straight": ("Straight", "Straight"),
        "two pairs": ("Two pair", "Two pair"),
        "pair": ("Two Aces", ""),
        "nothing": ("", ""),
    }
    outcomes = {"aces_bonus": names[slow.ORDER[kind]][first != 12], "all_six": slow.six_class((*five, *six))}
    total = Fraction(0)
    for wager, stake in stakes.items():
        table = PRIME.paytable(wager, answers[f"{wager}_paytable"])
        pays = {line.outcome: line.pays[0].odds for line in table.rows}
        outcome = outcomes[wager]
        if outcome not in pays and outcome.startswith("Six-card"):
            outcome = "Royal flush"
        total += stake * pays.get(outcome, Fraction(-1))
    return total


@pytest.mark.parametrize(("aces", "all_six", "amount"), [("A", "E", 5_250), ("B", "C", 5_200), ("F", "A", 5_150)])
def test_largest_round_is_the_settlement_of_its_own_deal(aces, all_six, amount):
    answers = EXAMPLE | {"aces_bonus_paytable": f"Paytable {aces}", "all_six_paytable": f"Paytable {all_six}"}
    stakes = {"aces_bonus": Fraction(5), "all_six": Fraction(5)}
    largest = GAME.largest_round(PRIME, answers, stakes, LEFT_OUT)
    assert largest.amount == amount == settled(largest.deal, answers, stakes)


def test_largest_round_with_the_six_card_royal_flush_is_in_diamonds():
    stakes = {"aces_bonus": Fraction(1), "all_six": Fraction(1)}
    largest = GAME.largest_round(PRIME, EXAMPLE, stakes, ())
    assert largest.amount == 200_050 == settled(largest.deal, EXAMPLE, stakes)


def test_largest_round_weighs_the_stakes():
    stakes = {"aces_bonus": Fraction(100), "all_six": Fraction(1)}
    largest = GAME.largest_round(PRIME, EXAMPLE, stakes, LEFT_OUT)
    assert [part.pays for part in largest.parts] == ["500 to 1", "50 to 1"]
    assert largest.amount == 50_050 == settled(largest.deal, EXAMPLE, stakes)


def test_no_deal_wins_more_than_the_largest_round():
    chance = random.Random(5)
    stakes = {"aces_bonus": Fraction(20), "all_six": Fraction(5)}
    largest = GAME.largest_round(PRIME, EXAMPLE, stakes, LEFT_OUT).amount
    royal = [
        cards("Ah Kh Qh Jh Th 2c"),
        cards("Ah Kh Qh Jh Ac Ad"),
        cards("Ah Ac Ad As Kh 2c"),
        cards("Kh Qh Jh Th 9h 2c"),
    ]
    for six in [*royal, *(tuple(chance.sample(range(52), 6)) for _ in range(1_000))]:
        for place in range(6):
            deal = six[place : place + 1], six[:place] + six[place + 1 :]
            assert settled([type("Dealt", (), {"cards": part}) for part in deal], EXAMPLE, stakes) <= largest
