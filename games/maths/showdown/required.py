"""The wagers that are decided together, analyzed: outcome rows, strategy in words and tables, simplified plays.

Not here: what decisions win (`parts`), which is best (`strategy`).
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from games.maths.results import SimplifiedPlay, WagerAnalysis
from games.maths.showdown.against import Against
from games.maths.showdown.endings import Endings, Ints, endings, outcome_rows
from games.maths.showdown.order import Groups, HandOrder
from games.maths.showdown.parts import HandSteps, RequiredWagers, SimplifiedRule
from games.maths.showdown.strategy import Strategy, best_decisions
from games.maths.showdown.tables import strategy_tables
from games.maths.showdown.words import Steps, choices, rule_in_words, steps_of
from games.maths.wagers import counted, required
from games.rules.model import Paytable


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Required wagers under given paytables, with their best play."""

    wagers: RequiredWagers
    groups: Groups
    ends: Endings
    best: Strategy


@cache
def played(wagers: RequiredWagers, against: Against, groups: Groups, tables: tuple[Paytable, ...]) -> Played:
    """The best play for these paytables."""
    ends = endings(wagers, tables, against.order, groups)
    most = by_steps(against.order, wagers.most) if wagers.most else np.full(against.order.size, len(wagers.raises))
    decisions, alike = best_decisions(against, groups, ends, most)
    return Played(wagers, groups, ends, _strategy(against, decisions.tobytes(), alike))


@cache
def _strategy(against: Against, decisions: bytes, alike: int) -> Strategy:
    """The same for the same decisions, so that they are counted and put in words once."""
    return Strategy(against, np.frombuffer(decisions, np.int8), alike)


@cache
def analyze_required(played: Played, paytable: str) -> WagerAnalysis:
    """The required wagers under the best play, and as simplified rules play them."""
    wagers, best, cycle = played.wagers, played.best, played.best.against.cycle
    rows = outcome_rows(best.pair_counts(played.groups), played.ends, cycle)
    return counted(
        wagers.wager,
        paytable,
        rows,
        cycle,
        required=required(rows, wagers.initial),
        strategy=choices(best, wagers.words),
        strategy_tables=strategy_tables(best, wagers.words),
        simplified_plays=tuple(_simplified(played, rule) for rule in wagers.simplified),
        notes=(*wagers.notes, on_equal_decisions(best.equal_hands)),
    )


def on_equal_decisions(hands: int) -> str:
    """For the notes of an analysis: of equal decisions the larger wager is played."""
    if not hands:
        return "For no hand are two decisions worth the same."
    return f"For {hands:,} hands two decisions are worth the same; they are played for the larger wager."


@cache
def _simplified(played: Played, rule: SimplifiedRule) -> SimplifiedPlay:
    wagers, against = played.wagers, played.best.against
    steps = _strengths(against.order, rule.steps) if rule.steps is not None else steps_of(played.best)
    rows = outcome_rows(_by_rule(against, steps).pair_counts(played.groups), played.ends, against.cycle)
    when = rule.when or rule_in_words(steps, wagers.words, against.order)
    return SimplifiedPlay(rule.name, when, required(rows, wagers.initial))


@cache
def _by_rule(against: Against, steps: Steps) -> Strategy:
    return Strategy(against, _by_strengths(against.order, steps)[against.values].astype(np.int8))


def by_steps(order: HandOrder, steps: HandSteps) -> Ints:
    """By value: each step's number from its hand up, 0 below the first."""
    return _by_strengths(order, _strengths(order, steps))


def _strengths(order: HandOrder, steps: HandSteps) -> Steps:
    return tuple((order.strength(hand), number) for hand, number in steps)


def _by_strengths(order: HandOrder, steps: Steps) -> Ints:
    numbers = np.zeros(order.size, np.int64)
    for strength, number in steps:
        numbers[order.least_value(strength) :] = number
    return numbers
