"""An evaluator of five cards that shares nothing with the fast one: every wild tried as every card."""

from __future__ import annotations

from itertools import combinations_with_replacement

from games.maths.cards import JOKER

FACES = "23456789TJQKA"
SUITS = "cdhs"
PACK = [face + suit for face in FACES for suit in SUITS]


def worth(cards: list[str], order: tuple[str, ...]) -> tuple[int, list[int]]:
    """(place of the class in `order`, deciding ranks) of five cards without wilds; cards may occur twice."""
    numbers = sorted((FACES.index(card[0]) + 2 for card in cards), reverse=True)
    one_suit = len({card[1] for card in cards}) == 1
    times = sorted(((numbers.count(number), number) for number in set(numbers)), reverse=True)
    shape = [count for count, _ in times]
    ranks = [number for _, number in times]
    run = len(ranks) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [14, 5, 4, 3, 2])
    if run and ranks[:2] == [14, 5]:
        ranks = [5, 4, 3, 2, 1]
    if run and one_suit:
        return order.index("Royal Flush" if ranks[0] == 14 else "Straight Flush"), ranks
    if shape == [5]:
        return order.index("Five-of-a-Kind"), ranks
    if shape == [4, 1]:
        return order.index("Four-of-a-Kind"), ranks
    if shape == [3, 2]:
        return order.index("Full House"), ranks
    if one_suit and len(ranks) == 5:
        return order.index("Flush"), ranks
    if run:
        return order.index("Straight"), ranks
    names = {(3, 1, 1): "Three-of-a-Kind", (2, 2, 1): "Two Pairs", (2, 1, 1, 1): "Pair", (1, 1, 1, 1, 1): "High Card"}
    return order.index(names[tuple(shape)]), ranks


def worth_with_wilds(cards: list[str], wilds: int, order: tuple[str, ...]) -> tuple[int, list[int]]:
    """The best of all that the wilds can stand for; five of them are a hand of their own."""
    if wilds == 5:
        return order.index("Five Wilds"), []
    return max(worth([*cards, *stand_ins], order) for stand_ins in combinations_with_replacement(PACK, wilds))


def number(card: str) -> int:
    return FACES.index(card[0]) * 4 + SUITS.index(card[1])


WILD_CARDS = [0, 1, 2, 3, JOKER]
