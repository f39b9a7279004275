"""Guides and signs of two games against the dealer beside their settlement: 677a, and the main wager of 688a.

Hands are ranked by slow evaluators that share nothing with the games; what they win is what the game's settlement says,
and what follows from the guide's sentences and the cells of the sign.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from games.chapters.ch677a_world_poker_tour_heads_up_hold_em.play import GAME
from games.maths import hands
from games.maths.heads_up.rules import (
    AFTER,
    BEFORE,
    ENDS,
    FOLD,
    LAST,
    LOSE,
    LOSE_UNQUALIFIED,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
)
from games.maths.heads_up.wagers import IN_WORDS, PRINTED, bonus_wager, ending
from games.maths.results import LOST_OUTCOME
from games.maths.two_hands.setting import SETTINGS
from games.maths.two_hands.seven_wagers import ENDS as PAI_GOW_ENDS
from games.maths.two_hands.seven_wagers import LOSES, PUSHES, TIES, WINS
from games.registry import chapter
from games.runs.dealing import deal_block, round_steps
from games.second.seven_cards import most_beaten
from submissions.layouts.paper_content import payout_sign_content
from tests.games.chapters.examples import example
from tests.games.maths.slow_hands import worth
from tests.games.maths.two_hands import slow
from tests.submissions.layouts.filled import alike
from tests.submissions.layouts.guide_words import step, table

pytestmark = pytest.mark.slow

# ---- 677a: the player's cards, the dealer's, the board

DEALS = [
    ("As Ks", "8c 8h", "Qs Js Ts 2d 3h"),
    ("9s 8s", "Ac Ah", "7s 6s 5s 2d 3h"),
    ("9s 9h", "Ac Ah", "9c 9d 5s 2d 3h"),
    ("Ks Kh", "Ac 4h", "Kc 5d 5s 2d 8h"),
    ("As 9s", "Kc Kh", "7s 4s 2s Jd 3h"),
    ("9s 8h", "Ac Ah", "7s 6c 5d 2d Kh"),
    ("7s 7h", "Ac Ah", "7c Kd 5s 2d Jh"),
    ("As Kh", "Qc Qh", "Ac Kd 5s 2d Jh"),
    ("As 8h", "Qc Qh", "Ac Kd 5s 2d Jh"),
    ("As 8h", "Qc 9h", "Ac Kd 5s 2d Jh"),  # from here on some dealers have no pair
    ("9s 8h", "Ac Qh", "7s 6c 5d 2d Kh"),
    ("As Qh", "Qc 9h", "3c Kd 5s 2d Jh"),
    ("Qc 9h", "As Th", "3c Kd 5s 2d Jh"),
    ("2s 3h", "2c 3d", "Ac Kd Qs 9d 7h"),
    ("2s 3h", "2c 3d", "Kc Kd Qs Jd 9h"),  # equal hands with a pair
    ("Qc Qh", "As Kh", "Ac Kd 5s 2d Jh"),  # from here on the dealer is higher
    ("7s 7h", "Ks Kh", "7c Kd 5s 2d Jh"),
    ("9s 8h", "Ad 3d", "7d 6d 5d 2c Kh"),
    ("9s 8s", "As Ts", "7s 4s 2s Jd 3h"),
    ("Qs Qh", "Ks Kh", "Qc Kd 5s 5d 2h"),
    ("Qs Qh", "Ks Kh", "Qc Qd Kd Kc 2h"),
    ("6s 5s", "Js Ts", "9s 8s 7s 2d 3h"),
]
PAIR, STRAIGHT = hands.STANDARD.index(hands.PAIR), hands.STANDARD.index(hands.STRAIGHT)
RAISED = {3: BEFORE, 2: AFTER, 1: LAST}


def best_of_seven(own: str, board: str) -> tuple[int, list[int]]:
    return max(worth(list(five), hands.STANDARD) for five in combinations([*own.split(), *board.split()], 5))


def end_of(mine: tuple[int, list[int]], theirs: tuple[int, list[int]]) -> int:
    qualified = theirs[0] >= PAIR
    if mine > theirs:
        return WIN if qualified else WIN_UNQUALIFIED
    if mine == theirs:
        return TIE if qualified else TIE_UNQUALIFIED
    return LOSE if qualified else LOSE_UNQUALIFIED


def cell(wager: str, rank: int) -> Fraction | None:
    """What the sign says that this hand wins on the wager; None where it has no row."""
    shown = dict(table("677a", wager).rows).get(PRINTED[rank])
    if shown is None or shown == "Push":
        return None if shown is None else Fraction(0)
    return Fraction(shown.replace(",", "").replace(" to ", "/"))


def as_the_guide_says(mine: tuple[int, list[int]], theirs: tuple[int, list[int]], raised: int) -> Fraction:
    """What Ante, Odds and Raise Wagers win together, from the words of the guide and the cells of the sign."""
    compared, bad_beat = step("677a", "The hands are compared"), step("677a", "Bad Beat payout. Your Ante")
    paid = re.search(r"the Odds Wager is paid with (.+?) or better\. With a lower winning hand the Odds", compared)
    assert paid
    assert (
        "Odds Wager is returned. If your hand is equal, all three are returned. If it is lower, they lose" in compared
    )
    assert "If the dealer has no pair or better, the Ante Wager is returned in any case." in compared
    beaten = re.search(
        r"If you lose with (.+?) or higher to a dealer with a pair or better, the Odds Wager wins", bad_beat
    )
    assert beaten
    ante = Fraction(theirs[0] >= PAIR)
    if mine > theirs:
        odds = cell("odds", mine[0]) if mine[0] >= IN_WORDS.index(paid.group(1)) else Fraction(0)
        assert odds is not None
        return ante + raised + odds
    if mine == theirs:
        return Fraction(0)
    bonus = mine[0] >= IN_WORDS.index(beaten.group(1)) and theirs[0] >= PAIR
    odds = cell("bad_beat", mine[0]) if bonus else Fraction(-1)
    assert odds is not None
    return odds - ante - raised


@pytest.mark.parametrize(("own", "dealer", "board"), DEALS)
def test_heads_up_hand_is_settled_as_guide_and_sign_say(own: str, dealer: str, board: str) -> None:
    mine, theirs = best_of_seven(own, board), best_of_seven(dealer, board)
    for raised, when in RAISED.items():
        settled = ending(GAME.odds_tables(chapter("677a")), GAME.sections, when, end_of(mine, theirs), mine[0])
        assert settled.net == as_the_guide_says(mine, theirs, raised)
        assert settled.wagered == 2 + raised


def test_heads_up_deals_have_every_end_and_every_row() -> None:
    found = [(best_of_seven(own, board), best_of_seven(dealer, board)) for own, dealer, board in DEALS]
    assert {end_of(mine, theirs) for mine, theirs in found} == set(ENDS)
    won = {PRINTED[mine[0]] for mine, theirs in found if end_of(mine, theirs) == WIN}
    assert {row[0] for row in table("677a", "odds").rows} == won
    lost = {PRINTED[mine[0]] for mine, theirs in found if mine < theirs and mine[0] >= STRAIGHT}
    assert {row[0] for row in table("677a", "bad_beat").rows} == lost


def test_heads_up_fold_loses_ante_and_odds() -> None:
    assert ending(GAME.odds_tables(chapter("677a")), GAME.sections, FOLD, LOSE, PAIR).net == -2
    assert "or fold and lose the Ante and Odds Wagers." in step("677a", "The last two community cards")


@pytest.mark.parametrize("wager", ["pocket_bonus", "trips_plus"])
def test_heads_up_bonus_wagers_win_with_what_the_guide_says(wager: str) -> None:
    for paytable in chapter("677a").tables_of(wager):
        answers = {**alike("677a", True), f"{wager}_paytable": paytable.name}
        analysis = bonus_wager(paytable, GAME.bonuses[wager])
        paid = {row.outcome: row.net for row in analysis.outcomes}
        assert paid.pop(LOST_OUTCOME) == -1
        shown = dict(table("677a", wager, **answers).rows)
        assert {outcome: Fraction(pays.replace(" to ", "/")) for outcome, pays in shown.items()} == paid
        lost = next(row.probability for row in analysis.outcomes if row.outcome == LOST_OUTCOME)
        if wager == "pocket_bonus":
            said = step("677a", "a Pocket Bonus Wager", **answers)
            assert "It wins if your own two cards are a pair, or an ace with a king, queen or jack." in said
            assert lost == 1 - Fraction(13 * comb(4, 2) + 3 * 4 * 4, comb(52, 2))
        else:
            said = step("677a", "a Trips Plus Wager", **answers)
            assert "contain three-of-a-kind or better. It loses with less." in said
            less = 23_294_460 + 58_627_800 + 31_433_400  # seven cards with a high card, a pair, two pairs at best
            assert lost == Fraction(less, comb(52, 7))


# ---- 688a: rounds as the game deals and settles them

ACE_HIGH = (
    "If the dealer has an Ace High Pai Gow, your wager is returned. That is seven cards with no pair or better, and an "
    "ace or the joker as the highest."
)


def beaten_as_the_guide_says(beaten: int) -> int:
    """The end, from the number of the dealer's hands that the player's are higher than."""
    compared = step("688a", "has an Ace High Pai Gow, your wager")
    results = dict(re.findall(r"If (both|one|neither) [^.]*, (you win|your wager is returned|you lose)\.", compared))
    ends = {"you win": WINS, "your wager is returned": TIES, "you lose": LOSES}
    return ends[results[("neither", "one", "both")[beaten]]]


def is_ace_high(seven: list[int]) -> bool:
    best = max(slow.high(five) for five in combinations(seven, 5))
    return best[0] == 0 and best[1][0] == 12


def test_pai_gow_rounds_are_settled_as_the_guide_says() -> None:
    assert ACE_HIGH in step("688a", "has an Ace High Pai Gow, your wager")
    answers = example("688a")
    names = {name.format("an Ace High Pai Gow"): end for end, (name, _) in PAI_GOW_ENDS.items()}
    before: dict[str, int] = dict.fromkeys(names, 0)
    seen = []
    for index in range(60):
        after = deal_block(chapter("688a"), answers, 688, 0, index + 1)["pai_gow"]
        (settled,) = [names[name] for name, times in after.items() if times > before[name]]
        before = dict.fromkeys(names, 0) | after
        player, dealer, *shown, own_high, own_low = (
            list(each.cards) for each in round_steps(chapter("688a"), answers, 688, 0, index)
        )
        dealer_high, dealer_low = shown
        assert sorted(own_high + own_low) == sorted(player)
        beaten = (slow.high(own_high) > slow.high(dealer_high)) + (slow.low(own_low) > slow.low(dealer_low))
        expected = PUSHES if is_ace_high(dealer) else beaten_as_the_guide_says(beaten)
        assert settled == expected, (player, dealer)
        seen.append(settled)
    assert set(seen) == {LOSES, TIES, WINS, PUSHES}


HIGHER, SAME, LOWER = 3, 2, 1


@pytest.mark.parametrize("high", [HIGHER, SAME, LOWER])
@pytest.mark.parametrize("low", [HIGHER, SAME, LOWER])
def test_copies_of_face_up_pai_gow_are_settled_as_the_guide_says(high: int, low: int) -> None:
    """A hand of the player that is identical to the dealer's is not higher. High hands here rank above low ones."""
    highs, lows = np.full(SETTINGS, 10 + high, np.int64), np.full(SETTINGS, low, np.int64)
    settled = most_beaten(10 + SAME, SAME, highs, lows)
    assert settled == beaten_as_the_guide_says((high > SAME) + (low > SAME))


def test_ends_of_face_up_pai_gow_win_what_guide_and_sign_say() -> None:
    assert {end: net for end, (_, net) in PAI_GOW_ENDS.items()} == {LOSES: -1, TIES: 0, WINS: 1, PUSHES: 0}
    fixed = {paid.wager: paid.fixed for paid in payout_sign_content(chapter("688a"), example("688a"))["fixed"]}
    assert fixed["pai_gow"] == "1 to 1"
