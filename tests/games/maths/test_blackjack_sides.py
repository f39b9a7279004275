"""Insurance, Match-the-Dealer, Bust It and Push 22: counted again card by card, and held against the notes' figures.

Not found here: an error that only another number of decks shows; a wrong reading that both counts follow, such as the
value of an ace in Bust It.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import perm

import pytest

from games.maths.blackjack.side_wagers import (
    MATCHED,
    MATCHES,
    Shoe,
    analyze_insurance,
    dealer_22,
    insurance,
    match_up_card,
    third_card,
)
from games.maths.results import WagerAnalysis
from games.registry import chapter
from tests.games.maths.blackjack_games import GAMES

RED = {1, 2}


def outcomes_of(number: str) -> tuple[str, ...]:
    side = GAMES[number].side
    assert side is not None
    return side.outcomes


def analyze_side(number: str, paytable: str, shoe: Shoe) -> WagerAnalysis:
    side = GAMES[number].side
    assert side is not None
    return side.analyze(chapter(number), chapter(number).paytable(side.wager, paytable), shoe)


def deck(shoe: Shoe, ranks: range = range(13)) -> list[tuple[int, int, int]]:
    """(rank, suit, copy) of every card; ranks 0 = ace … 9 = ten, jack, queen, king; a Spanish deck has no ten."""
    kept = [rank for rank in ranks if shoe.tens == 4 or rank != 9]
    return [(rank, suit, copy) for rank in kept for suit in range(4) for copy in range(shoe.decks)]


def total(ranks: list[int]) -> int:
    hard = sum(min(rank + 1, 10) for rank in ranks)
    return hard + 10 if 0 in ranks and hard <= 11 else hard


@pytest.mark.parametrize(("chapter_number", "tens", "decks", "hold"), [("581", 3, 8, "12.27"), ("635a", 3, 6, "24.74")])
def test_insurance_holds_what_the_tens_left_in_the_shoe_say(chapter_number, tens, decks, hold):
    found = analyze_insurance(chapter(chapter_number), Shoe(decks, tens), GAMES[chapter_number].sections)
    ten = Fraction(12 * decks, 48 * decks - 1)
    odds = Fraction(5, 2) if chapter_number == "581" else 2
    assert found.hold == 1 - (1 + odds) * ten
    assert found.hit_frequency == ten
    assert f"{float(100 * found.hold):.2f}" == hold
    assert found.standard_deviation == pytest.approx(float(1 + odds) * float(ten * (1 - ten)) ** 0.5)


def test_insurance_after_a_blackjack_is_paid_counts_the_other_hands_only():
    shoe = Shoe(1)
    counts = [0, 0, 0]
    values = [0] * 4 + [9] * 16 + [1] * 32
    ways = {value: values.count(value) for value in (0, 1, 9)}
    for own in ((x, y) for x in (0, 1, 9) for y in (0, 1, 9)):
        for up in (0, 1, 9):
            for hole in (0, 1, 9):
                deals, left = 1, dict(ways)
                for value in (*own, up, hole):
                    deals, left[value] = deals * left[value], left[value] - 1
                made = up == 0 and sorted(own) != [0, 9]
                counts[2 if not made else 0 if hole == 9 else 1] += deals
    assert insurance(shoe, blackjack_stays=False) == (tuple(counts), perm(52, 4))


@pytest.mark.parametrize(("decks", "name", "hold"), [(6, "Six decks", "3.055481"), (8, "Eight decks", "2.985523")])
def test_match_the_dealer_is_what_every_pair_of_cards_gives(decks, name, hold):
    shoe = Shoe(decks, 3)
    found = analyze_side("635a", name, shoe)
    assert f"{float(100 * found.hold):.6f}" == hold
    up, *others = deck(shoe)
    seen = dict.fromkeys(MATCHED, 0)
    for pair in combinations(others, 2):
        suited = sum(card[:2] == up[:2] for card in pair)
        seen[suited, sum(card[0] == up[0] for card in pair) - suited] += 1
    assert match_up_card(shoe)[0] == tuple(seen[matched] for matched in MATCHED)
    assert [row.net for row in found.outcomes][MATCHES.index("Both cards match, one in suit")] == (
        13 if decks == 6 else 15
    )


def test_bust_it_is_what_every_three_cards_give():
    shoe = Shoe(1, 3)
    counts = dict.fromkeys(outcomes_of("581"), 0)
    for cards in permutations(deck(shoe), 3):
        ranks = [rank for rank, _, _ in cards]
        if total(ranks[:2]) >= 17 or total(ranks) <= 21:
            counts["Lost"] += 1
        elif ranks == [7, 7, 7] and len({suit in RED for _, suit, _ in cards}) == 1:
            counts["8, 8, 8 of the same color"] += 1  # one deck has no two 8s of a suit
        else:
            counts[f"Third card drawn is a: {ranks[2] + 1 if ranks[2] < 9 else 'King, queen or jack'}"] += 1
    assert third_card(shoe) == (tuple(counts.values()), perm(48, 3))


def test_three_eights_in_suit_come_from_the_copies_of_one_card():
    (suited, colored, *_), cycle = third_card(Shoe(8, 3))
    assert Fraction(suited, cycle) == Fraction(4 * 8 * 7 * 6, 384 * 383 * 382)
    assert Fraction(colored + suited, cycle) == Fraction(2 * 16 * 15 * 14, 384 * 383 * 382)


def test_bust_it_holds_8_percent():
    found = analyze_side("581", "Paytable", Shoe(8, 3))
    assert float(100 * found.hold) == pytest.approx(8.006393, abs=5e-7)
    assert found.largest_win == 200


def comes_to_22(part: list[int], left: int, hand: tuple[int, ...] = ()) -> Fraction:
    """The chance that the dealer comes to 22 with cards of this part only; `part`: cards left of each value."""
    if len(hand) > 1 and total(list(hand)) >= 17:
        return Fraction(total(list(hand)) == 22)
    chance = Fraction(0)
    for value, number in enumerate(part):
        if number:
            rest = [*part[:value], number - 1, *part[value + 1 :]]
            chance += Fraction(number, left) * comes_to_22(rest, left - 1, (*hand, value))
    return chance


@pytest.mark.parametrize("decks", [1, 6])
def test_push_22_is_what_card_after_card_gives(decks):
    counts, cycle = dealer_22(Shoe(decks))
    suited, colored, any_22 = (
        parts * comes_to_22([4 * decks // parts] * 9 + [16 * decks // parts], 52 * decks) for parts in (4, 2, 1)
    )
    assert [Fraction(count, cycle) for count in counts] == [suited, colored - suited, any_22 - colored, 1 - any_22]


@pytest.mark.parametrize(("paytable", "hold"), [("Paytable A", 6.842860), ("Paytable B", 12.612438)])
def test_push_22_holds_with_six_decks(paytable, hold):
    found = analyze_side("590", paytable, Shoe(6))
    assert float(100 * found.hold) == pytest.approx(hold, abs=5e-7)
    assert [row.outcome for row in found.outcomes] == list(outcomes_of("590"))
