"""The required wager of blackjack: hands, dealer and player against plain enumeration, splits against full joint play.

The shoe of the enumerations is short, so that every order of its cards can be dealt.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from games.maths.blackjack import hands
from games.maths.blackjack.dealer import ENDS, LANES, ends_of
from games.maths.blackjack.hands import ACE, ALL_HANDS, FIRST, HANDS, NEXT_HAND, TEN, TWO_CARDS, VALUES
from games.maths.blackjack.optimal import NO_ROUND_NET, Filled, split_endings, ways_to_fill
from games.maths.blackjack.player import NETS, NO_NET, decide, game_of, play_out
from games.maths.blackjack.rules import Payouts, Rules, suited_sevens, suits_lie
from tests.games.maths.blackjack_games import GAMES, RULES, paid_by, strategy_of, table_of


def hand_of(*values: int) -> int:
    number = 0
    for value in values:
        number = int(NEXT_HAND[number, value])
    return number


def total_of(values: tuple[int, ...]) -> int:
    hard = sum(value + 1 for value in values)
    return hard + 10 if ACE in values and hard <= 11 else hard


# ---- hands


def test_every_hand_of_at_most_21_has_a_number() -> None:
    """A multiset of at most 21 is a hand if a card of it can come last, to a hand that is still drawn to."""

    @cache
    def is_hand(counts: tuple[int, ...]) -> bool:
        fewer = ((*counts[:v], n - 1, *counts[v + 1 :]) for v, n in enumerate(counts) if n)
        return not any(counts) or any(hands.points(before)[0] < 21 and is_hand(before) for before in fewer)

    multisets: list[tuple[int, ...]] = [()]
    for _ in range(VALUES):
        multisets = [
            (*some, count)
            for some in multisets
            for count in range(22)
            if sum((v + 1) * n for v, n in enumerate((*some, count))) <= 21
        ]
    assert sum(is_hand(counts) for counts in multisets) == HANDS
    assert len(np.unique(hands.COUNTS, axis=0)) == ALL_HANDS


def test_totals_are_those_of_the_cards() -> None:
    for hand in range(0, ALL_HANDS, 7):
        values = tuple(np.repeat(np.arange(VALUES), hands.COUNTS[hand]).tolist())
        assert hands.TOTAL[hand] == total_of(values)
        assert (hands.TOTAL[hand] > 21) == (hand >= HANDS)


# ---- the dealer


def slow_dealer(shoe: list[int], values: tuple[int, ...]) -> dict[int, Fraction]:
    """Total → chance, without Blackjack (total 0)."""
    if total_of(values) >= 17:
        blackjack = len(values) == 2 and total_of(values) == 21
        return {0 if blackjack else total_of(values): Fraction(1)}
    found: dict[int, Fraction] = {}
    for value in range(VALUES):
        if shoe[value]:
            less = [*shoe[:value], shoe[value] - 1, *shoe[value + 1 :]]
            for total, chance in slow_dealer(less, (*values, value)).items():
                found[total] = found.get(total, Fraction(0)) + chance * Fraction(shoe[value], sum(shoe))
    return found


@pytest.mark.parametrize("up", [ACE, 5, 8, TEN])
def test_dealer_is_that_of_a_plain_recursion(up: int) -> None:
    """Beside so many others that one block does not hold them, and beside what no shoe can have."""
    shoes = np.array([[2, 0, 1, 1, 3, 1, 2, 0, 2, 5], [-1, 2, 0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 1, 0, 1, 3]])
    full = shoes.max(axis=0)
    taken = np.tile(full - shoes, (LANES, 1)).astype(np.int8)
    found = ends_of(up, full, taken).beside(np.arange(len(taken)))
    for place in (0, 2):
        slow = slow_dealer(shoes[place].tolist(), (up,))
        by_end = [sum(chance for total, chance in slow.items() if min(total, 23) == 17 + end) for end in range(ENDS)]
        assert found[place] == pytest.approx([float(chance) for chance in by_end], abs=1e-14)
        assert (found[place :: len(shoes)] == found[place]).all()


# ---- one hand, against every order of a short shoe

SHORT = {ACE: 1, 1: 1, 3: 1, 5: 1, 6: 1, 8: 1, TEN: 2}  # eight cards behind the three that are dealt


def base_with(*values: int) -> np.ndarray:
    base = np.zeros(VALUES, dtype=np.int64)
    for value, count in SHORT.items():
        base[value] = count
    for value in values:
        base[value] += 1
    return base


def dealt_by_hand(rules: Rules, decision: np.ndarray, up: int, cards: tuple[int, ...]) -> dict[tuple[int, int], float]:
    """(net in halves, wagered) → share of all orders of the shoe, the dealer having no Blackjack; bonuses apart."""
    deck = [value for value, count in SHORT.items() for _ in range(count)]
    orders = list(permutations(deck))
    found: dict[tuple[int, int], float] = {}
    for order in orders:
        hole, rest = order[0], list(order[1:])
        if {up, hole} == {ACE, TEN}:
            continue
        end = one_hand(rules, decision, up, hole, cards, rest)
        found[end] = found.get(end, 0.0) + 1 / len(orders)
    return found


def one_hand(
    rules: Rules, decision: np.ndarray, up: int, hole: int, cards: tuple[int, ...], rest: list[int]
) -> tuple[int, int]:
    values, stage, staked, free = cards, TWO_CARDS, 1, 0
    while True:
        choice = decision[3 * FIRST + stage, hand_of(*values)]
        if choice == hands.SURRENDER:
            return -staked, staked
        if choice == hands.RESCUE:
            return -2, 2
        if choice in (hands.STAND, hands.SECOND_CHANCE):
            break
        assert len(values) != rules.winning_cards
        values = (*values, rest.pop(0))
        if choice == hands.DOUBLE:
            staked = 2
        free += choice == hands.FREE_DOUBLE
        stage = hands.DRAWN if choice == hands.HIT else hands.DOUBLED
    total, second = total_of(values), choice == hands.SECOND_CHANCE
    if second:
        total -= rest.pop(0) + 1
    won = 2 * staked if second else 2 * (staked + free)
    lost, wagered = -2 * staked * (1 + second), staked * (1 + second)
    if total > 21:
        return lost, wagered
    if (total == 21 and rules.pays_21_at_once) or len(values) == rules.winning_cards:
        return won, wagered
    dealer: tuple[int, ...] = (up, hole)
    while total_of(dealer) < 17:
        dealer = (*dealer, rest.pop(0))
    theirs = total_of(dealer)
    if theirs == 22 and rules.pushes_22:
        return 0, wagered
    if theirs > 21 or total > theirs or (total == theirs == 21 and rules.beats_21 and len(values) > 2):
        return won, wagered
    return (0 if total == theirs else lost), wagered


@pytest.mark.proof
@pytest.mark.parametrize("number", list(GAMES))
@pytest.mark.parametrize(("up", "cards"), [(TEN, (5, 9)), (5, (4, 5)), (ACE, (8, 1)), (6, (ACE, 6))])
def test_hand_ends_as_dealt_in_every_order(number: str, up: int, cards: tuple[int, ...]) -> None:
    """Not found here: what only a full shoe shows; a rule that is wrong in the chapter's data."""
    ends_as_dealt(RULES[number], paid_by(number), up, cards)


