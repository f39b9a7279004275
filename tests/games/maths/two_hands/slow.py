"""A slow evaluator for § 688a.6, written from the text: the joker is put in the place of every card in turn.

It shares nothing with `games.maths.two_hands` but the numbering of the cards (rank * 4 + suit, 52 = the joker).
A hand is a tuple that compares as the hands rank: (class, ranks that decide).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

JOKER = 52
ACES = range(48, 52)
CLASSES = (
    *("high card", "pair", "two pair", "three-of-a-kind", "straight", "flush", "full house", "four-of-a-kind"),
    *("straight flush", "royal flush", "five-of-a-kind", "five aces"),
)
COMPLETED = ("straight", "flush", "straight flush", "royal flush")
STRAIGHTS = ["23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "A2345", "TJQKA"]
LETTERS = "23456789TJQKA"

Hand = tuple[int, tuple[int, ...]]


def cards(text: str) -> list[int]:
    """`"As Kd Jk"` → numbers."""
    return [JOKER if card == "Jk" else LETTERS.index(card[0]) * 4 + "cdhs".index(card[1]) for card in text.split()]


def natural(five: Sequence[int]) -> Hand:
    """Five cards without a joker; a card may be there twice only if the joker stands for it."""
    ranks = sorted((card // 4 for card in five), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    by_group = tuple(rank for rank, _ in groups)
    sizes = [size for _, size in groups]
    letters = "".join(sorted(LETTERS[rank] for rank in ranks))
    straight = next((place for place, run in enumerate(STRAIGHTS) if "".join(sorted(run)) == letters), None)
    flush = len({card % 4 for card in five}) == 1 and len(set(five)) == 5
    if sizes == [5]:
        return (CLASSES.index("five aces"), ()) if ranks[0] == 12 else (CLASSES.index("five-of-a-kind"), by_group)
    if straight is not None and flush:
        name = "royal flush" if straight == 9 else "straight flush"
        return CLASSES.index(name), (straight,)
    if sizes[0] == 4:
        return CLASSES.index("four-of-a-kind"), by_group
    if sizes == [3, 2]:
        return CLASSES.index("full house"), by_group
    if flush:
        return CLASSES.index("flush"), tuple(ranks)
    if straight is not None:
        return CLASSES.index("straight"), (straight,)
    name = {3: "three-of-a-kind", 2: "two pair" if sizes[:2] == [2, 2] else "pair", 1: "high card"}[sizes[0]]
    return CLASSES.index(name), by_group


def high(five: Sequence[int], wild: bool = False) -> Hand:
    """Five cards; the joker is an ace, or a card that completes a straight or better, or (wild) any card at all."""
    if JOKER not in five:
        return natural(five)
    rest = [card for card in five if card != JOKER]
    hands = [(card, natural([*rest, card])) for card in range(52)]
    return max(
        hand for card, hand in hands if wild or card in ACES or (CLASSES[hand[0]] in COMPLETED and card not in rest)
    )


def low(two: Sequence[int]) -> Hand:
    ranks = sorted((12 if card == JOKER else card // 4 for card in two), reverse=True)
    return (1, (ranks[0],)) if ranks[0] == ranks[1] else (0, tuple(ranks))


def settings(seven: Sequence[int]) -> list[tuple[Hand, Hand]]:
    """Every (high, low) that may be set: the high hand ranks equal to or higher than the low hand."""
    every = [(high([card for card in seven if card not in two]), low(two)) for two in combinations(seven, 2)]
    return [(five, two) for five, two in every if (five[0], five[1][: len(two[1])]) >= two]


def worth(hand: Hand) -> int:
    """A number that compares as the hand does."""
    number = hand[0]
    for rank in (*hand[1], 0, 0, 0, 0, 0)[:5]:
        number = 16 * number + rank
    return number
