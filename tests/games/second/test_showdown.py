"""The second laboratory's hands of the best four cards, of six, and of five with wild cards: every hand counted.

Against the exact side's counts, hand by hand in their order. Not found here: an order of classes that both sides have.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games import registry
from games.chapters.ch657a_crazy_4_poker.second import TABLE as CRAZY_4
from games.chapters.ch682a_four_card_prime.second import TABLE as PRIME
from games.chapters.ch687a_dj_wild_stud_poker.second import TABLE as WILD
from games.compiled import helper, kernel
from games.maths.showdown.four_cards import four_card_order, value_counts
from games.maths.showdown.six_cards import six_card_counts
from games.rules.wagers_in_play import covering
from games.second import five_cards, four_cards
from games.second.four_cards import best_four, class_of_six
from games.second.hands import suited
from games.second.showdown import number_of
from tests.games.chapters.examples import example

BITS = 13


@helper
def once_more(ranks: int, card: int) -> int:
    """Ranks that a hand has once, twice, three and four times, 13 bits each, and one card more."""
    rank = 1 << (card >> 2)
    met = ranks
    for _ in range(4):
        if ranks & rank == 0:
            return met | rank
        rank <<= BITS
    return met


@helper
def best_of(ranks: int, suits: int, spare: int) -> int:
    return best_four(ranks & 8191, ranks >> BITS & 8191, ranks >> 2 * BITS & 8191, ranks >> 3 * BITS, suits, spare)


@kernel
def count_four(numbers: np.ndarray) -> None:
    place = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                three = once_more(once_more(once_more(0, a), b), c)
                three_suits = suited(a) + suited(b) + suited(c)
                for d in range(c):
                    for e in range(d):
                        ranks = once_more(once_more(three, d), e)
                        numbers[place] = best_of(ranks, three_suits + suited(d) + suited(e), 1)
                        place += 1


@kernel
def count_six(counts: np.ndarray) -> None:
    for a in range(52):
        for b in range(a):
            for c in range(b):
                three = once_more(once_more(once_more(0, a), b), c)
                three_suits = suited(a) + suited(b) + suited(c)
                for d in range(c):
                    for e in range(d):
                        five = once_more(once_more(three, d), e)
                        five_suits = three_suits + suited(d) + suited(e)
                        for f in range(e):
                            ranks = once_more(five, f)
                            once, twice, more = ranks & 8191, ranks >> BITS & 8191, ranks >> 2 * BITS
                            suits = five_suits + suited(f)
                            counts[class_of_six(once, twice, more & 8191, more >> BITS, suits)] += 1


@kernel
def best_of_six(hands: np.ndarray) -> int:
    """The number of hands of six that are not worth as much as the best five of them."""
    wrong = 0
    for hand in range(len(hands)):
        ranks, suits, best = 0, 0, 0
        for card in hands[hand]:
            ranks = once_more(ranks, card)
            suits += suited(card)
        for left_out in hands[hand]:
            five, five_suits = 0, 0
            for card in hands[hand]:
                if card != left_out:
                    five = once_more(five, card)
                    five_suits += suited(card)
            best = max(best, best_of(five, five_suits, 1))
        wrong += best != best_of(ranks, suits, 2)
    return wrong


@kernel
def count_wild(numbers: np.ndarray) -> None:
    place, cards = 0, np.zeros(5, np.int64)
    for a in range(53):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                        ranks, suits, wilds = 0, 15, 0
                        for card in cards:
                            if card < 4 or card == 52:
                                wilds += 1
                            else:
                                ranks = once_more(ranks, card)
                                suits &= 1 << (card & 3)
                        once, twice, more = ranks & 8191, ranks >> BITS & 8191, ranks >> 2 * BITS
                        numbers[place] = five_cards.with_wilds(
                            once, twice, more & 8191, more >> BITS, suits != 0, wilds
                        )
                        place += 1


def test_best_four_of_every_five_cards_are_ordered_and_counted():
    numbers = np.zeros(2_598_960, np.int64)
    count_four(numbers)
    classes = np.bincount(numbers >> 2 * BITS).tolist()
    assert classes == [1_150_080, 1_047_552, 123_552, 101_808, 114_616, 58_656, 2_072, 624]
    numbered, counts = np.unique(numbers, return_counts=True)
    exact = value_counts()
    occurring = [(hand, int(exact[value])) for value, hand in hands_in_order(four_card_order()) if exact[value]]
    assert numbered.tolist() == [number_of(hand, four_cards.CLASSES, 4) for hand, _ in occurring]
    assert counts.tolist() == [count for _, count in occurring]


def hands_in_order(order):
    return [(value, order.hand(strength)) for value, strength in order.strengths.items()]


def test_every_six_cards_are_counted_by_their_class():
    counts = np.zeros(10, np.int64)
    count_six(counts)
    assert counts.tolist() == six_card_counts().tolist()
    assert counts[-2:].tolist() == [3, 1]
    assert counts.sum() == 20_358_520


def test_best_four_of_six_cards_are_the_best_of_any_five_of_them():
    random = np.random.default_rng(6)
    hands = random.permuted(np.tile(np.arange(52), (100_000, 1)), axis=1)[:, :6].astype(np.int64)
    assert best_of_six(hands) == 0
    ranks = random.permuted(np.tile(np.arange(20), (100_000, 1)), axis=1)[:, :6].astype(np.int64)  # 2s to 6s
    assert best_of_six(ranks) == 0


def test_five_cards_with_every_wild_card_are_ordered_and_counted():
    numbers = np.zeros(2_869_685, np.int64)
    count_wild(numbers)
    numbered, counts = np.unique(numbers, return_counts=True)
    game = registry.play("687a").game
    best = game.played(game.required.tables_for(registry.chapter("687a"), example("687a"))).best
    exact = best.value_counts.sum(axis=0)
    occurring = [(hand, int(exact[value])) for value, hand in hands_in_order(game.order) if exact[value]]
    assert numbered.tolist() == [number_of(hand, five_cards.CLASSES, 5) for hand, _ in occurring]
    assert counts.tolist() == [count for _, count in occurring]


@pytest.mark.parametrize(
    ("number", "table", "module", "cards"), [("657a", CRAZY_4, four_cards, 4), ("687a", WILD, five_cards, 5)]
)
def test_steps_have_the_decision_and_the_rows_of_each_hand(number, table, module, cards):
    chapter = registry.chapter(number)
    strategy = registry.play(number).game.strategy(chapter, covering(chapter)[0])
    rows = next(iter(table.parts.values()))
    steps = table.steps(strategy, {}, module.CLASSES, cards)
    by_step = steps.taken(rows)
    for hand, decision in strategy[0].items():
        at = int(np.searchsorted(steps.firsts, number_of(hand, module.CLASSES, cards), side="right")) - 1
        assert steps.decisions[at] == decision
        below = [row for lowest, row in rows if worth(lowest, module.CLASSES) <= worth(hand, module.CLASSES)]
        assert by_step[at] == (below[-1] if below else None)


def worth(hand, classes):
    return (classes.index(hand[0]), *hand[1:])


@pytest.mark.parametrize(("number", "table"), [("657a", CRAZY_4), ("682a", PRIME), ("687a", WILD)])
def test_raise_of_more_than_a_hand_allows_is_refused(number, table):
    chapter = registry.chapter(number)
    answers = covering(chapter)[0]
    by_hand, *others = registry.play(number).game.strategy(chapter, answers)
    allowed = [(hand, antes - 1) for hand, antes in table.most]
    with pytest.raises(ValueError, match="raises more Antes than the hand allows"):
        replace(table, most=allowed).deal(chapter, answers, (by_hand, *others), (1, 0, 1000))
    higher = {hand: antes + 1 for hand, antes in by_hand.items()}
    with pytest.raises(ValueError, match="raises more Antes than the hand allows"):
        table.deal(chapter, answers, (higher, *others), (1, 0, 1000))


def test_outcome_with_two_amounts_is_refused():
    chapter = registry.chapter("687a")
    answers = covering(chapter)[0]
    by_cells = replace(
        WILD, settle=lambda raised, result, by_wager: ("Same", 1, sum(net for _, net in by_wager.values()))
    )
    with pytest.raises(ValueError, match="'Same' wins"):
        by_cells.deal(chapter, answers, registry.play("687a").game.strategy(chapter, answers), (1, 0, 1000))
