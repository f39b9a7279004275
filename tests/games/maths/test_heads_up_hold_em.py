"""Chapter 677a: the figures that the Board printed, boards counted slowly, decisions, rounds dealt, largest round.

Not found here: a wrong raise before the Flop that the words repeat; a wrong decision after the Flop with other cards
than the five hands played through.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from games.chapters.ch677a_world_poker_tour_heads_up_hold_em import play
from games.chapters.ch677a_world_poker_tour_heads_up_hold_em.play import GAME
from games.maths import hands
from games.maths.cards import cards
from games.maths.heads_up import wagers
from games.maths.heads_up.best_play import CYCLE, DEALERS, HOLES, STRENGTH_TABLES, count_chances
from games.maths.heads_up.rules import (
    AFTER,
    BEFORE,
    FOLD,
    LAST,
    LOSE,
    LOSE_UNQUALIFIED,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
)
from games.maths.heads_up.seven_cards import (
    BOARD_TABLES,
    CLASS_OF,
    RENAMINGS,
    board_row,
    card_kind,
    count_hands,
    flop_number,
    flops,
    kind_number,
    lowest_strength,
    pair_number,
)
from games.maths.heads_up.solved import HOLDINGS, after_flop, decisions, settled
from games.maths.wagers import analyze_wagers
from games.rules.wagers_in_play import covering
from games.runs.dealing import round_steps
from games.runs.engine import analyze as analyze_whole
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter
from tests.games.maths.slow_hands import FACES, worth

pytestmark = pytest.mark.proof

HEADS_UP = lazy_chapter("677a")
TRIPS_TABLES = ("Paytable A", "Paytable B", "Paytable C", "Paytable D")
EVERYTHING = {
    "pocket_bonus_wager": True,
    "pocket_bonus_paytable": "Not in the source text: Paytable A",
    "trips_plus_wager": True,
    "trips_plus_paytable": "Paytable A",
}
LOST_TEXT = "Not in the source text: "


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, HEADS_UP, None)}


def slow(seven: list[str]) -> tuple[int, list[int]]:
    """The best five of seven, by an evaluator that shares nothing with the fast one."""
    return max(worth(list(five), hands.STANDARD) for five in combinations(seven, 5))


def named(dealt) -> list[str]:
    return [FACES[int(card) // 4] + "cdhs"[int(card) % 4] for card in dealt]


def ranked(board):
    """The 1,081 pairs beside a board, their strengths and how the dealer's hands end."""
    pairs, strengths = np.zeros((HOLES, 2), np.int64), np.zeros(HOLES, np.int64)
    chances = np.zeros((HOLES, 6), np.int64)
    count_chances(np.array(board), STRENGTH_TABLES, lowest_strength(hands.PAIR), pairs, strengths, chances)
    return pairs, strengths, chances


# ---- figures


def test_required_wagers_lose_2_358423_percent_of_the_ante(analysed):
    ante = analysed["ante", ""]
    assert ante.cycle == CYCLE == comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)
    assert round(float(100 * ante.required.loss_per_ante), 6) == 2.358423
    assert round(float(100 * ante.hold), 6) == 0.642631
    assert ante.required.loss_per_initial == ante.required.loss_per_ante / 2
    assert ante.largest_win == 1 + 3 + 500
    plain = {one.name: one.required.loss_per_ante for one in ante.simplified_plays}
    assert all(loss > ante.required.loss_per_ante for loss in plain.values())
    assert plain[wagers.LATE] < plain[wagers.NEVER]


@pytest.mark.parametrize(
    ("wager", "paytable", "hold", "reproduced"),
    [
        ("pocket_bonus", LOST_TEXT + "Paytable A", 4.524887, [True]),
        ("pocket_bonus", LOST_TEXT + "Paytable B", 6.787330, []),
        ("pocket_bonus", LOST_TEXT + "Paytable C", 9.954751, [True]),
        ("trips_plus", "Paytable A", 0.740232, [False]),  # printed: 0.75
        ("trips_plus", "Paytable B", 1.742446, []),
        ("trips_plus", "Paytable C", 4.338548, [True]),
        ("trips_plus", "Paytable D", 3.336334, []),
    ],
)
def test_optional_wagers(analysed, wager, paytable, hold, reproduced):
    found = analysed[wager, paytable]
    assert round(float(100 * found.hold), 6) == hold
    assert [figure.reproduced for figure in found.published] == reproduced
    assert bool(found.notes) == (LOST_TEXT in paytable)


