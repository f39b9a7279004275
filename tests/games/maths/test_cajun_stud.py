"""Chapter 683a: the Board's figures, the strategy in words hand by hand, one hand by brute force, rounds dealt.

Not found here: a slightly wrong decision that the words repeat, except after the two hands played by brute force. Under
Paytable C, none is played.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from games.chapters.ch683a_cajun_stud import play
from games.maths import hands
from games.maths.cards import cards, names
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part, standard
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.paid_hands import LADDER, RESULTS, pays_of
from games.maths.staged_raises.streets.game import EXAMPLES
from games.maths.staged_raises.streets.wagers import FORM, best, equal_deals
from games.maths.wagers import analyze_wagers
from games.runs.dealing import deal_block
from games.runs.engine import analyze, replay_round, simulate
from tests.games.lazy import lazy_chapter
from tests.games.maths.slow_hands import worth
from tests.games.maths.street_engine import in_whole_numbers, place_2, place_3, place_4

pytestmark = pytest.mark.proof

CAJUN = lazy_chapter("683a")
TABLES = ("Paytable A", "Paytable B", "Paytable C")
EVERYTHING = {
    "ante_paytable": "Paytable A",
    "pocket_bonus_wager": True,
    "pocket_bonus_paytable": "Paytable A",
    "board_bonus_wager": True,
    "board_bonus_paytable": "Paytable A",
    "lo_ball_wager": True,
    "lo_ball_paytable": "Paytable A",
    "all_six_wager": True,
    "all_six_paytable": "Paytable E",
    "from_hand": True,
}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(play.GAME, CAJUN, None)}


# ---- figures


@pytest.mark.parametrize(
    ("paytable", "per_total", "per_ante", "reproduced"),
    [
        ("Paytable A", 1.369128, 4.914858, [True]),
        ("Paytable B", 4.283975, 15.232862, [True]),
        ("Paytable C", 3.922774, 14.105658, []),  # within the printed range, no figure of its own
    ],
)
def test_required_wagers_hold_what_the_board_printed(analysed, paytable, per_total, per_ante, reproduced):
    ante = analysed["ante", paytable]
    assert round(float(100 * ante.hold), 6) == per_total
    assert round(float(100 * ante.required.loss_per_ante), 6) == per_ante
    assert ante.required.loss_per_initial == ante.required.loss_per_ante
    assert [figure.reproduced for figure in ante.published] == reproduced
    assert ante.cycle == FORM.cycle == 155_937_600
    assert len(ante.outcomes) < 60


HOLDS = {
    "pocket_bonus": [4.524887, 6.787330, 9.954751],
    "board_bonus": [2.316742, 5.574661, 5.393665, 7.095023],
    "lo_ball": [8.712716, 7.182104],
    "all_six": [10.224790, 15.278989, 6.741335, 8.561408, 18.098054],
}


@pytest.mark.parametrize(("wager", "holds"), HOLDS.items())
def test_optional_wagers_hold_what_was_computed_for_them(analysed, wager, holds):
    found = [row for key, row in analysed.items() if key[0] == wager]
    assert [round(float(100 * row.hold), 6) for row in found] == holds
    for row in found:
        printed_otherwise = (wager, row.paytable) == ("board_bonus", "Paytable A")
        assert all(figure.reproduced is not printed_otherwise for figure in row.published)


def test_six_cards_are_counted_as_they_are_known_to_be():
    known = {
        hands.ROYAL_FLUSH: 184, "Six-card royal flush": 3, "Six-card royal flush of diamonds": 1,
        hands.STRAIGHT_FLUSH: 1656, hands.FOUR: 14_664, hands.FULL_HOUSE: 165_984, hands.FLUSH: 205_792,
        hands.STRAIGHT: 361_620, hands.THREE: 732_160,
    }  # fmt: skip
    assert {name: bonuses.sixes()[name] for name in known} == known
    assert bonuses.sixes().total() == 20_358_520


def test_five_cards_are_counted_as_they_are_known_to_be():
    counts = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
    assert [bonuses.fives()[name] for name in hands.STANDARD] == counts
    assert bonuses.lows().total() == counts[0]


def test_every_result_is_that_of_the_slow_evaluator():
    for text, name in zip(EXAMPLES, RESULTS, strict=True):
        assert slow_result(cards(text)) == name
    step = 1_237  # prime: every part of the deck comes up
    for number, five in enumerate(combinations(range(52), 5)):
        if number % step == 0:
            assert fast_result(five) == slow_result(five)


def fast_result(five):
    key = int(sum(standard().keys[list(five)]))
    return RESULTS[LADDER.results()[LOW[low_part(key)] + HIGH[high_part(key)] + flush_part(key)]]


def slow_result(five):
    kind, ranks = worth([names([card]) for card in five], hands.STANDARD)
    if hands.STANDARD[kind] == hands.PAIR:
        return RESULTS[0] if ranks[0] < 6 else RESULTS[1] if ranks[0] < 11 else RESULTS[2]
    return RESULTS[0] if kind == 0 else RESULTS[kind + 1]


# ---- the best play


def test_who_never_folds_ends_in_every_five_cards_alike(analysed):
    once = next(
        plain for plain in analysed["ante", "Paytable A"].simplified_plays if plain.name == "Always raises one Ante"
    )
    held = bonuses.fives()
    pays = dict(zip(RESULTS, pays_of(CAJUN.paytable("ante", "Paytable A")), strict=True))
    won = sum(held[name] * pays[result] for name, result in zip(hands.STANDARD[2:], RESULTS[3:], strict=True))
    each = held[hands.PAIR] // 13  # pairs of one rank
    won += 4 * each - 4 * each - held[hands.HIGH_CARD]  # jacks to aces win, 2s to 5s lose
    assert once.required.loss_per_ante == -4 * Fraction(won) / bonuses.FIVES
    assert once.required.average_wagered == 4


def test_plain_players_lose_more(analysed):
    for paytable in TABLES:
        ante = analysed["ante", paytable]
        assert all(plain.required.loss_per_ante > ante.required.loss_per_ante for plain in ante.simplified_plays)
        assert len(ante.simplified_plays) == 3


@pytest.mark.parametrize(("own", "paytable"), [("6s 5s", "Paytable A"), ("Td 6h", "Paytable B")])
def test_no_play_by_brute_force_is_better(own, paytable):
    """Every order of community cards, every raise of one, two and three, with a slow evaluator."""
    pays, unit = in_whole_numbers(pays_of(CAJUN.paytable("ante", paytable)))
    table, (a, b) = dict(zip(RESULTS, map(int, pays), strict=True)), sorted(cards(own), reverse=True)
    deck = [card for card in range(52) if card not in (a, b)]
    paid = {board: table[slow_result((a, b, *board))] for board in combinations(deck, 3)}
    means = {
        (x, y): sum(paid[tuple(sorted((x, y, z)))] for z in deck if z not in (x, y)) for x, y in combinations(deck, 2)
    }
    first_table, second_table, third_table = best(CAJUN.paytable("ante", paytable)).decisions

    def third(x, y, wagered):
        pair = (min(x, y), max(x, y))
        place = place_4(*sorted((a, b, x, y), reverse=True))
        taken = int(third_table[place, (wagered - 3) // 2]) if wagered % 2 else None
        worths = {0: -48 * unit * wagered} | {raised: (wagered + raised) * means[pair] for raised in (1, 2, 3)}
        assert taken is None or worths[taken] == max(worths.values())
        return max(worths.values())

    def second(x, wagered):
        worths = {0: -49 * 48 * unit * wagered}
        for raised in (1, 2, 3):
            worths[raised] = sum(third(x, y, wagered + raised) for y in deck if y != x)
        if wagered % 2 == 0:
            taken = int(second_table[place_3(*sorted((a, b, x), reverse=True)), (wagered - 2) // 2])
            assert worths[taken] == max(worths.values())
        return max(worths.values())

    worths = {0: -50 * 49 * 48 * unit} | {raised: sum(second(x, 1 + raised) for x in deck) for raised in (1, 2, 3)}
    assert worths[int(first_table[place_2(a, b), 0])] == max(worths.values())


# ---- the strategy in words, written again as conditions


def points(ranks):
    return sum(2 if rank >= 9 else 1 if rank >= 4 else 0 for rank in ranks)


def gaps(ranks, low_ace=False):
    """The ranks missing between the lowest and the highest; with `low_ace` an ace may stand below the 2."""
    if len(set(ranks)) < len(ranks):
        return 99
    spans = [max(ranks) - min(ranks)]
    if low_ace and 12 in ranks:
        lowered = [-1 if rank == 12 else rank for rank in ranks]
        spans.append(max(lowered) - min(lowered))
    return min(spans) - len(ranks) + 1


def no_longer_loses(ranks):
    counts = Counter(ranks)
    return max(counts.values()) > 2 or len(counts) < len(ranks) - 1 or any(n == 2 and r >= 4 for r, n in counts.items())


def first_words(ranks, suited, paytable):
    if ranks[0] == ranks[1]:
        return 3
    if paytable == "Paytable B":
        return 1 if points(ranks) >= 2 and (suited or sorted(ranks) != [4, 8]) else 0
    return 1 if points(ranks) >= 2 or (suited and sorted(ranks) == [3, 4]) else 0


def second_words(ranks, suited, paytable):
    high = sum(rank >= 9 for rank in ranks)
    one_gap = high >= 1 if paytable == "Paytable A" else min(ranks) >= 4
    two_gaps = high >= (1 if paytable == "Paytable C" else 2)
    if no_longer_loses(ranks):
        return 3
    if suited:
        if min(ranks) >= 8 or (gaps(ranks) == 0 and min(ranks) >= 3):
            return 3
        return 3 if (gaps(ranks) == 1 and one_gap) or (gaps(ranks) == 2 and two_gaps) else 1
    if len(set(ranks)) < 3 or points(ranks) >= 3 or (gaps(ranks) == 0 and min(ranks) >= 2):
        return 1
    return 1 if gaps(ranks) == 1 and sum(4 <= rank <= 8 for rank in ranks) >= 2 else 0


def third_words(ranks, suited, thrice, paytable):
    lowest_top, highest_top = (6, 11) if paytable != "Paytable C" else (4, 12)
    if no_longer_loses(ranks) or suited:
        return 3
    if gaps(ranks) == 0 and lowest_top <= max(ranks) <= highest_top:
        return 3
    if gaps(ranks, low_ace=True) <= 1 or len(set(ranks)) < 4 or points(ranks) >= 4:
        return 1
    return 1 if thrice and sum(4 <= rank <= 8 for rank in ranks) >= 3 else 0


def in_order_of_suits(held):
    """Of hands that differ by the names of suits only, at least one has its suits appear in this order."""
    seen = list(dict.fromkeys(card % 4 for card in held))
    return seen == sorted(seen) and seen[-1] == len(seen) - 1


@pytest.mark.parametrize("paytable", TABLES)
def test_strategy_in_words_is_what_the_enumeration_finds(paytable):
    first_table, second_table, third_table = best(CAJUN.paytable("ante", paytable)).decisions

    def said(held, rule, *more):
        return rule([card // 4 for card in held], len({card % 4 for card in held}) == 1, *more, paytable)

    @cache
    def first(held):
        return said(held, first_words)

    @cache
    def after_three(held):
        """Stakes with which the second decision is reached, in raises of three."""
        return {first(pair) // 2 for pair in combinations(held, 2) if first(pair)}

    @cache
    def on(held, thrice):
        return said(held, second_words) if thrice in after_three(held) else 0

    for held in combinations(range(51, -1, -1), 2):
        assert first_table[place_2(*held), 0] == first(held)
    reached = 0
    for held in combinations(range(51, -1, -1), 3):
        for thrice in after_three(held):
            assert second_table[place_3(*held), thrice] == said(held, second_words)
    for held in filter(in_order_of_suits, combinations(range(51, -1, -1), 4)):
        stakes = {t + on(three, t) // 2 for three in combinations(held, 3) for t in after_three(three) if on(three, t)}
        for thrice in stakes:
            reached += 1
            assert third_table[place_4(*held), thrice] == said(held, third_words, thrice)
    assert reached > 10_000


def test_equal_decisions_are_those_that_the_words_name():
    """Paytable A: four points at three Antes, a fold as good as one Ante more."""
    found = best(CAJUN.paytable("ante", "Paytable A"))
    assert [round(deals / FORM.cycle, 6) for deals in equal_deals(found)] == [0, 0, 0.106204]
    for four in ("As Kd 5h 2c", "As 9d 7h 2c"):
        place = place_4(*sorted(cards(four), reverse=True))
        assert found.decisions[2][place, 0] == 1
        assert found.tied[2][place, 0]


def test_the_square_of_two_cards_shows_the_decisions(analysed):
    square = analysed["ante", "Paytable B"].strategy_tables[0]
    cells = {
        (line[0], rank): cell for line in square.rows for rank, cell in zip(square.header[1:], line[1:], strict=True)
    }
    assert {cells[rank, rank] for rank in square.header[1:]} == {"3×"}
    assert (cells["T", "6"], cells["6", "T"], cells["6", "5"]) == ("1×", "fold", "fold")


# ---- rounds


def test_rounds_dealt_agree_with_every_paytable():
    size = {wager: len(CAJUN.tables_of(wager)) for wager in HOLDS | {"ante": 0}}
    for turn in range(5):
        names_of = {f"{wager}_paytable": f"Paytable {'ABCDE'[turn % count]}" for wager, count in size.items()}
        result = simulate(CAJUN, EVERYTHING | names_of, 300_000, seed=683 + turn)
        assert [row.wager for row in result.wagers if not row.passed] == []


def test_rounds_do_not_depend_on_the_number_of_workers(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=30_000))
    one, two = (simulate(CAJUN, EVERYTHING, 100_000, seed=9, workers=workers) for workers in (1, 2))
    assert one == two


def test_a_story_is_settled_as_a_slow_evaluator_settles_it():
    analysis = analyze(CAJUN, EVERYTHING)
    for index in range(60):
        replayed = replay_round(CAJUN, EVERYTHING, analysis, seed=3, block=2, index=index)
        dealt = [card for step in replayed.steps for card in step.cards]
        assert len(set(dealt)) == len(dealt) == 9
        settled = {one.wager: one for one in replayed.settlements}
        raised = [3 if "three times" in step.what else 1 for step in replayed.steps if "Raise Wager" in step.what]
        ante, folded = settled["ante"].row, any(step.what == "folds" for step in replayed.steps)
        assert ante.wagered == 1 + sum(raised)
        assert ante.outcome.startswith("Folded") is folded
        if not folded:
            pay = dict(zip(RESULTS, pays_of(CAJUN.paytable("ante", "Paytable A")), strict=True))[slow_result(dealt[4:])]
            assert ante.net == pay * ante.wagered
        assert all(step.section in CAJUN.sections for step in replayed.steps)
        assert all(one.section in CAJUN.sections for one in replayed.settlements)


# ---- the largest round


def test_largest_round_is_the_settlement_of_its_own_deal():
    largest = play.GAME.largest_round(CAJUN, EVERYTHING, {"ante": Fraction(15)}, ())
    held = [card for step in largest.deal for card in step.cards]
    assert slow_result(held) == "Royal flush"
    assert largest.amount == 15 * 4 * 500  # § 683a.12(f): the Ante and three Raises at the minimum
    without = play.GAME.largest_round(CAJUN, EVERYTHING, {"ante": Fraction(15)}, ("Royal flush",))
    assert slow_result([card for step in without.deal for card in step.cards]) == "Straight flush"
    assert without.amount == 15 * 4 * 100


def test_no_round_dealt_wins_more_per_ante_wagered_than_the_largest(analysed):
    largest = play.GAME.largest_round(CAJUN, EVERYTHING, {"ante": Fraction(1)}, ())
    tally = deal_block(CAJUN, EVERYTHING, 5, 0, 1_000_000)["ante"]
    rows = {row.outcome: row for row in analysed["ante", "Paytable A"].outcomes}
    assert max(rows[outcome].net / rows[outcome].wagered for outcome in tally) <= largest.amount / 4