@pytest.mark.proof
@pytest.mark.parametrize(("up", "cards"), [(TEN, (1, 3)), (5, (1, 2)), (ACE, (ACE, 1)), (8, (2, 3))])
@pytest.mark.parametrize("any_time", [False, True])
def test_five_cards_win_at_once_in_every_order(any_time: bool, up: int, cards: tuple[int, ...]) -> None:
    """With `any_time` also on a hand of four cards that is doubled. Not found here: what only a full shoe shows."""
    rules = Rules(winning_cards=5, any_time=any_time, blackjack_row="Player Blackjack")
    ends_as_dealt(rules, paid_by("590"), up, cards)
    ends_as_dealt(replace(rules, winning_cards=4), paid_by("590"), up, cards)


def test_five_cards_that_win_are_worth_more_than_five_that_are_compared() -> None:
    cards, worth = (1, 3), []
    for winning in (5, 0):
        game = game_of(Rules(winning_cards=winning), paid_by("590"), 6)
        ends = ends_of(TEN, base_with(*cards), game.counts)
        alone = decide(game, ends, np.zeros((hands.PHASES, ALL_HANDS), np.int8))
        worth.append(alone[hand_of(*cards)])
    assert worth[0] > worth[1] + 0.1


def ends_as_dealt(rules: Rules, paid: Payouts, up: int, cards: tuple[int, ...]) -> None:
    game, decision = game_of(rules, paid, 6), np.zeros((hands.PHASES, ALL_HANDS), dtype=np.int8)
    ends = ends_of(up, base_with(*cards), game.counts)
    alone = decide(game, ends, decision)
    dealt = np.zeros(ALL_HANDS)
    dealt[hand_of(*cards)] = 1.0
    played = play_out(game._replace(bonus=np.zeros_like(game.bonus)), ends, FIRST, dealt, decision)
    by_enumeration = dealt_by_hand(rules, decision, up, cards)
    found = {
        (ending % NETS - NO_NET, ending // NETS): chance
        for ending, chance in enumerate(played.end_chances.sum(axis=1))
        if chance > 0
    }
    assert found == pytest.approx(by_enumeration, abs=1e-12)
    if not rules.beats_21:  # else a bonus is part of what the hand is worth
        worth = sum(net * chance for (net, _), chance in found.items())
        assert alone[hand_of(*cards)] == pytest.approx(worth, abs=1e-12)


@pytest.mark.parametrize("number", list(GAMES))
def test_no_other_decision_on_two_cards_is_better(number: str) -> None:
    """Each decision in turn is forced on hard 16 and soft 18, with the best play afterwards."""
    rules = RULES[number]
    game = game_of(rules, paid_by(number), 6)
    base = np.array([24] * 9 + [24 * rules.tens])
    for up, cards in ((TEN, (5, 9)), (5, (ACE, 6)), (ACE, (6, 9))):
        decision, ends = np.zeros((hands.PHASES, ALL_HANDS), dtype=np.int8), ends_of(up, base, game.counts)
        alone = decide(game, ends, decision)
        hand = hand_of(*cards)
        for choice in (hands.STAND, hands.HIT, hands.DOUBLE, hands.SURRENDER):
            decision[3 * FIRST + TWO_CARDS, hand] = choice
            dealt = np.zeros(ALL_HANDS)
            dealt[hand] = 1.0
            played = play_out(game, ends, FIRST, dealt, decision)
            nets = np.arange(played.end_chances.shape[0]) % NETS - NO_NET
            assert (played.end_chances.sum(axis=1) * nets).sum() <= alone[hand] + 1e-12


# ---- splits


def test_ways_to_fill_are_those_of_the_paths() -> None:
    assert ways_to_fill(2) == [Filled(2, 0, 1)]
    assert sorted(ways_to_fill(4)) == [
        Filled(2, 2, 1),
        Filled(3, 3, 2),
        Filled(4, 0, 1),
        Filled(4, 1, 2),
        Filled(4, 2, 2),
    ]


@pytest.mark.proof
@pytest.mark.parametrize("number", list(GAMES))
def test_split_endings_add_up_to_the_chance_of_no_blackjack(number: str) -> None:
    """Not found here: a chance that is given to a wrong ending."""
    rules = RULES[number]
    table, strategy = table_of(number), strategy_of(number)
    game = game_of(rules, paid_by(number), table.decks)
    for pair, up in ((7, TEN), (ACE, ACE), (5, 5)):
        base = np.array([4 * table.decks] * 9 + [4 * table.decks * rules.tens])
        base[up] -= 1
        mine = np.ascontiguousarray(strategy.decision[:, :, up])
        found = split_endings(game, rules, table.hands, base, pair, up, mine)
        left = base.copy()
        left[pair] -= 2
        hole = {ACE: TEN, TEN: ACE}.get(up, -1)
        none = 1 - (left[hole] / left.sum() if hole >= 0 else 0)
        assert found.sum() == pytest.approx(none, abs=1e-12)


def both_hands(decision: np.ndarray, up: int, pair: int, deck: tuple[int, ...]) -> tuple[int, int]:
    """§ 591.11: two hands, one after the other; (net in halves, wagered)."""
    rest, played = list(deck[1:]), []
    for _ in range(2):
        values: tuple[int, ...] = (pair, rest.pop(0))
        stage, staked = TWO_CARDS, 1
        while (choice := decision[3 * hands.SPLIT_HAND + stage, hand_of(*values)]) in (hands.HIT, hands.DOUBLE):
            values = (*values, rest.pop(0))
            staked, stage = (2, hands.DOUBLED) if choice == hands.DOUBLE else (1, hands.DRAWN)
        second = choice == hands.SECOND_CHANCE
        total = total_of(values) - (rest.pop(0) + 1 if second else 0)
        played.append((total, staked, second))
    dealer: tuple[int, ...] = (up, deck[0])
    while total_of(dealer) < 17:
        dealer = (*dealer, rest.pop(0))
    theirs, net, wagered = total_of(dealer), 0, 0
    for total, staked, second in played:
        won = total == 21 or (total < 21 and (theirs > 22 or (theirs < 22 and total > theirs)))
        lost = total > 21 or (total < 21 and total < theirs <= 21)
        net += 2 * staked if won else -2 * staked * (1 + second) if lost else 0
        wagered += staked * (1 + second)
    return net, wagered


def test_two_split_hands_end_as_dealt_together() -> None:
    """§ 591.11 from one deck, a tenth of the cards of a filing: what the first-order term leaves is measured."""
    rules = RULES["591"]
    up, pair = 5, 7
    game = game_of(rules, paid_by("591"), 1)
    mine = np.ascontiguousarray(strategy_of("591").decision[:, :, up])
    base = np.array([4] * 9 + [16])
    base[up] -= 1
    found = split_endings(game, rules, 2, base, pair, up, mine)
    base[pair] -= 2
    deck, random, rounds_dealt = np.repeat(np.arange(VALUES), base), np.random.default_rng(591), 40_000
    tally = np.zeros_like(found)
    for _ in range(rounds_dealt):
        net, wagered = both_hands(mine, up, pair, tuple(random.permutation(deck)[:30].tolist()))
        tally[wagered, net + NO_ROUND_NET] += 1
    assert not (tally[found == 0]).any()
    likely = found * rounds_dealt > 20
    error = (tally - found * rounds_dealt)[likely] / np.sqrt(found[likely] * rounds_dealt)
    assert np.abs(error).max() < 4


@pytest.mark.parametrize(("pair", "up"), [(7, TEN), (ACE, 5), (6, 4), (1, 5)])
def test_two_split_hands_win_on_average_what_each_wins_alone(pair: int, up: int) -> None:
    """§ 591.11: the mean of two hands is known exactly, each being as good as the first of the shoe."""
    rules = RULES["591"]
    game = game_of(rules, paid_by("591"), 8)
    mine = np.ascontiguousarray(strategy_of("591").decision[:, :, up])
    base = np.array([32] * 9 + [128])
    base[up] -= 1
    together = split_endings(game, rules, 2, base, pair, up, mine)
    base[pair] -= 1
    own = np.eye(VALUES, dtype=np.int64)[pair]
    dealt = np.zeros(ALL_HANDS)
    dealt[[hand_of(pair, value) for value in range(VALUES)]] = (base - own) / (base - own).sum()
    played = play_out(game, ends_of(up, base, game.counts), hands.SPLIT_HAND, dealt, mine)
    alone = (played.end_chances.sum(axis=1) * (np.arange(len(played.end_chances)) % NETS - NO_NET)).sum()
    both = (together * (np.arange(together.shape[1]) - NO_ROUND_NET)).sum()
    assert both == pytest.approx(2 * alone, abs=1e-12)


def test_pair_without_a_third_card_of_its_kind_makes_two_hands() -> None:
    rules, up, pair = RULES["590"], 5, 7
    game = game_of(rules, paid_by("590"), 1)
    mine = np.ascontiguousarray(strategy_of("590").decision[:, :, up])
    base = np.array([4] * 9 + [16])
    base[up], base[pair] = 3, 2
    two, four = (split_endings(game, rules, most, base, pair, up, mine) for most in (2, 4))
    np.testing.assert_allclose(four, two, rtol=0, atol=1e-12)


# ---- suits


def test_suits_of_three_sevens() -> None:
    """Six decks: 24 sevens, six of a suit; one of them is shown in the second case."""
    ways = {
        0: Fraction(4 * 6 * 5 * 4, 24 * 23 * 22),
        1: Fraction(3 * 6 * 5 * 4 + 5 * 4 * 3, 23 * 22 * 21),
    }
    lies = suits_lie(6)
    for shown, same in ways.items():
        assert lies[shown, 2] == pytest.approx([float(1 - same), float(same * 3 / 4), float(same / 4)])
    assert lies.sum(axis=2) == pytest.approx(np.ones((2, 6)))
    dealt = Fraction(24 * 23 * 22 * 21, 288 * 287 * 286 * 285)
    assert suited_sevens(6, 12) == pytest.approx(float(dealt * ways[1]))
