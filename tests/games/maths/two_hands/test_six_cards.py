"""Chapter 588: six cards set by the words of § 588.11(d), counted against brute force, dealt against the counts.

Not found here: a house way that `house_ways.toml` states wrongly, since the slow dealer reads the same lines.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from games.chapters.ch588_six_card_fortune_pai_gow_poker import play as game
from games.maths.cards import cards, names
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.two_hands import six_pairs, six_wagers
from games.maths.two_hands.pairs import suited_ranks
from games.maths.two_hands.ranking import PAIR, high_value
from games.maths.two_hands.six_cards import (
    BEST,
    HIGHEST_HIGH,
    HIGHEST_LOW,
    REGULATION,
    high_hands,
    high_of,
    line_of,
    low_of,
    settings,
)
from games.maths.two_hands.six_game import code_of, split
from games.runs import engine
from games.runs.dealing import deal_block
from games.runs.engine import analyze, simulate
from games.second.six_cards import HOUSE_WAY, set_hands
from tests.games.chapters.examples import example
from tests.games.lazy import lazy_chapter
from tests.games.maths.two_hands import six_dealer, slow

pytestmark = pytest.mark.proof

CHAPTER = lazy_chapter("588")
EXAMPLE = example("588")


@pytest.fixture(scope="module")
def analysed():
    return analyze(CHAPTER, EXAMPLE)


def worth(code: int) -> int:
    return int(high_hands()[high_of(code)])


def value(five: list[int]) -> int:
    ranks = sorted(card // 4 for card in five if card != slow.JOKER)
    suited = len({card % 4 for card in five if card != slow.JOKER}) == 1
    return high_value(ranks, slow.JOKER in five, suited)


# ---- setting


def test_tables_set_as_the_slow_dealer_reads():
    """Not found here: an error in a hand so rare that 1,200 have none like it."""
    lines = [when for when, _ in CHAPTER.house_ways[0].rules]
    met = set()
    for six in six_dealer.random_six(1200, seed=588):
        line, high, low = six_dealer.sets(six)
        met.add(line)
        code = code_of(np.array(six))
        assert set_hands(np.array(six), HOUSE_WAY, np.zeros(6, np.int64)) & 15 == low
        assert (lines[line_of(code)], low_of(code)) == (line, low), names(six)
        five, card = split(tuple(six), code)
        assert slow.high(five) == high, names(six)
        assert six_dealer.rank(card) == low
    assert met == set(lines)


@pytest.mark.parametrize(
    ("six", "low"),
    [
        ("Kc Kd Kh 2s 2c 2d", "K"),
        ("Kc Kd 9h 9s 2c 2d", "K"),
        ("9c 9d 9h 9s Ac 2d", "A"),
        ("9c 9d 9h 9s 2c 2d", "2"),
        ("2h 3h 4h 5h 6h Ah", "A"),  # the lowest possible straight flush, not ace to 5
        ("9h Th Jh Qh Kh Ah", "A"),  # no royal flush: the lowest possible straight flush
        ("Th Jh Qh Kh Ah 2h", "2"),  # a flush of six beside a royal flush
        ("5h 6h 7h 8h 9h Jk", "Jk"),
        ("5c 6h 7d 8h 9c Jk", "Jk"),  # a straight without it
        ("5c 6h 7d 9h Tc Jk", "T"),  # the joker is needed: 9 high
        ("Ac Ad 2h 3s 4c Jk", "A"),  # three aces beside a straight
        ("Ac Kd Qh 9s 4c 2d", "K"),
        ("Jk Kd Qh 9s 4c 2d", "K"),
        ("Jk Ac Ad As Ah 2d", "2"),
    ],
)
def test_low_hand(six, low):
    expected = 13 if low == "Jk" else "23456789TJQKA".index(low)
    assert low_of(code_of(np.array(cards(six)))) == expected


def test_plain_ways_set_the_highest_high_and_the_highest_low_hand():
    for six in six_dealer.random_six(300, seed=3):
        legal = []
        for low in six:
            five = six_dealer.without(six, low)
            if value(five) >= min(six_dealer.rank(low), 12) << 16:
                legal.append((value(five), six_dealer.rank(low)))
        for way, best in ((HIGHEST_HIGH, max(legal)), (HIGHEST_LOW, max(legal, key=lambda hand: hand[::-1]))):
            code = _code(np.array(six), way)
            assert (worth(code), low_of(code)) == best, names(six)


def _code(six, way):
    key = int(KEYS[six].sum())
    if flush_part(key):
        return int(settings(way).by_suit[suited_ranks(six)])
    return int(settings(way).by_form[forms(6).low[low_part(key)] + forms(6).high[high_part(key)]])


def test_best_five_cards_of_six_are_those_of_the_slow_evaluator():
    for six in six_dealer.random_six(400, seed=6):
        best = max(slow.high(five) for five in combinations(six, 5))
        code = set_hands(np.array(six), HOUSE_WAY, np.zeros(6, np.int64))
        assert divmod(code >> 34, 13) == (best[0], 0 if best[0] else best[1][0]), names(six)


# ---- counting


def test_six_card_hands_are_counted_as_by_hand():
    best = six_pairs.count_hands().best.reshape(16, 16)
    assert best.sum() == six_pairs.HANDS == 22_957_480
    assert best[11].sum() == 48  # five aces
    assert best[9].sum() == 4 * 48 + 4 * 5 * 47  # royal flushes, natural and with the joker
    assert best[0, :6].sum() == 0  # reading `eight-high-is-lowest`
    assert best[0, 6] == 3 * (4**6 - 4 * (1 + 6 * 3))  # three sets of ranks without a straight; five of a suit: flush
    assert best[10].sum() == 0


def test_every_deal_ends_in_one_way():
    """Not found here: a hand in the place of another one of the tables, which both counts of the lines read."""
    counts = six_pairs.count_deals()
    assert set(counts.ends.sum(axis=1).tolist()) == {six_pairs.DEALS}
    assert counts.ends.min() >= 0
    assert counts.qualified[:, six_pairs.ALL_DEALS].sum(axis=(1, 2)).tolist() == [six_pairs.DEALS] * 2
    assert counts.qualified.min() >= 0
    assert counts.differs.sum() == six_pairs.HANDS
    assert counts.differs.sum(axis=1).tolist() == six_pairs.count_hands().lines.tolist()


def test_dealer_qualifies_with_a_pair_of_eights():
    least = six_pairs.least_qualified()
    assert int(high_hands()[least]) >> 16 == PAIR << 4 | 6
    assert int(high_hands()[least - 1]) >> 16 == PAIR << 4 | 5


# ---- figures


def test_holds(analysed):
    found = {(row.wager, row.paytable): float(100 * row.hold) for row in analyze(CHAPTER).wagers}
    assert found == {
        ("pai_gow", ""): pytest.approx(3.947041328, abs=5e-10),
        ("double_down", ""): pytest.approx(-10.863073689, abs=5e-10),
        ("fortune", "$1 Fortune Bonus Wager"): pytest.approx(12.129136125, abs=5e-10),
        ("fortune", "$5 Fortune Bonus Wager"): pytest.approx(12.129136125, abs=5e-10),
        ("insurance", "Paytable"): pytest.approx(7.631412507, abs=5e-10),
        ("progressive", "$1 Progressive Payout Wager"): pytest.approx(42.611349329, abs=5e-10),
        ("progressive", "$5 Progressive Payout Wager"): pytest.approx(45.420019967, abs=5e-10),
    }
    assert {row.method for row in analysed.wagers} == {"exact"}


def test_plain_players_lose_more_than_one_who_sets_best(analysed):
    pai_gow = analysed.of("pai_gow")
    assert all(play.required.loss_per_total_wagered > pai_gow.hold for play in pai_gow.simplified_plays)
    plain = {play.name: float(100 * play.required.loss_per_total_wagered) for play in pai_gow.simplified_plays}
    assert plain["Sets by the house way"] == pytest.approx(6.209999630, abs=5e-10)
    assert plain["Keeps the highest high hand"] == pytest.approx(45.877748, abs=5e-7)
    assert plain["Plays the highest low hand"] == pytest.approx(7.697107, abs=5e-7)
    house_way, always = (play.required for play in analysed.of("double_down").simplified_plays)
    assert float(100 * house_way.loss_per_total_wagered) == pytest.approx(-11.063181314, abs=5e-10)
    doubled = analysed.of("double_down").outcomes
    assert house_way.loss_per_ante > -sum(row.probability * row.net for row in doubled)  # a round
    assert float(100 * always.loss_per_total_wagered) == pytest.approx(15.222433, abs=5e-7)


def test_effect_of_a_reading_that_moves_the_hold_stands_in_the_notes(analysed):
    """If one hand identical and the other higher lost: the outcomes of six_pairs with those deals lost."""
    pairs = six_pairs.count_deals()
    place = six_pairs.WAYS.index(REGULATION)
    hold = 6.209999630417066 + 100 * int(pairs.copies[place]) / six_pairs.DEALS
    (note,) = (note for note in analysed.of("pai_gow").notes if "identical-hands" in note)
    assert f"{hold:.6f} % by the house way" in note
    assert "10.130721 % with the best setting" in note
    (reading,) = (reading for reading in CHAPTER.readings if reading.id == "588.identical-hands")
    figures = (10.130721, float(100 * analysed.of("pai_gow").hold), hold, 6.209999630417066)
    best, _, plain, _ = shown = [f"{figure:.2f}" for figure in figures]
    assert f"with the best setting would be {best} instead of {shown[1]} percent" in reading.reading
    assert f"By the house way it would be {plain} instead of {shown[3]} percent" in reading.reading


def test_lines_of_the_house_way_add_up(analysed):
    assert six_pairs.count_hands().lines.sum() == six_pairs.HANDS
    (table,) = analysed.of("pai_gow").strategy_tables
    assert [row[:2] for row in table.rows] == list(CHAPTER.house_ways[0].rules)
    assert six_pairs.count_hands().lines[0] == comb(13, 2) * 4 * 4 + 12 * 4 * comb(4, 2)  # three-of-a-kind twice


def test_doubling_wins_from_the_least_high_hand_on_and_not_below(analysed):
    won, lost, *_ = six_pairs.count_deals().qualified[six_pairs.WAYS.index(BEST)]
    edge = won - lost
    (table,) = analysed.of("double_down").strategy_tables
    for low, (place, row) in enumerate(zip(six_wagers.best_thresholds(BEST), table.rows, strict=True)):
        level = high_hands() >> 16
        assert row[1] == six_wagers.doubling_words(place)
        for start in sorted(set(level.tolist())):
            band = np.flatnonzero(level == start)
            if band[0] < place:
                assert edge[band[0] : place, low].sum() < 0
            else:
                assert edge[place : band[-1] + 1, low].sum() >= 0
    assert dict(table.rows)["King"] == "a pair of kings"
    assert dict(table.rows)["6"] == "a straight, ace to 5"


def test_progressive_follows_the_reset_amount_and_rate_of_the_answers(analysed):
    meter = analysed.of("progressive").progressive
    assert (meter.reset, meter.rate) == (5000, Fraction(24, 100))
    chance = Fraction(48, six_pairs.HANDS)
    assert meter.long_run_return == meter.fixed_return + meter.rate + 5000 * chance / 5
    higher = analyze(CHAPTER, EXAMPLE | {"progressive_reset": "20000.00", "progressive_rate": None}).of("progressive")
    assert higher.progressive.long_run_return is None
    assert higher.progressive.return_at_reset - meter.return_at_reset == 15_000 * meter.meter_coefficient


def test_envy_of_a_five_dollar_wager_is_five_times_that_of_one_dollar():
    found = {(row.wager, row.paytable): row.envy_per_other_player for row in analyze(CHAPTER).wagers}
    for wager, name in (("fortune", "Fortune Bonus Wager"), ("progressive", "Progressive Payout Wager")):
        assert found[wager, f"$5 {name}"] == 5 * found[wager, f"$1 {name}"] > 0


# ---- rounds


@pytest.mark.parametrize("answers", [EXAMPLE, EXAMPLE | {"progressive_paytable": "$1 Progressive Payout Wager"}])
def test_rounds_dealt_agree_with_the_exact_counts(answers):
    result = simulate(CHAPTER, answers, 300_000, seed=588)
    assert [row.wager for row in result.wagers] == ["pai_gow", "double_down", "fortune", "insurance", "progressive"]
    assert all(row.passed for row in result.wagers)


def test_result_does_not_depend_on_the_number_of_workers(monkeypatch):
    monkeypatch.setattr(game, "PLAY", replace(game.PLAY, block_rounds=20_000))
    one = simulate(CHAPTER, EXAMPLE, 70_000, seed=2)
    assert simulate(CHAPTER, EXAMPLE, 70_000, seed=2, workers=2) == one


def test_wagers_not_offered_are_neither_analysed_nor_dealt():
    answers = {"fortune_wager": False, "double_down_wager": False}
    assert [row.wager for row in analyze(CHAPTER, answers).wagers] == ["pai_gow"]
    assert list(deal_block(CHAPTER, answers, 1, 0, 10)) == ["pai_gow"]


def test_story_settles_as_a_slow_reader_of_the_section_would(analysed):
    for index in range(60):
        replayed = engine.replay_round(CHAPTER, EXAMPLE, analysed, seed=4, block=1, index=index)
        dealt = [step.cards for step in replayed.steps if step.what == "is dealt six cards"]
        _, dealer_high, dealer_low = six_dealer.sets(dealt[1])
        rows = {one.wager: one for one in replayed.settlements}
        five, (low,) = (step.cards for step in replayed.steps if "hand" in step.what and step.who == "Player")
        set_hands = (slow.high(five), six_dealer.rank(low))
        assert rows["pai_gow"].row.outcome == six_dealer.settled(set_hands, (dealer_high, dealer_low))
        shown = [set(step.cards) for step in replayed.steps if "hand" in step.what]
        assert shown[0] | shown[1] == set(dealt[0])
        assert shown[2] | shown[3] == set(dealt[1])
        qualified = dealer_high >= (1, (6,))
        assert (rows["double_down"].row.outcome in ("Wins", "Ties", "Loses")) == (
            qualified and rows["double_down"].row.outcome != "Not placed"
        )
