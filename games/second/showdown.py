"""Hands as numbers that order them, and the wagers that one hand against the dealer's settles together.

A hand is worth class · 2²⁶ + ranks · 2¹³ + ranks beside them, each rank a bit: those that make the class first, a
straight by where it begins. Rows of paytables and decisions change at certain hands only: from one such hand to the
next is a step. Not here: how cards get their number, dealing (`four_cards`, `five_cards`).
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import part_paytable
from games.second.cashier import net
from games.second.hands import IN_RANKS, RANKS, falling
from games.second.table import Ending

Taken = TypeVar("Taken")
WON, TIED, LOST, UNQUALIFIED = RESULTS = range(4)
HIGH_CARD, PAIR, TWO_PAIRS, THREE, FOUR = "High Card", "Pair", "Two Pairs", "Three-of-a-Kind", "Four-of-a-Kind"
STRAIGHT, FLUSH, FULL_HOUSE = "Straight", "Flush", "Full House"
STRAIGHT_FLUSH, ROYAL_FLUSH, FIVE_OF_A_KIND, FIVE_WILDS = (
    "Straight Flush",
    "Royal Flush",
    "Five-of-a-Kind",
    "Five Wilds",
)
TOO_MUCH: Final = "the strategy raises more Antes than the hand allows"
MAKING: Final = {HIGH_CARD: 5, FLUSH: 5, TWO_PAIRS: 2}  # ranks that make the class, where it is not one
Ints = NDArray[np.int64]
Hand = tuple[str | int, ...]
"""A class by its name, and ranks that decide between two hands of it, or the first of them."""
Strategy = tuple[Mapping[Hand, int], Ints, NDArray[np.int8]]
"""Antes raised by hand, 0 = folded, −1 = by all five cards: then these by their names (`name_of`), and their Antes."""
Rows = Sequence[tuple[Hand, str]]
"""(the lowest hand, the row of a paytable from there up), the lowest first."""
Cells = Mapping[str, tuple[str, Fraction]]
"""Wager → the row that the player's hand takes, and its net."""
Settle = Callable[[int, int, Cells], tuple[str, int, Fraction]]
"""(Antes raised, result, cells) → the outcome of the required wagers, what was wagered and won, in Antes."""


@helper
def number(hand_class: int, ranks: int, beside: int) -> int:
    """Return the number of a hand."""
    return (hand_class << RANKS | ranks) << RANKS | beside


@helper
def highest(ranks: int) -> int:
    """Return the highest of some ranks as a bit."""
    while ranks & (ranks - 1):
        ranks &= ranks - 1
    return ranks


@helper
def name_of(hand: int) -> int:
    """Return the name that a hand (as `hands.suited` adds it) has under any names of its suits."""
    a, b, c, d = hand & IN_RANKS, hand >> 16 & IN_RANKS, hand >> 32 & IN_RANKS, hand >> 48 & IN_RANKS
    a, b, c, d = falling(a, b, c, d)
    return ((a << RANKS | b) << RANKS | c) << RANKS | d


def number_of(hand: Hand, classes: Sequence[str], cards: int) -> int:
    """Return the number of a hand in words, or the least of all that begin so."""
    name, *given = hand
    ranks = [int(rank) for rank in given]
    if name in (STRAIGHT, STRAIGHT_FLUSH):
        return number(classes.index(str(name)), sum(1 << (rank + 2 - cards) for rank in ranks), 0)
    making = MAKING.get(str(name), 1)
    bits = [sum(1 << rank for rank in part) for part in (ranks[:making], ranks[making:])]
    return number(classes.index(str(name)), *bits)


