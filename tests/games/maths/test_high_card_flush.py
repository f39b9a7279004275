"""Chapter 678a: the figures that the Board printed, hands counted slowly, decisions, rounds dealt, largest round.

Not found here: wrong odds in the paytables without a printed figure, if they were wrong when the holds were recorded.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, sqrt
from random import Random

import numpy as np
import pytest
from numba import njit

from games.chapters.ch678a_high_card_flush import play
from games.chapters.ch678a_high_card_flush.play import GAME
from games.maths.cards import cards
from games.maths.longest_flush import exact
from games.maths.longest_flush.exact import DEALERS, MIXED, best_play
from games.maths.longest_flush.rules import BESIDE, OF_SIZE, PLACES, SIZES, beside, beside_number, longest_run
from games.maths.wagers import analyze_wagers
from games.rules.wagers_in_play import covering
from games.runs.dealing import deal_block, round_steps
from games.runs.engine import analyze as analyze_whole
from games.runs.engine import replay_round, simulate
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof

HIGH_CARD_FLUSH = lazy_chapter("678a")
RULES = GAME.rules
QUALIFIER = (3, 7, 3 << 13 | 1 << 7 | 0b11)  # three cards, nine high; the lowest of them 9, 3, 2
RANKS = "23456789TJQKA"
EVERYTHING = {
    "flush_bonus_wager": True,
    "flush_bonus_paytable": "Paytable A",
    "straight_flush_bonus_wager": True,
    "straight_flush_bonus_paytable": "Paytable A",
    "progressive_jackpot_wager": True,
    "progressive_paytable": "Paytable A",
}
TERMS = {"progressive_bet": "1.00", "progressive_reset": "30000.00", "progressive_rate": "25"}


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, HIGH_CARD_FLUSH, None)}


# ---- a slow evaluator that shares nothing with the fast one


def slow_flush(names: str) -> tuple[int, list[int]]:
    """(size, ranks from the highest) of the longest flush: § 678a.6(b), (c)."""
    suits = [
        sorted((RANKS.index(card[0]) for card in names.split() if card[1] == suit), reverse=True) for suit in "cdhs"
    ]
    return max((len(ranks), ranks) for ranks in suits)


def slow_run(names: str) -> int:
    """Length of the longest straight flush, the ace high or low."""
    best = 0
    for suit in "cdhs":
        held = {RANKS.index(card[0]) + 2 for card in names.split() if card[1] == suit}
        held |= {1} if 14 in held else set()
        for low in held:
            length = 0
            while low + length in held:
                length += 1
            best = max(best, length)
    return best


@njit
def slow_dealers(deck, size, flush):
    """Each of the C(45, 7) hands of the dealer, one after the other: [does not qualify, lower, equal, higher]."""
    found, suits = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for a in range(45):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            suits[:] = 0
                            for place in (a, b, c, d, e, f):
                                suits[deck[place] % 4] += 10_000 + 2 ** (deck[place] // 4)
                            for g in range(f):
                                suits[deck[g] % 4] += 10_000 + 2 ** (deck[g] // 4)
                                best = suits.max()
                                suits[deck[g] % 4] -= 10_000 + 2 ** (deck[g] // 4)
                                mine = 10_000 * size + flush
                                found[
                                    0 if best < 30_000 + 2**7 else 2 if best == mine else 1 if best < mine else 3
                                ] += 1
    return found


@pytest.mark.parametrize("names", ["Ts 9s 4s Ah Kh 7d 5d", "Ts 9s 8s 7h 6h 5h 2c", "Ks 9s 4s 3s 7h 7d 5d"])
def test_every_hand_of_the_dealer_is_counted(names):
    """Against the generating functions: a hand of which the other cards decide, two flushes of a size, a longer one.

    Not found here: hands of other forms than these three.
    """
    own = cards(names)
    deck = np.array([card for card in range(52) if card not in own])
    size, ranks = slow_flush(names)
    slow = slow_dealers(deck, size, sum(2**rank for rank in ranks))
    flush, *others = held_by_suit(names)
    lower, found = np.zeros(1 << 13, np.int64), np.zeros(4, np.int64)
    for held in others:
        lower[held] = exact._lower(flush, held, size, SIZES, exact._CHOOSE)
    suits, work = np.zeros((4, 4), np.int64), np.zeros((2, 8), np.int64)
    exact._face(size, flush, np.array(others), lower, SIZES, exact._CHOOSE, QUALIFIER, suits, work, found)
    assert found.tolist() == slow.tolist()
    assert found.sum() == DEALERS == comb(45, 7)
    assert (decision(names) > 0) == (found[0] + 2 * (found[1] - found[3]) >= -DEALERS)


def held_by_suit(names: str) -> list[int]:
    """What each suit holds as bits, the highest flush first."""
    suits = [sum(1 << card // 4 for card in cards(names) if card % 4 == suit) for suit in range(4)]
    return sorted(suits, key=lambda held: (held.bit_count(), held), reverse=True)


def decision(names: str) -> int:
    """The decision as the table says it, looked up with plain Python."""
    best = best_play(RULES)
    own, first, second, third = held_by_suit(names)
    raised = int(best.by_value[own.bit_count() << 13 | own])
    if raised != MIXED:
        return raised
    places = [int(PLACES[held]) for held in (first, second, third)]
    number = beside_number(first.bit_count(), second.bit_count(), *places)
    return int(best.by_others[best.rows[PLACES[own]], number])


def test_every_four_cards_in_three_suits_have_their_own_number():
    others, ways = beside(4)
    numbers = [
        beside_number(*(int(SIZES[held]) for held in three[:2]), *(int(PLACES[held]) for held in three))
        for three in others.tolist()
    ]
    assert numbers == list(range(BESIDE))
    assert int(ways.sum()) == comb(39, 4) - 3 * comb(13, 4)  # none has four of a suit


def test_straight_flushes_are_counted_with_the_ace_high_and_low():
    random = Random(678)
    pack = [rank + suit for rank in RANKS for suit in "cdhs"]
    for _ in range(3000):
        names = " ".join(random.sample(pack, 7))
        held = [sum(1 << card // 4 for card in cards(names) if card % 4 == suit) for suit in range(4)]
        assert max(map(longest_run, held)) == slow_run(names)
    assert slow_run("As 2s 3s Ks 5h 6h 9d") == 3
    assert longest_run(1 << 12 | 0b111) == 4  # ace, 2, 3, 4


# ---- figures


@pytest.mark.parametrize(
    ("paytable", "hold"),
    [*zip("ABCDEFGH", (7.807158, 5.303835, 10.621312, 11.083070, 9.595185, 7.294094, 6.781031, 8.063690), strict=True)],
)
def test_flush_bonus_holds(analysed, paytable, hold):
    flush_bonus = analysed["flush_bonus", f"Paytable {paytable}"]
    assert round(float(100 * flush_bonus.hold), 6) == hold
    assert all(figure.reproduced for figure in flush_bonus.published)
    assert len(flush_bonus.published) == (paytable in "BD")


@pytest.mark.parametrize(("paytable", "hold"), [*zip("ABCD", (13.086386, 6.267258, 7.757421, 7.388470), strict=True)])
def test_straight_flush_bonus_holds_are_not_the_published_range(analysed, paytable, hold):
    bonus = analysed["straight_flush_bonus", f"Paytable {paytable}"]
    assert round(float(100 * bonus.hold), 6) == hold
    assert [figure.figure for figure in bonus.published] == {"A": ["13.0% hold"], "B": ["6.6% hold"]}.get(paytable, [])
    assert not any(figure.reproduced for figure in bonus.published)


def test_straight_flush_bonus_before_its_amendment_gives_the_lower_published_figure(analysed):
    """Struck out of Paytable A: 500, 200, 100, 75 and 7 to 1 (reading `straight-flush-range`)."""
    counts = {row.outcome: row.count for row in analysed["straight_flush_bonus", "Paytable A"].outcomes}
    struck = {"Seven": 500, "Six": 200, "Five": 100, "Four": 75, "Three": 7}
    won = sum(odds * counts[f"{size}-card straight flush"] for size, odds in struck.items())
    assert round(100 * (counts["Lost"] - won) / comb(52, 7), 1) == 6.6


def test_progressive_by_its_terms():
    answers = {"progressive_jackpot_wager": True, "progressive_paytable": "Paytable A"}
    found = {row.wager: row for row in analyze_wagers(GAME, HIGH_CARD_FLUSH, answers | TERMS)}[
        "progressive"
    ].progressive
    assert round(float(100 * found.fixed_return), 2) == 47.07
    assert (found.reset, found.rate) == (30_000, Fraction(1, 4))
    assert found.long_run_return == found.fixed_return + Fraction(1, 4) + 30_000 * Fraction(32, comb(52, 7))
    bet_5 = {
        row.wager: row for row in analyze_wagers(GAME, HIGH_CARD_FLUSH, answers | TERMS | {"progressive_bet": "5.00"})
    }
    assert bet_5["progressive"].progressive.meter_coefficient == found.meter_coefficient / 5
    unanswered = {row.wager: row for row in analyze_wagers(GAME, HIGH_CARD_FLUSH, answers)}["progressive"]
    assert unanswered.progressive.long_run_return is None
    assert len(unanswered.notes) == 2


def test_required_wagers_lose_2_66_percent_of_the_ante(analysed):
    ante = analysed["ante", ""]
    assert ante.cycle == comb(52, 7) * comb(45, 7)
    assert round(float(100 * ante.required.loss_per_ante), 6) == 2.664530
    assert round(float(100 * ante.hold), 6) == 1.557067
    assert ante.required.loss_per_initial == ante.required.loss_per_ante
    plain = {play.name: round(float(100 * play.required.loss_per_ante), 6) for play in ante.simplified_plays}
    assert plain == {
        "Always raises": 9.998409,
        "Raises what would qualify": 3.717565,
        "Raises from jack high": 2.745610,
        "Never raises more than the Ante": 5.065441,
    }


def test_strategy_in_words_is_what_the_enumeration_finds():
    best = best_play(RULES)
    for size in range(2, 8):
        for flush in OF_SIZE[size]:
            said = {4: 1, 5: 2, 6: 3, 7: 3}.get(size, 0)
            if size == 3:
                said = 0 if flush < 1 << 8 else MIXED if flush < 1 << 9 else 1  # ten high: the other cards
            assert best.by_value[size << 13 | flush] == said
    assert not best.equal.any()


def test_strategy_table_adds_up_to_every_three_card_flush_ten_high(analysed):
    table = analysed["ante", ""].strategy_tables[1]
    assert len(table.rows) == 28  # two of the eight ranks below the ten
    raised, hands = (
        sum(int(cell.split(" of ")[side].replace(",", "")) for row in table.rows for cell in row[1:]) for side in (0, 1)
    )
    ends = best_play(RULES).ends[3, 8].sum(axis=1)
    assert [int(ends[0]), int(ends[1])] == [(hands - raised) * DEALERS, raised * DEALERS]


# ---- rounds dealt


def test_every_paytable_agrees_with_rounds_dealt():
    for place, answers in enumerate(covering(HIGH_CARD_FLUSH)):
        result = simulate(HIGH_CARD_FLUSH, answers, 300_000, seed=place)
        assert result.passed
        assert len(result.wagers) == 4


def test_rounds_dealt_do_not_depend_on_the_number_of_workers(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=100_000))
    one, two = (simulate(HIGH_CARD_FLUSH, EVERYTHING, 450_000, seed=678, workers=workers) for workers in (1, 2))
    assert one == two
    assert one.passed


def test_story_is_of_the_cards_that_were_dealt():
    analysis = analyze_whole(HIGH_CARD_FLUSH, EVERYTHING)
    for index in (0, 1, 77, 4242):
        steps = round_steps(HIGH_CARD_FLUSH, EVERYTHING, 3, 1, index)
        own, dealer = steps[0].cards, steps[1].cards
        assert len({*own, *dealer}) == 14
        replayed = replay_round(HIGH_CARD_FLUSH, EVERYTHING, analysis, 3, 1, index)
        ended = {one.wager: one.row.outcome for one in replayed.settlements}
        raised, mine, theirs = decision(named(own)), slow_flush(named(own)), slow_flush(named(dealer))
        if raised == 0:
            assert ended["ante"] == "Folded"
        elif theirs < (3, [7]):
            assert ended["ante"] == f"Raised {raised}×, dealer does not qualify"
        else:
            end = "wins" if mine > theirs else "ties" if mine == theirs else "loses"
            assert ended["ante"] == f"Raised {raised}×, {end}"
        assert (ended["straight_flush_bonus"] == "Lost") == (slow_run(named(own)) < 3)


def named(dealt: tuple[int, ...]) -> str:
    return " ".join(RANKS[card // 4] + "cdhs"[card % 4] for card in dealt)


# ---- the largest round

STAKES = {"ante": Fraction(15), "flush_bonus": Fraction(5), "straight_flush_bonus": Fraction(5)}


def test_largest_round_is_a_seven_card_straight_flush_raised_three_times():
    found = GAME.largest_round(HIGH_CARD_FLUSH, EVERYTHING, STAKES, ())
    own, dealer = found.deal[0].cards, found.deal[1].cards
    assert len({*own, *dealer}) == 14
    assert slow_run(named(own)) == slow_flush(named(own))[0] == 7
    assert (3, [7]) <= slow_flush(named(dealer)) < slow_flush(named(own))
    assert found.amount == 15 * (1 + 3) + 5 * 300 + 5 * 8000
    assert [part.wager for part in found.parts] == list(STAKES)


@pytest.mark.parametrize("place", range(8))  # of the eight configurations that use every paytable
def test_no_round_wins_more_than_the_largest(place):
    answers = covering(HIGH_CARD_FLUSH)[place]
    """The bound is the sum of every wager's own largest win: no round can be above it."""
    stakes = dict.fromkeys(STAKES, Fraction(1))
    found = GAME.largest_round(HIGH_CARD_FLUSH, answers, stakes, ())
    rows = {row.wager: row for row in analyze_wagers(GAME, HIGH_CARD_FLUSH, answers)}
    assert found.amount == sum(rows[wager].largest_win for wager in stakes)  # all of them in one round


def test_largest_round_leaves_out_what_the_limit_does_not_cover():
    found = GAME.largest_round(HIGH_CARD_FLUSH, EVERYTHING, STAKES, ("Seven-card straight flush",))
    assert found.amount == 15 * 4 + 5 * 300 + 5 * 1000  # a seven-card flush with six in consecutive rank


def test_decision_table_agrees_with_the_rounds_dealt():
    share = deal_block(HIGH_CARD_FLUSH, {}, 1, 2, 300_000)["ante"]["Folded"] / 300_000
    folded = float(best_play(RULES).ends[:, :, 0].sum() / best_play(RULES).ends.sum())
    assert abs(share - folded) < 4 * sqrt(folded * (1 - folded) / 300_000)
