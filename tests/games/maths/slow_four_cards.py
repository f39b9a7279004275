"""The best four cards and all dealer's hands, slowly: every four of the cards tried, every hidden hand looked at."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

ORDER = ("nothing", "pair", "two pairs", "straight", "flush", "three", "straight flush", "four")


def four(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Four cards as a tuple that compares as the hands do; the rank of a card is card // 4, its suit card % 4."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    same_suit = len({card % 4 for card in cards}) == 1
    by_count = sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank))
    shape = tuple(sorted((ranks.count(rank) for rank in set(ranks)), reverse=True))
    low = ranks == [12, 2, 1, 0]
    if low or (shape == (1, 1, 1, 1) and ranks[0] - ranks[3] == 3):
        return ORDER.index("straight flush" if same_suit else "straight"), 2 if low else ranks[0]
    if same_suit:
        return ORDER.index("flush"), *ranks
    names = {(4,): "four", (3, 1): "three", (2, 2): "two pairs", (2, 1, 1): "pair", (1, 1, 1, 1): "nothing"}
    return ORDER.index(names[shape]), *by_count


def best_four(cards: tuple[int, ...]) -> tuple[int, ...]:
    return max(four(chosen) for chosen in combinations(cards, 4))


def six_class(cards: tuple[int, ...]) -> str:
    """The row of § 682a.6(e) for six cards; "" for less than three-of-a-kind."""
    ranks = [card // 4 for card in cards]
    times = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    suits = [{card // 4 for card in cards if card % 4 == suit} for suit in range(4)]
    runs = [{12, 0, 1, 2, 3}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))]
    if {7, 8, 9, 10, 11, 12} in suits:
        return f"Six-card royal flush—{'diamonds' if len(suits[1]) == 6 else 'hearts, spades or clubs'}"
    if any(runs[-1] <= suit for suit in suits):
        return "Royal flush"
    if any(run <= suit for run in runs for suit in suits):
        return "Straight flush"
    if times[0] == 4:
        return "Four-of-a-kind"
    if times[0] == 3 and times[1] >= 2:
        return "Full house"
    if any(len(suit) >= 5 for suit in suits):
        return "Flush"
    if any(run <= set(ranks) for run in runs):
        return "Straight"
    return "Three-of-a-kind" if times[0] == 3 else ""


class HiddenHands:
    """The best four of every hidden hand of five or six cards that avoids these."""

    def __init__(self, own: tuple[int, ...]) -> None:
        self.left = [card for card in range(52) if card not in own]
        size = len(self.left)
        found = {chosen: four(tuple(self.left[place] for place in chosen)) for chosen in combinations(range(size), 4)}
        self.worths = sorted({*found.values(), best_four(own)})
        place = {worth: number for number, worth in enumerate(self.worths)}
        self.own = place[best_four(own)]
        self.fours = np.zeros(comb(size, 4), np.int16)
        self.fours[_ranks(np.array(list(found)))] = [place[worth] for worth in found.values()]
        fives = np.array(list(combinations(range(size), 5)), np.int64)
        self.hands = fives[np.argsort(_ranks(fives))]
        self.five = np.max(
            [self.fours[_ranks(self.hands[:, list(part)])] for part in combinations(range(5), 4)], axis=0
        )

    def beside_own(self, worths: np.ndarray) -> tuple[int, int, int]:
        """How many are lower, equal, higher."""
        return int((worths < self.own).sum()), int((worths == self.own).sum()), int((worths > self.own).sum())

    def six(self) -> tuple[int, int, int]:
        """The hands of six: those of five with one later card each, whose four may hold it or not."""
        threes = np.stack([_ranks(self.hands[:, list(part)]) for part in combinations(range(5), 3)])
        total = np.zeros(3, np.int64)
        for last in range(5, len(self.left)):
            hands, others = comb(last, 5), comb(last, 3)
            with_last = self.fours[np.arange(others) + comb(last, 4)]
            best = np.maximum(self.five[:hands], with_last[threes[:, :hands]].max(axis=0))
            total += self.beside_own(best)
        return tuple(int(number) for number in total)


def _ranks(sets: np.ndarray) -> np.ndarray:
    """The place of each set, its members in rising order, among all sets of its size by their last members."""
    table = np.array([[comb(n, k) for k in range(7)] for n in range(52)])
    return sum(table[sets[:, place], place + 1] for place in range(sets.shape[1]))