@dataclass(frozen=True, slots=True)
class Steps:
    """The lowest hand of each step, and the Antes raised with its hands: 0 = folded, −1 = by all five cards."""

    firsts: Ints
    decisions: NDArray[np.int8]
    classes: Sequence[str]  # lowest first
    cards: int  # of a hand

    def taken(self, rows: Sequence[tuple[Hand, Taken]]) -> list[Taken | None]:
        """Return what each step takes of (the lowest hand, what it takes from there up), the lowest first."""
        lowest = [number_of(hand, self.classes, self.cards) for hand, _ in rows]
        places = [bisect_right(lowest, first) for first in self.firsts.tolist()]
        return [rows[place - 1][1] if place else None for place in places]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowdownTable:
    """What is entered of every game of one hand against the dealer's."""

    raises: tuple[int, ...]  # in Antes
    most: Sequence[tuple[Hand, int]]  # the most Antes that may be raised from these hands up
    settle: Settle
    parts: Mapping[str, Rows]  # wagers that are settled with the Ante, by the player's hand
    least: Hand | None = None  # with which the dealer qualifies
    instead: Mapping[str, str] = field(default_factory=dict)  # a row that a paytable may lack → the row that then pays

    def steps(self, strategy: Strategy, by_hand: Mapping[str, Rows], classes: Sequence[str], cards: int) -> Steps:
        """Return the steps: they end where the decision changes, and where a row of a paytable does.

        `by_hand`: the other wagers that the player's hand decides. `ValueError` for a raise that is not allowed.
        """
        if max(*strategy[0].values(), *strategy[2].tolist()) > max(self.raises):
            raise ValueError(TOO_MUCH)
        changes = [hand for rows in (*self.parts.values(), *by_hand.values(), self.most) for hand, _ in rows]
        decided = sorted((number_of(hand, classes, cards), decision) for hand, decision in strategy[0].items())
        numbers, decisions = [each[0] for each in decided], [each[1] for each in decided]
        turns = {numbers[place] for place in range(1, len(decided)) if decisions[place] != decisions[place - 1]}
        firsts = sorted({0, *turns, *(number_of(hand, classes, cards) for hand in changes)})
        at = (min(bisect_left(numbers, first), len(decided) - 1) for first in firsts)
        return Steps(np.array(firsts), np.array([decisions[place] for place in at], np.int8), classes, cards)

    def required(self, chapter: Chapter, answers: Answers, steps: Steps, met: Ints) -> list[Ending]:
        """Return the ends of the required wagers, from rounds by [step, Antes raised, result].

        `ValueError` where one outcome has different amounts, or a round has a raise that its hand does not allow.
        """
        for rounds, most in zip(met, steps.taken(self.most), strict=True):
            if rounds[(most or 0) + 1 :].any():
                raise ValueError(TOO_MUCH)
        results = RESULTS if self.least else RESULTS[:UNQUALIFIED]
        ends: dict[str, tuple[int, Fraction]] = {}
        rounds_of: Counter[str] = Counter()
        for step, cells in enumerate(self._cells(chapter, answers, steps)):
            for raised, result in product((0, *self.raises), results):
                outcome, wagered, won = self.settle(raised, result, cells)
                if ends.setdefault(outcome, (wagered, won)) != (wagered, won):
                    raise ValueError(f"{outcome!r} wins {ends[outcome][1]} and {won}")
                rounds_of[outcome] += int(met[step, raised, result])
        return [Ending(outcome, Fraction(wagered), won, rounds_of[outcome]) for outcome, (wagered, won) in ends.items()]

    def _cells(self, chapter: Chapter, answers: Answers, steps: Steps) -> list[Cells]:
        """Return the cells of every step, of the wagers that are part of the required ones."""
        cells: list[dict[str, tuple[str, Fraction]]] = [{} for _ in steps.firsts]
        for wager, rows in self.parts.items():
            table = chapter.paytable(wager, part_paytable(chapter, answers, wager))
            nets = {row.outcome: net(row.pays[0].printed, table, {}) for row in table.rows}
            for step, row in enumerate(steps.taken(rows)):
                if row:
                    cells[step][wager] = row, nets[row]
        return list(cells)


def rounds_by_row(
    table: Paytable, rows: Iterable[str | None], counts: Iterable[int], instead: Mapping[str, str]
) -> dict[str, int]:
    """Return the rounds by row of a paytable; `instead`: a row that it may lack → the row that then pays."""
    printed = {row.outcome for row in table.rows}
    rounds: Counter[str] = Counter()
    for row, count in zip(rows, counts, strict=True):
        if row:
            rounds[row if row in printed else instead.get(row, row)] += int(count)
    return rounds