def test_seven_card_classes_are_the_known_ones():
    known = (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324)
    assert count_hands() == known
    held = settled(GAME.odds_tables(HEADS_UP).pays()).best.sum(axis=(0, 1))
    assert [Fraction(int(number), CYCLE) for number in held] == [Fraction(one, comb(52, 7)) for one in known]


# ---- counted slowly


@pytest.mark.parametrize(
    "board", ["Ks Qs 7d 6c 2h", "Kd Kc 7d 6c 2h", "9s 8s 7s 6d 6c", "Jh Th 9h 8h 2h", "As Kd Qh Jc Td"]
)
def test_every_hand_of_the_dealer_is_counted(board):
    pairs, strengths, chances = ranked(cards(board))
    pack = [card for card in range(52) if card not in cards(board)]
    values = {pair: slow([*board.split(), *named(pair)]) for pair in combinations(pack, 2)}
    random = Random(board)
    for hole in random.sample(range(HOLES), 25):
        own = tuple(sorted(int(card) for card in pairs[hole]))
        assert CLASS_OF[strengths[hole]] == values[own][0]
        found = [0] * 6
        for dealer, value in values.items():
            if not set(dealer) & set(own):
                qualified = value[0] >= hands.STANDARD.index(hands.PAIR)
                ends = ((WIN, WIN_UNQUALIFIED), (TIE, TIE_UNQUALIFIED), (LOSE, LOSE_UNQUALIFIED))
                found[ends[(value >= values[own]) + (value > values[own])][not qualified]] += 1
        assert chances[hole].tolist() == found
        assert sum(found) == DEALERS


def slow_worth(own, board) -> tuple[Fraction, Fraction]:
    """(what Ante and Odds win, what each Ante raised wins) on a full board, over the 990 hands of the dealer."""
    pairs, strengths, chances = ranked(board)
    (hole,) = np.flatnonzero((np.sort(pairs) == sorted(own)).all(axis=1))
    rank, ends = int(CLASS_OF[strengths[hole]]), [int(number) for number in chances[hole]]
    won, lost = GAME.odds_tables(HEADS_UP).win(rank), GAME.odds_tables(HEADS_UP).loss(rank)
    flat = ends[WIN] * (1 + won) + ends[WIN_UNQUALIFIED] * won + ends[LOSE] * (lost - 1) - ends[LOSE_UNQUALIFIED]
    return flat, Fraction(ends[WIN] + ends[WIN_UNQUALIFIED] - ends[LOSE] - ends[LOSE_UNQUALIFIED])


