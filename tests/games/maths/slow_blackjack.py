"""The mean of a blackjack round by its own program, which shares nothing with `games.maths`: slow, exact.

The rules are entered from the text once more. Decisions are data: the caller says what a hand does. Hands of a split
pair are found one by one, for the mean of a sum is the sum of the means; each leaf of the dealer's tree is weighed with
the chance that the second cards of the hands beside are not of the pair. Values: 0 = ace, 1 = deuce … 9 = ten-valued.
A pair's hands together, for their error, are every order of their cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import perm, prod
from operator import add, le

import numpy as np

Counts = tuple[int, ...]
Decide = Callable[[str, str, Counts], str]
"""Kind ("first", "split", "lammer", "split ace"), stage ("two", "drawn", "doubled") and hand → decision, in words."""
ACE, SEVEN, TEN = 0, 6, 9


@dataclass(frozen=True, kw_only=True)
class Text:
    """The rules of a round, as a chapter prints them."""

    tens: int = 4
    blackjack: float
    beats_blackjack: bool = False
    pushes_22: bool = False
    at_once: bool = False  # a player's 21 wins before the dealer draws
    beats_21: bool = False
    bonuses: bool = False
    one_card_aces: bool = False
    lammers: bool = False


TEXTS = {
    "581": Text(tens=3, blackjack=1, one_card_aces=True),  # §§ 581.11(e), 581.12(a)
    "590": Text(blackjack=1.5, pushes_22=True, lammers=True),  # §§ 590.7(n), 590.11(b), 590.12(a)
    "591": Text(blackjack=2, beats_blackjack=True, pushes_22=True, at_once=True),  # §§ 591.7(f), (m), (q), 591.12(a)
    "635a": Text(tens=3, blackjack=1.5, beats_blackjack=True, beats_21=True, bonuses=True),  # §§ 635a.7(n), 635a.12
}


def with_one(counts: Counts, value: int, times: int = 1) -> Counts:
    return (*counts[:value], counts[value] + times, *counts[value + 1 :])


def points(counts: Counts) -> int:
    hard = sum((value + 1) * count for value, count in enumerate(counts))
    return hard + 10 if counts[ACE] and hard <= 11 else hard


NO_CARDS: Counts = (0,) * 10


def dealer(up: int, left: np.ndarray, pair: int, beside: int) -> np.ndarray:
    """[second cards beside that are not of the pair, end, shoe] → chance, without a Blackjack; `left[shoe, value]`."""
    ends = np.zeros((beside + 1, 7, len(left)))
    hands = {with_one(NO_CARDS, up): np.ones(len(left))}
    while hands:
        longer: dict[Counts, np.ndarray] = defaultdict(lambda: np.zeros(len(left)))
        for hand, chance in hands.items():
            drawn = np.array(hand) - np.eye(10, dtype=int)[up]
            rest = left - drawn
            for value in range(10):
                now = with_one(hand, value)
                if sum(now) == 2 and points(now) == 21:
                    continue
                reached = chance * np.maximum(rest[:, value], 0) / np.maximum(rest.sum(axis=1), 1)
                if points(now) < 17:
                    longer[now] += reached
                    continue
                cards = rest.sum(axis=1) - 1
                of_pair = rest[:, pair] - (value == pair)
                for others in range(beside + 1):
                    ends[others, min(points(now), 23) - 17] += reached
                    reached = reached * np.maximum(cards - of_pair - others, 0) / np.maximum(cards - others, 1)
        hands = longer
    return ends


def bonus(decks: int, up: int, counts: Counts) -> float:
    """§ 635a.12(b): what a 21 of three cards or more wins on the hand first dealt, on average over the suits."""
    cards = sum(counts)
    if cards >= 5:
        return {5: 1.5, 6: 2.0}.get(cards, 3.0)
    if cards == 3 and counts[5] == counts[6] == counts[7] == 1:
        return 1.5 * 15 / 16 + 2 * 3 / 64 + 3 / 64
    if cards == 3 and counts[SEVEN] == 3:
        gone = int(up == SEVEN)  # in the mean over its suits, a quarter of the time a spade
        ways = perm(4 * decks - gone, 3)
        spades = sum(perm(decks - gone * (suit == 3), 3) for suit in range(4)) / 4 / ways
        return 1.5 * (1 - 4 * spades) + 2 * 3 * spades + 3 * spades
    return 1.0


@dataclass(frozen=True)
class Table:
    """One table of a game: `most` hands of a pair."""

    text: Text
    decks: int
    most: int

    def against(self, total: int, cards: int) -> np.ndarray:
        """End of the dealer → 1 won, 0 tied, −1 lost."""
        if total > 21:
            return np.full(7, -1.0)
        if total == 21 and (self.text.at_once or (self.text.beats_21 and cards > 2)):
            return np.ones(7)
        compared = [float(np.sign(total - theirs)) for theirs in range(17, 22)]
        return np.array([*compared, 0.0 if self.text.pushes_22 else 1.0, 1.0])

    def nets(self, kind: str, doubled: str, choice: str, counts: Counts, up: int) -> tuple[np.ndarray, float]:
        """Return end of the dealer → net, and what was wagered, of a hand that is not drawn to."""
        own = float(kind != "lammer") + (doubled == "double")
        if choice == "surrender":
            return np.full(7, -own / 2), own
        if choice == "rescue":
            return np.full(7, -1.0), 2.0
        result = self.against(points(counts), sum(counts))
        won = own + (kind == "lammer") + (doubled == "double free")
        if self.text.bonuses and kind == "first" and not doubled and points(counts) == 21 and sum(counts) > 2:
            won = bonus(self.decks, up, counts)
        return np.where(result > 0, won, result * own), own

    def hand(
        self, kind: str, up: int, shoe: np.ndarray, dealt: dict[Counts, float], decide: Decide, pair: int = 0,
        beside: int = 0,
    ) -> np.ndarray:  # fmt: skip
        """[second cards beside that are not of the pair] → mean net and mean wagered, the dealer without Blackjack."""
        gone, nets, wagers, chances = [], [], [], []
        states = {("", counts): chance for counts, chance in dealt.items()}
        while states:
            longer: dict[tuple[str, Counts], float] = defaultdict(float)
            for (doubled, counts), chance in states.items():
                stage = "doubled" if doubled else "two" if sum(counts) == 2 else "drawn"
                choice = decide(kind, stage, counts)
                left = [int(there) - count for there, count in zip(shoe, counts, strict=True)]
                if choice in ("hit", "double", "double free"):
                    for value in np.flatnonzero(left).tolist():
                        state = ("" if choice == "hit" else choice, with_one(counts, value))
                        longer[state] += chance * left[value] / sum(left)
                elif choice == "second chance":  # § 591.7(l): as much again, for a card that is subtracted
                    for value in np.flatnonzero(left).tolist():
                        staked = 2.0 if doubled else 1.0
                        result = self.against(points(counts) - value - 1, 0)
                        gone.append(with_one(counts, value))
                        chances.append(chance * left[value] / sum(left))
                        nets.append(np.where(result < 0, -2 * staked, result * staked))
                        wagers.append(2 * staked)
                else:
                    net, wagered = self.nets(kind, doubled, choice, counts, up)
                    gone.append(counts)
                    chances.append(chance)
                    nets.append(net)
                    wagers.append(wagered)
            states = longer
        ends = dealer(up, shoe - np.array(gone), pair, beside) * np.array(chances)
        net = (ends * np.array(nets).T).sum(axis=(1, 2))
        return np.stack([net, (ends.sum(axis=1) * np.array(wagers)).sum(axis=1)], axis=1)

    def split(self, up: int, base: np.ndarray, pair: int, decide: Decide) -> np.ndarray:
        """Return mean net and mean wagered of a pair that is split, always again; `base`: without the up card."""
        aces = self.text.one_card_aces and pair == ACE
        known: dict[tuple[int, str, bool], np.ndarray] = {}
        total = np.zeros(2)
        for (made, filled), ways in Counter(second_cards(2 if aces else self.most)).items():
            chance, have, cards = float(ways), int(base[pair]) - 2, int(base.sum()) - 2
            for more in range(made - 2):
                chance *= max(have - more, 0) / (cards - more)
            for place in range(made if chance > 0 else 0):
                lammer = self.text.lammers and pair != TEN and place > 0
                kind = "split ace" if aces else "lammer" if lammer else "split"
                unpaired = place < filled
                if (made, kind, unpaired) not in known:
                    shoe = base - (made - 1) * np.eye(10, dtype=int)[pair]
                    left = shoe - np.eye(10, dtype=int)[pair]
                    one = with_one(NO_CARDS, pair)
                    dealt = {
                        with_one(one, value): left[value] / left.sum()
                        for value in range(10)
                        if left[value] > 0 and not (unpaired and value == pair)
                    }
                    known[made, kind, unpaired] = self.hand(kind, up, shoe, dealt, decide, pair, made - 1)
                total += chance * known[made, kind, unpaired][filled - unpaired]
        return total

    def split_together(self, up: int, base: np.ndarray, pair: int, decide: Decide) -> dict[tuple[float, float], float]:
        """Return (net, wagered) → chance of all hands of a pair together, each without the cards of the others.

        For games of few leaves, without second chances and lammers; not for aces that get one card.
        """
        together: dict[tuple[float, float], float] = defaultdict(float)
        for (made, filled), ways in Counter(second_cards(self.most)).items():
            left = [int(there) - made * (value == pair) for value, there in enumerate(base)]
            chance, have, cards = float(ways), int(base[pair]) - 2, int(base.sum()) - 2
            for more in range(made - 2):
                chance *= max(have - more, 0) / (cards - more)
            hands = {(NO_CARDS, (0.0,) * 7, 0.0): 1}
            for place in range(made if chance > 0 else 0):
                longer: dict[tuple[Counts, tuple[float, ...], float], int] = defaultdict(int)
                for (drawn, nets, wagered), orders in hands.items():
                    for (more_drawn, more_nets, staked), more_orders in self.leaves(up, pair, decide).items():
                        if place < filled and sum(more_drawn) == 1 and more_drawn[pair]:
                            continue
                        both = tuple(map(add, drawn, more_drawn))
                        longer[both, tuple(map(add, nets, more_nets)), wagered + staked] += orders * more_orders
                hands = {state: orders for state, orders in longer.items() if all(map(le, state[0], left))}
            gone = [drawn for drawn, _, _ in hands]
            for ((drawn, nets, wagered), orders), ends in zip(
                hands.items(), dealer(up, np.array(left) - np.array(gone), pair, 0)[0].T, strict=True
            ):
                likely = chance * orders * prod(map(perm, left, drawn)) / perm(sum(left), sum(drawn))
                for net, end in zip(nets, ends.tolist(), strict=True):
                    together[net, wagered] += likely * end
        return together

    @cache  # noqa: B019 - a few tables a test
    def leaves(self, up: int, pair: int, decide: Decide) -> dict[tuple[Counts, tuple[float, ...], float], int]:
        """Return (cards drawn, net by the dealer's end, wagered) → orders of the cards, of one hand of the pair."""
        found: dict[tuple[Counts, tuple[float, ...], float], int] = defaultdict(int)
        one = with_one(NO_CARDS, pair)
        states = {("", with_one(one, value)): 1 for value in range(10)}
        while states:
            longer: dict[tuple[str, Counts], int] = defaultdict(int)
            for (doubled, counts), orders in states.items():
                choice = decide("split", "doubled" if doubled else "two" if sum(counts) == 2 else "drawn", counts)
                if choice in ("hit", "double"):
                    for value in range(10):
                        longer["" if choice == "hit" else choice, with_one(counts, value)] += orders
                else:
                    net, wagered = self.nets("split", doubled, choice, counts, up)
                    found[with_one(counts, pair, -1), tuple(net.tolist()), wagered] += orders
            states = longer
        return found

    def round(self, decide_against: Callable[[int], Decide], attack: Callable[[int], bool]) -> np.ndarray:
        """Return mean net and mean wagered of a round, per wager."""
        shoe = np.array([4 * self.decks] * 9 + [4 * self.decks * self.text.tens])
        total = np.zeros(2)
        for up in range(10):
            total += shoe[up] / shoe.sum() * self.with_up_card(up, shoe, decide_against(up), 1 + attack(up))
        return total

    def with_up_card(self, up: int, shoe: np.ndarray, decide: Decide, times: int) -> np.ndarray:
        base = shoe - np.eye(10, dtype=int)[up]
        cards, total, dealt = int(base.sum()), np.zeros(2), dict[Counts, float]()
        hole = {ACE: TEN, TEN: ACE}.get(up)
        all_theirs = 0.0 if hole is None else base[hole] / cards
        both = 0.0
        for first in range(10):
            for second in range(first, 10):
                counts = with_one(with_one(NO_CARDS, first), second)
                chance = float(base[first] * (base[second] - (first == second)) / cards / (cards - 1))
                chance *= 1 if first == second else 2
                if points(counts) == 21:
                    theirs = 0.0 if hole is None else float(base[hole] - 1) / (cards - 2)
                    both = chance * theirs
                    total += chance * (1 - theirs) * times * np.array([self.text.blackjack, 1])
                    total += both * np.array([self.text.blackjack if self.text.beats_blackjack else 0, times])
                elif decide("first", "two", counts) == "split" and chance > 0:
                    total += times * chance * self.split(up, base, first, decide)
                elif chance > 0:
                    dealt[counts] = chance
        total += (all_theirs - both) * np.array([-1, times])
        return total + times * self.hand("first", up, base, dealt, decide)[0]


def second_cards(most: int, made: int = 2, filled: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (hands, second cards that are not of the pair) for each order in which these fall, hand by hand."""
    if made in (most, filled):
        yield made, filled
    else:
        yield from second_cards(most, made, filled + 1)
        yield from second_cards(most, made + 1, filled)
