"""Rounds of the four blackjack games, settled a second time in plain words of the sections, event by event.

Not found here: a dealer who draws too many or too few cards, or a player who does not follow the strategy. The cards
drawn and the decisions are taken from the events of the round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from games.maths.blackjack import hands
from games.maths.blackjack.hands import DOUBLE, FREE_DOUBLE, HIT, RESCUE, SECOND_CHANCE, SPLIT, STAND, SURRENDER
from games.maths.cards import card, cards
from games.registry import chapter as chapter_of
from games.second.blackjack import (
    ABOVE_21,
    AT_21,
    ATTACK,
    CARD,
    ENOUGH_CARDS,
    MATCHES,
    WIN,
    BlackjackTable,
    Rules,
    SideWager,
    bonus_place,
    dealer_place,
    match_place,
)
from games.second.table import Dealt
from tests.games.maths.blackjack_games import GAMES, TABLES, as_data, dealt, strategy_of
from tests.soak import SOAK

pytestmark = pytest.mark.proof

FIVE_CARDS = "five cards that win"  # no chapter has it
MOST_HANDS = {"581": 4, "590": 4, "591": 2, "635a": 5, FIVE_CARDS: 4}
ROUNDS = 500
STRATEGIES = 20 if SOAK else 1


FIVE_CARDS_TABLE = replace(TABLES["590"], rules=Rules(winning_cards=5), side=SideWager())


def deal_any(chapter: str, strategy: hands.Strategy, stream: tuple[int, int, int]) -> Dealt:
    if chapter != FIVE_CARDS:
        return dealt(chapter, strategy, stream)
    return FIVE_CARDS_TABLE.deal(chapter_of("590"), {}, as_data(strategy), stream)


@dataclass(frozen=True)
class Event:
    """What happened in a round: 0 = the dealer, else a hand of the player; a decision, or what is not decided."""

    who: int
    what: int
    card: int


DEALER = 0


def events_of(last: tuple[int, ...]) -> list[Event]:
    return [Event(event // 64 // 32, event // 64 % 32, event % 64) for event in last[4:]]


def any_strategy(chapter: str, seed: int) -> hands.Strategy:
    """Decisions by chance, of those that the chapter allows: every way through a round is taken."""
    chance = np.random.default_rng(seed)
    decision = np.zeros((hands.PHASES, hands.ALL_HANDS, hands.VALUES), dtype=np.int8)
    if chapter == "591":
        above = decision[:, hands.HANDS :]
        above[:] = chance.choice([STAND, SECOND_CHANCE], above.shape)
    for phase in range(hands.PHASES):
        for hand in range(hands.HANDS):
            allowed = np.array(allowed_decisions(chapter, phase // 3, phase % 3, hand))
            decision[phase, hand] = allowed[chance.integers(0, len(allowed), hands.VALUES)]
    return hands.Strategy(decision, chance.random(hands.VALUES) < 0.5)


def allowed_decisions(chapter: str, kind: int, stage: int, hand: int) -> list[int]:
    total, two = hands.TOTAL[hand], hands.CARDS[hand] == 2 and stage == hands.TWO_CARDS
    if total == 21 or hands.CARDS[hand] < 2:
        return [STAND]
    first = two and kind == hands.FIRST
    if stage == hands.DOUBLED or kind == hands.SPLIT_ACE:
        return [STAND] + [SURRENDER] * (chapter == "581") + [RESCUE] * (chapter == "635a" and kind != hands.SPLIT_ACE)
    free = chapter == "590" and total in (9, 10, 11) and not hands.SOFT[hand]
    double = [FREE_DOUBLE if free else DOUBLE] if two or chapter == "581" else []
    split = [SPLIT] * 6 if first and hands.PAIR[hand] >= 0 else []
    return [STAND, HIT, HIT, *double, *split] + [SURRENDER] * (first or chapter == "581")


def total(ranks: list[int]) -> int:
    """Of ranks of `cards`."""
    hard = sum(1 if rank == 12 else min(rank + 2, 10) for rank in ranks)
    return hard + 10 if 12 in ranks and hard <= 11 else hard


def counts(held: int) -> int:
    """What one card counts, an ace 1."""
    return 1 if held // 4 == 12 else min(held // 4 + 2, 10)


@dataclass
class Hand:
    """A hand of the player as the events tell it."""

    cards: list[int]
    wager: Fraction
    lammers: int = 0
    split: bool = False
    doubled: bool = False
    decided: int = STAND
    subtracted: int | None = None


def referee(chapter: str, last: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """(won, wagered) of the last round, by the sections."""
    top = last[:4]
    up, own = (top[0], [top[1], top[2]]) if chapter == "581" else (top[1], [top[0], top[2]])
    dealer, events = [up, top[3]], events_of(last)
    unit = Fraction(2 if any(event.what == ATTACK for event in events) else 1)
    mine, his = (total([held // 4 for held in hand]) == 21 for hand in (own, dealer))
    if his and not mine:
        return Fraction(-1), unit
    if mine:
        paid = {"581": Fraction(1), "590": Fraction(3, 2), "591": Fraction(2), "635a": Fraction(3, 2)}.get(
            chapter, Fraction(3, 2)
        )
        return paid * unit if not his or chapter in ("591", "635a") else Fraction(0), unit
    played = [Hand(own, unit)]
    for event in events:
        if event.who == DEALER and event.what == CARD:
            dealer.append(event.card)
        elif event.what != ATTACK:
            follow(chapter, played, event.who - 1, event.what, event.card, unit)
    wagered = sum(hand.wager * (1 if hand.subtracted is None else 2) for hand in played)
    return sum((settle(chapter, hand, dealer, unit) for hand in played), Fraction(0)), wagered


def follow(chapter: str, played: list[Hand], place: int, what: int, dealt: int, unit: Fraction) -> None:
    """One event; decisions that the text does not allow are refused."""
    hand = played[place]
    if what == CARD:
        if hand.decided == SECOND_CHANCE:
            hand.subtracted = dealt
        else:
            hand.cards.append(dealt)
        return
    assert not hand.doubled or what not in (HIT, DOUBLE, FREE_DOUBLE, SPLIT)
    assert chapter != FIVE_CARDS or (len(hand.cards) == 5 and what != ABOVE_21) == (what == ENOUGH_CARDS)
    if what == ENOUGH_CARDS:
        return
    if what in (AT_21, ABOVE_21):
        assert (total([held // 4 for held in hand.cards]) > 21) == (what == ABOVE_21)
        return
    hand.decided = what
    if what == SPLIT:
        one, other = hand.cards
        assert counts(one) == counts(other)
        assert len(played) < MOST_HANDS[chapter]
        free = chapter == "590" and counts(one) != 10
        hand.cards, hand.split = [one], True
        played.append(Hand([other], Fraction(0) if free else unit, int(free), True))
    elif what in (DOUBLE, FREE_DOUBLE):
        assert len(hand.cards) == 2 or chapter == "581"
        hand.doubled = True
        hand.wager += unit * (what == DOUBLE)
        hand.lammers += what == FREE_DOUBLE


def settle(chapter: str, hand: Hand, dealer: list[int], unit: Fraction) -> Fraction:
    """What one hand wins."""
    mine, his = (total([held // 4 for held in held_by]) for held_by in (hand.cards, dealer))
    if hand.decided == SURRENDER:
        return -hand.wager / 2
    if hand.decided == RESCUE:
        return -unit
    if hand.subtracted is not None:
        mine -= counts(hand.subtracted)
        if mine > 21:
            return -2 * hand.wager
    if mine > 21:
        return -hand.wager
    if (chapter == "591" and mine == 21) or (chapter == FIVE_CARDS and len(hand.cards) == 5):
        return hand.wager
    if his == 22 and chapter in ("590", "591"):
        return Fraction(0)
    if his > 21 or mine > his or (chapter == "635a" and mine == his == 21 and len(hand.cards) > 2):
        odds = spanish_odds(hand) if chapter == "635a" else Fraction(1)
        return odds * hand.wager + hand.lammers
    if mine == his:
        return Fraction(0)
    return -hand.wager * (1 if hand.subtracted is None else 2)


def spanish_odds(hand: Hand) -> Fraction:
    """§ 635a.12(a), (b)."""
    if hand.doubled or hand.split or total([held // 4 for held in hand.cards]) != 21:
        return Fraction(1)
    ranks, suits = sorted("23456789TJQKA"[held // 4] for held in hand.cards), {held % 4 for held in hand.cards}
    if ranks in (list("678"), list("777")):
        return Fraction(3, 2) if len(suits) > 1 else Fraction(3 if suits == {3} else 2)
    return {5: Fraction(3, 2), 6: Fraction(2), 7: Fraction(3)}.get(min(len(ranks), 7), Fraction(1))


def required_ending(settled: Dealt) -> dict[tuple[Fraction, Fraction], int]:
    """(won, wagered) → rounds, of those that were dealt."""
    required = next(iter(settled.endings.values()))
    return {(ending.won, ending.wagered): ending.rounds for ending in required if ending.rounds}


@pytest.mark.parametrize("chapter", [*GAMES, FIVE_CARDS])
def test_every_round_is_settled_as_the_sections_say(chapter):
    seen: Counter[int] = Counter()
    for seed in range(STRATEGIES):
        strategy, before = any_strategy(chapter, seed), Counter[tuple[Fraction, Fraction]]()
        for rounds in range(1, ROUNDS + 1):
            settled = deal_any(chapter, strategy, (seed, 7, rounds))
            required = Counter(required_ending(settled))
            ((ended, times),) = (required - before).items()
            assert (ended, times) == (referee(chapter, settled.last), 1), settled.last
            seen.update(event.what for event in events_of(settled.last))
            before = required
    decisions = {STAND, HIT, DOUBLE, SPLIT, SURRENDER}
    own = {"581": ATTACK, "590": FREE_DOUBLE, "591": SECOND_CHANCE, "635a": RESCUE, FIVE_CARDS: ENOUGH_CARDS}
    decisions.add(own[chapter])
    assert seen.keys() == decisions | {CARD, AT_21, ABOVE_21}


@pytest.mark.parametrize("number", list(GAMES))
def test_strategy_decides_nothing_that_the_sections_do_not_allow(number):
    decision = strategy_of(number).decision
    for phase in range(hands.PHASES):
        for hand in range(hands.HANDS):
            allowed = allowed_decisions(number, phase // 3, phase % 3, hand)
            assert set(decision[phase, hand].tolist()) <= set(allowed), (phase, hands.COUNTS[hand])
    above = {STAND, SECOND_CHANCE} if number == "591" else {STAND}
    assert set(decision[:, hands.HANDS :].ravel().tolist()) <= above


def test_a_round_leaves_every_card_in_the_shoe(monkeypatch):
    shoe = TABLES["635a"].shoe({})
    monkeypatch.setattr(BlackjackTable, "shoe", lambda table, answers: shoe)
    dealt("635a", any_strategy("635a", 1), (1, 0, 10_000))
    ranks = [rank for rank in range(13) if rank != 8]
    assert shoe.tolist() != sorted(shoe.tolist())
    assert sorted(shoe.tolist()) == sorted(4 * rank + suit for rank in ranks for suit in range(4) for _ in range(6))


@pytest.mark.parametrize(
    ("held", "odds"),
    [
        ("6h 7h 8s", 3),
        ("8h 6h 7h", 4),
        ("7s 8s 6s", 6),
        ("7c 7d 7h", 3),
        ("7d 7d 7d", 4),
        ("7s 7s 7s", 6),
        ("As 9h 4c 5d 2d", 3),
        ("2s 2h 3c 4d 4d 6d", 4),
        ("2s 2h 2c 3d 4d 4d 4h", 6),
        ("As As 2h 2c 3d 4d 4d 4h", 6),
        ("Kh 5c 6d", 2),
        ("5h 7c 9d", 2),
        ("6h 6c 9d", 2),
        ("Ah 9c Ad", 2),
        ("2h 3c 6d Ks", 2),
    ],
)
def test_bonuses_of_spanish_21_are_those_of_635a_12(held, odds):
    found, table = cards(held), TABLES["635a"]
    paid = {row.outcome: row.pays[0].odds for row in chapter_of("635a").tables_of("spanish_21")[0].rows}
    place = bonus_place(21, len(found), *found[:3])
    assert 2 * paid[table.rows[place]] == odds
    assert bonus_place(20, len(found), *found[:3]) == WIN


@pytest.mark.parametrize(
    ("up", "own", "outcome"),
    [
        ("Kh", "Kh Kh", "Both cards match, both in suit"),
        ("Kh", "Ks Kh", "Both cards match, one in suit"),
        ("Kh", "Ks Kd", "Both cards match, none in suit"),
        ("Kh", "Qh Kh", "One card matches, in suit"),
        ("Kh", "Kd Qh", "One card matches, not in suit"),
        ("Kh", "Qh Jh", "Lost"),
    ],
)
def test_match_the_dealer_is_by_rank(up, own, outcome):
    place = match_place(card(up), *cards(own))
    assert MATCHES.get(divmod(place, 3), "Lost") == outcome


@pytest.mark.parametrize(
    ("three", "outcome"),
    [
        ("8s 8s 8s", "8, 8, 8 of the same suit"),
        ("8s 8c 8s", "8, 8, 8 of the same color"),
        ("8d 8h 8h", "8, 8, 8 of the same color"),
        ("8s 8h 8s", "Third card drawn is a: 8"),
        ("9s 7h 6s", "Third card drawn is a: 6"),
        ("9s 7h 7s", "Third card drawn is a: 7"),
        ("9s 7h 9s", "Third card drawn is a: 9"),
        ("9s 7h Js", "Third card drawn is a: King, queen or jack"),
        ("9s 7h 5s", "Lost"),
        ("As 4h 8s", "Lost"),
    ],
)
def test_bust_it_is_by_the_third_card(three, outcome):
    found, table = cards(three), TABLES["581"]
    eights, suits = [counts(held) for held in found] == [8, 8, 8], sum({1 << held % 4 for held in found})
    place = dealer_place(table.side.kind, total([held // 4 for held in found]), 3, counts(found[2]), eights, suits)
    assert ("Lost", *table.side.rows)[place] == outcome


@pytest.mark.parametrize(
    ("points", "suits", "outcome"),
    [
        (22, 0b0001, "Same suite 22"),
        (22, 0b1000, "Same suite 22"),
        (22, 0b1001, "Same color 22"),
        (22, 0b0110, "Same color 22"),
        (22, 0b0011, "Other 22"),
        (22, 0b1111, "Other 22"),
        (23, 0b0001, "Lost"),
    ],
)
def test_push_22_is_by_the_suits_of_the_dealers_hand(points, suits, outcome):
    table = TABLES["590"]
    assert ("Lost", *table.side.rows)[dealer_place(table.side.kind, points, 3, 8, False, suits)] == outcome
