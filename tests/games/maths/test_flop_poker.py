"""Chapter 583: exact figures, one hand after another counted slowly, the strategy in words, rounds dealt.

Not found here: a wrong decision that the words repeat, since no decision is worked out slowly.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from games import registry
from games.chapters.ch583_flop_poker import play
from games.chapters.ch583_flop_poker.play import GAME
from games.maths import hands
from games.maths.cards import cards, names
from games.maths.hands import (
    FACES,
    THREE_CARD_CLASSES,
    THREE_CARD_HANDS,
    set_place,
    three_card_classes,
    three_card_hands,
)
from games.maths.staged_raises.flop import (
    FLOPS,
    FOLDED,
    OwnCardsWager,
    RequiredWagers,
    choices,
    made_by_flop,
    rule_of,
)
from games.maths.staged_raises.paid_hands import own_classes
from games.maths.wagers import analyze_wagers
from games.rules.errors import ParameterError
from games.runs.dealing import round_steps
from games.runs.engine import analyze as whole
from games.runs.engine import replay_round, simulate
from games.second.card_sums import class_of_three
from tests.games.chapters.examples import example
from tests.games.compared import compared
from tests.games.lazy import lazy_chapter
from tests.games.maths.slow_hands import PACK, worth

pytestmark = pytest.mark.proof

FLOP_POKER = lazy_chapter("583")
EXAMPLE = example("583")
JACK = 9


@pytest.fixture(scope="module")
def analysed():
    return {row.wager: row for row in analyze_wagers(GAME, FLOP_POKER, None)}


@pytest.fixture(scope="module")
def plays():
    return GAME.required.plays(FLOP_POKER.tables_of("flop")[0])


def test_required_wagers_lose_3_479_percent_of_all_that_is_wagered(analysed):
    ante = analysed["ante"]
    assert float(100 * ante.required.loss_per_ante) == pytest.approx(6.485102, abs=5e-7)
    assert float(100 * ante.required.loss_per_total_wagered) == pytest.approx(3.478659, abs=5e-7)
    assert ante.required.average_wagered == 1 + Fraction(19_100, 22_100)
    assert ante.required.loss_per_initial == ante.required.loss_per_ante  # the Pot Wager is not counted
    assert ante.largest_win == 1001
    assert [choice.frequency for choice in ante.strategy] == [Fraction(191, 221), Fraction(30, 221)]


def test_pot_is_paid_to_the_players_whole(analysed):
    assert (analysed["pot"].hold, analysed["pot"].standard_deviation) == (0, 0)
    assert [(row.net, row.section) for row in analysed["pot"].outcomes] == [(0, "§ 583.11(e)")]


def test_three_card_bonus_holds_what_its_reading_says(analysed):
    bonus = analysed["three_card_bonus"]
    assert float(100 * bonus.hold) == pytest.approx(5.375566, abs=5e-7)
    assert [row.count for row in bonus.outcomes] == [4, 44, 52, 720, 1096, 3744, 16_440]


@pytest.fixture(scope="module")
def example_analysis():
    return whole(FLOP_POKER, EXAMPLE)


def slow_best(own: list[str], community: tuple[str, ...]) -> str:
    """The class of the best hand of the own three cards and two of the community cards; high card below jacks."""
    best, ranks = max(worth([*own, *two], hands.STANDARD) for two in combinations(community, 2))
    return hands.HIGH_CARD if best == 1 and ranks[0] < 11 else hands.STANDARD[best]


@pytest.mark.parametrize("own", ["9s 8s 5h", "Ah 3h 2h", "Tc Th 4s"])
def test_flops_counted_slowly_make_the_same_hands(own):
    """Not found here: hands of other forms than these three."""
    pack = [card for card in PACK if card not in own.split()]
    slow = Counter(slow_best(own.split(), flop) for flop in combinations(pack, 3))
    fast = made_by_flop(GAME.required.least_value())[set_place(cards(own))]
    assert sum(slow.values()) == FLOPS
    assert {name: int(count) for name, count in zip(hands.STANDARD, fast, strict=True) if count} == slow


def test_strategy_in_words_is_what_the_enumeration_finds(plays):
    for hand, wagers in zip(three_card_hands(), plays, strict=True):
        low, middle, high = (card // 4 for card in hand)
        paired, suited = len({low, middle, high}) < 3, len({card % 4 for card in hand}) == 1
        assert wagers == (paired or suited or high >= JACK or high - low <= 4), names(hand)


def test_hands_that_the_sentence_does_not_fit_are_counted(plays):
    assert (rule_of(plays).folded, rule_of(plays).raised) == (0, 0)
    otherwise = plays.copy()
    otherwise[[set_place(cards("Ah 3h 2h")), set_place(cards("Tc Th 4s"))]] = False
    otherwise[set_place(cards("7c 3h 2s"))] = True
    rule = rule_of(otherwise)
    assert (rule.rank, rule.spread, rule.folded, rule.raised) == (JACK, 4, 2, 1)
    raised, folded = choices(otherwise, "Flop Wager")
    assert raised.when.endswith("but not with 2 of these hands, also with 1 other (see the table)")
    assert folded.when.endswith("but not with 1 of these hands, also with 2 others (see the table)")
    assert (raised.frequency, raised.frequency + folded.frequency) == (Fraction(19_100 - 1, THREE_CARD_HANDS), 1)


def test_sentence_names_the_thresholds_of_its_decisions():
    every = np.array([hand[2] // 4 >= 5 or hand[2] // 4 - hand[0] // 4 <= 3 for hand in three_card_hands()])
    raised, folded = choices(every | (three_card_classes() > 0), "Raise")
    assert (
        "a 7 or higher, or three cards that fit into one straight (from the lowest to the highest three" in raised.when
    )
    assert folded.when.startswith("All else: 6 high or lower, of more than one suit")


def test_parameters_that_no_game_has_are_refused():
    with pytest.raises(ParameterError, match="'11' is not a rank"):
        RequiredWagers(raised="Flop Wager", least="11", decided="", settled="")
    with pytest.raises(ParameterError, match="'Full House' is not a hand of three cards"):
        OwnCardsWager((hands.FULL_HOUSE,), lost="")


def test_table_of_folds_is_complete(analysed, plays):
    (table,) = analysed["ante"].strategy_tables
    folded = {(high, second, low) for high, second, lows, _ in table.rows for low in lows.split(", ")}
    found = {
        tuple(FACES[card // 4] for card in reversed(hand)) for hand in three_card_hands() if not plays[set_place(hand)]
    }
    assert folded == found
    assert all(len(row) == len(table.header) for row in table.rows)


def test_plain_play_costs_more(analysed):
    ante = analysed["ante"]
    losses = {plain.name: float(100 * plain.required.loss_per_ante) for plain in ante.simplified_plays}
    assert all(loss > 100 * ante.required.loss_per_ante for loss in losses.values())
    always = ante.simplified_plays[0].required
    made = made_by_flop(GAME.required.least_value()).sum(axis=0)
    nets = (-2, 2, 3, 5, 11, 21, 31, 101, 501, 1001)
    assert always.loss_per_ante == Fraction(-sum(int(n) * net for n, net in zip(made, nets, strict=True)), made.sum())
    assert always.average_wagered == 2


def test_three_cards_are_classed_alike_by_the_table_and_the_deal():
    assert Counter(THREE_CARD_CLASSES[kind] for kind in three_card_classes()) == {
        "High Card": 16_440, "Pair": 3744, "Flush": 1096, "Straight": 720, "Three-of-a-Kind": 52,
        "Straight Flush": 44, "Royal": 4,
    }  # fmt: skip
    assert [class_of_three(c, a, b) for a, b, c in three_card_hands()] == list(three_card_classes())
    assert Counter(own_classes() - three_card_classes()) == {
        0: THREE_CARD_HANDS - 1,
        1: 1,
    }  # the royal of spades, apart
    assert [set_place(hand) for hand in three_card_hands()] == list(range(THREE_CARD_HANDS))


def test_rounds_dealt_agree_with_the_exact_counts_whoever_deals_them(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=400_000))
    one, two = (simulate(FLOP_POKER, EXAMPLE, 1_000_000, seed=583, workers=count) for count in (1, 2))
    assert [row.wager for row in one.wagers] == ["ante", "pot", "three_card_bonus"]
    assert one.passed
    assert one == two


def test_rounds_under_another_strategy_do_not_agree(analysed):
    always = np.ones(THREE_CARD_HANDS, np.bool_)
    dealt = registry.table("583").deal(FLOP_POKER, EXAMPLE, always, (583, 0, 300_000)).endings["ante"]
    assert not compared(analysed["ante"], {ending.outcome: ending.rounds for ending in dealt}).passed


@pytest.mark.parametrize("index", range(12))
def test_story_is_settled_as_its_cards_say(index, plays, example_analysis):
    replayed = replay_round(FLOP_POKER, EXAMPLE, example_analysis, 7, 3, index)
    own, community = replayed.steps[0].cards, replayed.steps[2].cards
    assert replayed.steps == round_steps(FLOP_POKER, EXAMPLE, 7, 3, index)
    assert len({*own, *community}) == 6
    ante = next(one for one in replayed.settlements if one.wager == "ante")
    made = slow_best(names(own).split(), tuple(names(community).split()))
    if not plays[set_place(own)]:
        assert (ante.row.outcome, ante.section, replayed.steps[1].what) == (FOLDED, "§ 583.11(b)", "folds")
    elif made == hands.HIGH_CARD:
        assert ante.row.net == -2
    else:
        line = FLOP_POKER.tables_of("flop")[0].rows[len(hands.STANDARD) - 1 - hands.STANDARD.index(made)]
        assert (ante.row.outcome, ante.row.net) == (f"Wins with {line.outcome}", 1 + line.pays[0].odds)
    assert worth(names(replayed.steps[3].cards).split(), hands.STANDARD) == max(
        worth(names([*own, *two]).split(), hands.STANDARD) for two in combinations(community, 2)
    )
