"""A game on the best four of five cards against a hidden hand, with its required wagers: what two chapters share.

A chapter states a `FourCardGame` and how each decision, result and hand ends; analysis, dealing and tables follow.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from games.maths.raise_or_fold.equal_decisions import on_equal_decisions
from games.maths.raise_or_fold.four_cards import Strength, best_four
from games.maths.raise_or_fold.four_hidden import OWN, Against, against, own_values
from games.maths.raise_or_fold.four_play import (
    Endings,
    Ints,
    Strategy,
    best_decisions,
    outcome_rows,
)
from games.maths.raise_or_fold.four_rounds import Settled, deal_rounds
from games.maths.raise_or_fold.four_strategy import strategy_tables
from games.maths.raise_or_fold.four_words import Steps, choices, rule_in_words, steps_of
from games.maths.raise_or_fold.orbits import orbits
from games.maths.results import SimplifiedPlay, WagerAnalysis
from games.maths.wagers import counted, required


@dataclass(frozen=True, slots=True)
class SimplifiedRule:
    """A player's rule that looks at the best four cards alone; without `steps`, the best play's own words."""

    name: str
    steps: Steps | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FourCardGame:
    """What differs between the games. Decisions are 0 = fold, else the raise in Antes."""

    dealer_cards: int
    shared: int  # 1 where the first card dealt is added to every player's five, else 0
    least: int  # the value below which the dealer's hand is short
    groups: Ints  # of each value: those of a group are paid alike
    most: Ints  # of each value: the largest raise that is allowed
    initial: int  # units that must be wagered before the deal
    words: tuple[str, ...]  # of each decision
    simplified: tuple[SimplifiedRule, ...]

    @property
    def against(self) -> Against:
        return against(self.dealer_cards, self.least)

    def strategy(self, endings: Endings) -> Strategy:
        """The best play, for these ends of the required wagers."""
        return _best(self, endings)

    def required(self, wager: str, paytable: str, endings: Endings, notes: tuple[str, ...] = ()) -> WagerAnalysis:
        """The required wagers under the best play, and as plain players play them."""
        best, cycle = self.strategy(endings), self.against.cycle
        rows = outcome_rows(best.pair_counts, endings, cycle)
        return counted(
            wager,
            paytable,
            rows,
            cycle,
            required=required(rows, self.initial),
            strategy=choices(best, self.words),
            strategy_tables=strategy_tables(best, self.words),
            simplified_plays=tuple(_simplified(self, rule, endings) for rule in self.simplified),
            notes=(*notes, on_equal_decisions(best.equal_hands)),
        )

    def deal(self, endings: Endings, stream: tuple[int, int, int]) -> Settled:
        """Rounds of stream (seed, block, rounds), under the best play."""
        return deal_rounds(self.strategy(endings), self.dealer_cards, self.least, self.shared, stream)


@cache
def _best(game: FourCardGame, endings: Endings) -> Strategy:
    decisions, alike = best_decisions(game.against, game.groups, endings, game.most)
    return _strategy(game, decisions.tobytes(), alike)


@cache
def _strategy(game: FourCardGame, decisions: bytes, alike: int) -> Strategy:
    """The same for the same decisions, so that they are counted and put in words once."""
    return Strategy(game.against, game.groups, np.frombuffer(decisions, np.int8), alike)


@cache
def _simplified(game: FourCardGame, rule: SimplifiedRule, endings: Endings) -> SimplifiedPlay:
    steps = steps_of(game.strategy(endings)) if rule.steps is None else rule.steps
    rows = outcome_rows(_by_steps(game, steps).pair_counts, endings, game.against.cycle)
    return SimplifiedPlay(rule.name, rule_in_words(steps, game.words), required(rows, game.initial))


@cache
def _by_steps(game: FourCardGame, steps: Steps) -> Strategy:
    return Strategy(game.against, game.groups, by_steps(*steps)[game.against.values].astype(np.int8))


def strengths() -> tuple[Strength, ...]:
    """Of the best four cards, by value."""
    return best_four(OWN).strengths


@cache
def value_counts() -> Ints:
    """All five-card hands by the value of their best four."""
    return np.bincount(own_values(), orbits(OWN).sizes, len(strengths())).astype(np.int64)


def least_value(strength: Strength) -> int:
    """The value of the lowest hand that is no lower than this: `(PAIR, 8)` is the lowest pair of 10s."""
    return next(value for value, hand_strength in enumerate(strengths()) if hand_strength >= strength)


def by_steps(*steps: tuple[Strength, int]) -> Ints:
    """By value: each step's number from its strength up, 0 below the first."""
    numbers = np.zeros(len(strengths()), np.int64)
    for strength, number in steps:
        numbers[least_value(strength) :] = number
    return numbers