@pytest.mark.parametrize(
    ("own", "flop"),
    [("7s 2d", "7h 6c 3d"), ("8h 7h", "Kh 5h 2c"), ("Qc 4d", "Ks 9d 3h"), ("2c 2d", "8s 8d 5h"), ("Jc 9d", "Td 8h 2s")],
)
def test_decision_after_the_flop_is_that_of_every_turn_and_river(own, flop):
    """Without standard forms, rows or kinds: the 1,081 boards one after the other."""
    one, other = cards(own)
    three = cards(flop)
    now = onward = Fraction(0)
    for rest in combinations([card for card in range(52) if card not in (one, other, *three)], 2):
        flat, more = slow_worth((one, other), (*three, *rest))
        now += flat + 2 * more
        onward += max(flat + more, Fraction(-2 * DEALERS))
    after = decisions(GAME.odds_tables(HEADS_UP).pays()).after
    flop_at = flop_number(*three)
    new = RENAMINGS[flops().renaming[flop_at]]
    pair = pair_number(one // 4 * 4 + int(new[one % 4]), other // 4 * 4 + int(new[other % 4]))
    assert bool(after[flops().number[flop_at], pair >> 3] >> (pair & 7) & 1) == (now >= onward)


def test_last_decision_is_worth_most():
    random = Random(677)
    last = decisions(GAME.odds_tables(HEADS_UP).pays()).last
    taken = set()
    for _ in range(400):
        one, other, *board = random.sample(range(52), 7)
        flat, more = slow_worth((one, other), board)
        row, suit = board_row(np.array(board), BOARD_TABLES)
        kind = kind_number(card_kind(one, suit), card_kind(other, suit))
        raised = bool(last[row, kind >> 3] >> (kind & 7) & 1)
        assert raised == (flat + more >= -2 * DEALERS)
        taken.add(raised)
    assert taken == {True, False}


# ---- the strategy in words


def said_before(high: int, low: int, suited: bool) -> bool:
    """The sentence on the decision before the Flop; ranks from 2 to 14."""
    if high == low:
        return high >= 3
    least = {14: (2, 2), 13: (7, 4), 12: (10, 8), 11: (11, 10)}.get(high)
    return least is not None and low >= least[suited]


def test_words_before_the_flop_are_what_the_enumeration_finds(analysed):
    before = decisions(GAME.odds_tables(HEADS_UP).pays()).before
    for one, other in combinations(range(52), 2):
        said = said_before(other // 4 + 2, one // 4 + 2, one % 4 == other % 4)
        assert before[pair_number(one, other)] == said
    grid = analysed["ante", ""].strategy_tables[0]
    assert [row[0] for row in grid.rows] == list(grid.header[1:]) == [*"AKQJ", "10", *"98765432"]
    assert grid.rows[1][3] == grid.rows[2][7] == "3×"  # king and queen, queen and eight of one suit
    assert grid.rows[7][2] == "3×"  # king and seven of two suits
    assert grid.rows[8][2] == grid.rows[12][13] == "check"  # king and six of two suits, a pair of 2s


def test_words_after_the_flop_are_what_the_enumeration_finds():
    checked, raised = after_flop(GAME.odds_tables(HEADS_UP).pays())
    share = dict(zip(HOLDINGS, raised / (checked + raised), strict=True))
    assert [share[held] for held in HOLDINGS[:2]] == [1, 1]
    assert all(share[held] > 0.94 for held in HOLDINGS[2:5])
    assert all(share[held] < 0.5 for held in HOLDINGS[5:])
    waiting = sum(1 for pair in decisions(GAME.odds_tables(HEADS_UP).pays()).before if not pair)
    assert int((checked + raised).sum()) == waiting * comb(50, 3)


def test_words_after_the_river_card_are_what_the_enumeration_finds():
    folded, raised = settled(GAME.odds_tables(HEADS_UP).pays()).last
    straight, pair, two_pairs = (hands.STANDARD.index(one) for one in (hands.STRAIGHT, hands.PAIR, hands.TWO_PAIRS))
    assert not folded[straight:].any()
    for rank in (two_pairs, two_pairs + 1):
        beside = [board for board in range(len(hands.STANDARD)) if board != rank]
        assert folded[rank, beside].sum() * 5_000 < raised[rank, beside].sum()
    assert folded[pair, 0] * 40 < raised[pair, 0]


def test_decisions_are_taken_as_often_as_said(analysed):
    taken = {choice.decision: float(choice.frequency) for choice in analysed["ante", ""].strategy}
    assert list(taken) == [
        wagers.decision_name(GAME.odds_tables(HEADS_UP), when) for when in (BEFORE, AFTER, LAST, FOLD)
    ]
    assert [round(share, 6) for share in taken.values()] == [0.313725, 0.240171, 0.248430, 0.197674]
    assert (
        settled(GAME.odds_tables(HEADS_UP).pays()).best.sum()
        == settled(GAME.odds_tables(HEADS_UP).pays()).late.sum()
        == CYCLE
    )


# ---- rounds dealt


def test_every_paytable_agrees_with_rounds_dealt():
    for place, answers in enumerate(covering(HEADS_UP)):
        result = simulate(HEADS_UP, answers, 300_000, seed=place)
        assert result.passed
        assert [row.wager for row in result.wagers] == ["ante", "pocket_bonus", "trips_plus"]


def test_rounds_dealt_do_not_depend_on_the_number_of_workers(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=30_000))
    one, two = (simulate(HEADS_UP, EVERYTHING, 100_000, seed=677, workers=workers) for workers in (1, 2))
    assert one == two


def test_story_ends_as_its_cards_say():
    analysis = analyze_whole(HEADS_UP, EVERYTHING)
    seen = set()
    for index in range(40):
        steps = round_steps(HEADS_UP, EVERYTHING, 3, 1, index)
        own, dealer = steps[0].cards, steps[1].cards
        board = [card for step in steps[2:-1] for card in step.cards]
        assert len({*own, *dealer, *board}) == 9
        ended = {one.wager: one for one in replay_round(HEADS_UP, EVERYTHING, analysis, 3, 1, index).settlements}
        raised = next(
            (word for step in steps for word in ("three", "two", "one") if f"raises {word} Ante" in step.what), ""
        )
        outcome = ended["ante"].row.outcome
        assert outcome.startswith({"three": "Raised 3×", "two": "Raised 2×", "one": "Raised 1×", "": "Folded"}[raised])
        mine, theirs = (slow(named([*two, *board])) for two in (own, dealer))
        if raised:
            end = "wins" if mine > theirs else "ties" if mine == theirs else "loses"
            assert f", {end}" in outcome
            assert (theirs[0] == 0) == outcome.endswith("dealer without a pair")
        assert (ended["trips_plus"].row.outcome == "Lost") == (mine[0] < hands.STANDARD.index(hands.THREE))
        seen.add(raised)
    assert seen == {"three", "two", "one", ""}


# ---- the largest round

STAKES = {"ante": Fraction(15), "pocket_bonus": Fraction(5), "trips_plus": Fraction(5)}


def test_largest_round_is_settled_as_its_cards_say():
    found = GAME.largest_round(HEADS_UP, EVERYTHING, STAKES, ())
    own, dealer = found.deal[0].cards, found.deal[1].cards
    board = [card for step in found.deal[2:-1] for card in step.cards]
    assert len({*own, *dealer, *board}) == 9
    mine, theirs = (slow(named([*two, *board])) for two in (own, dealer))
    assert mine[0] == hands.STANDARD.index(hands.ROYAL_FLUSH)
    assert 1 <= theirs[0] < mine[0]  # the dealer qualifies
    assert own[0] // 4 == own[1] // 4 == 12
    assert found.amount == 15 * (1 + 3 + 500) + 5 * 30 + 5 * 100


@pytest.mark.parametrize("paytable", TRIPS_TABLES)
def test_no_round_wins_more_than_the_largest(paytable):
    answers = next(one for one in covering(HEADS_UP) if one["trips_plus_paytable"] == paytable)
    """The bound is the sum of every wager's own largest win: no round can be above it."""
    rows = {row.wager: row for row in analyze_wagers(GAME, HEADS_UP, answers)}
    found = GAME.largest_round(HEADS_UP, answers, dict.fromkeys(STAKES, Fraction(1)), ())
    assert found.amount == sum(rows[wager].largest_win for wager in STAKES)


def test_largest_round_may_be_a_lost_one():
    """Without straight flushes, four aces that lose win more on the Odds Wager than four aces that win."""
    found = GAME.largest_round(HEADS_UP, EVERYTHING, STAKES, ("Royal flush", "Straight flush"))
    board = [card for step in found.deal[2:-1] for card in step.cards]
    mine, theirs = (slow(named([*step.cards, *board])) for step in found.deal[:2])
    assert mine[0] == hands.STANDARD.index(hands.FOUR)
    assert theirs > mine
    assert found.amount == 15 * (50 - 1 - 3) + 5 * 30 + 5 * 30 > 15 * (1 + 3 + 10) + 5 * 30 + 5 * 30
