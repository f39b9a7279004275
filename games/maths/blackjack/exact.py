"""The required wager of a blackjack game as it is reported: hold, outcomes, strategy, and simplified strategies.

Not here: how the figures come about (`optimal`), the strategy in words and tables (`advice`), the other wagers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np

from games.maths.blackjack import outcomes
from games.maths.blackjack.advice import choices, tables
from games.maths.blackjack.dealer import DEALER_STOPS_AT
from games.maths.blackjack.hands import (
    ALL_HANDS,
    DOUBLE,
    FREE_DOUBLE,
    HIT,
    PHASES,
    RESCUE,
    SECOND_CHANCE,
    SPLIT,
    STAND,
    SURRENDER,
    TEN,
    TOTAL,
    VALUES,
    Strategy,
)
from games.maths.blackjack.optimal import Plan, Rounds, Setting, best_plan, rounds, setting
from games.maths.blackjack.payouts import Payouts, payouts, suited_sevens
from games.maths.blackjack.rules import MOST_HANDS, Rules, Table, hands_over
from games.maths.blackjack.sections import Sections
from games.maths.blackjack.splits import NO_ROUND_NET
from games.maths.results import OutcomeRow, SimplifiedPlay, WagerAnalysis
from games.maths.wagers import required
from games.rules.citations import cite
from games.rules.model import Paytable

PLACES = 10**15
"""Chances are computed in double precision and reported in so many parts."""
ADDED = (DOUBLE, FREE_DOUBLE, SPLIT, SURRENDER, RESCUE)


@dataclass(frozen=True, slots=True)
class Required:
    """A game whose required wager is analyzed, as one chapter has it."""

    number: str  # of the chapter
    rules: Rules
    sections: Sections
    splits_measured_in: str = ""  # the game in which the error of split pairs was measured


def required_wager(game: Required, table: Paytable, dealt: Table) -> WagerAnalysis:
    """Under the strategy that loses least."""
    return _analysis(game, payouts(game.rules, table), dealt, table.wager, table.name)


def strategy_of(rules: Rules, paid: Payouts, dealt: Table) -> Strategy:
    """What `required_wager` plays."""
    return _plan(rules, paid, dealt).strategy


@cache
def _setting(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Setting:
    return setting(rules, paid, table, without)


@cache
def _plan(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Plan:
    return best_plan(_setting(rules, paid, table, without), _plan(rules, paid, table) if without else None)


@cache
def _analysis(game: Required, paid: Payouts, table: Table, wager: str, paytable: str) -> WagerAnalysis:
    rules = game.rules
    plan = _plan(rules, paid, table)
    all_rounds = rounds(_setting(rules, paid, table), plan)
    rows = _rows(game, all_rounds)
    means = required(rows, initial=1)
    square = sum((row.probability or 0) * row.net**2 for row in rows)
    return WagerAnalysis(
        wager=wager,
        paytable=paytable,
        method="exact",
        outcomes=rows,
        hold=means.loss_per_total_wagered,
        hit_frequency=sum((row.probability or Fraction(0) for row in rows if row.net > 0), Fraction(0)),
        standard_deviation=sqrt(square - means.loss_per_ante**2),
        largest_win=max(row.net for row in rows),
        required=means,
        strategy=choices(rules, plan.strategy, all_rounds),
        strategy_tables=tables(rules, table, plan.strategy, all_rounds),
        simplified_plays=tuple(_simplified_plays(game, paid, table, plan)),
        notes=tuple(_notes(game, table, means.loss_per_ante)),
        rounded=True,
    )


def _rows(game: Required, all_rounds: Rounds) -> tuple[OutcomeRow, ...]:
    """One for each (net, wagered), the largest win first; the likeliest takes what rounding leaves."""
    cells = sorted(np.argwhere(all_rounds.endings > 0).tolist(), key=lambda cell: (-cell[1], cell[0]))
    parts = {(net, wagered): round(all_rounds.endings[wagered, net] * PLACES) for wagered, net in cells}
    parts[max(parts, key=lambda cell: parts[cell])] += PLACES - sum(parts.values())
    return tuple(
        OutcomeRow(
            outcomes.name(net - NO_ROUND_NET, wagered),
            Fraction(part, PLACES),
            Fraction(net - NO_ROUND_NET, 2),
            Fraction(wagered),
            section=_section(game, net - NO_ROUND_NET),
        )
        for (net, wagered), part in parts.items()
    )


def _section(game: Required, net: int) -> str:
    """Half of one wager can only be lost by surrender."""
    settled = game.sections.settled
    section = settled.won if net > 0 else settled.lost if net < 0 else settled.tied
    return cite(game.sections.surrender if net == -1 else section, game.number)


def _simplified_plays(game: Required, paid: Payouts, table: Table, best: Plan) -> Iterator[SimplifiedPlay]:
    rules = game.rules

    def played(name: str, when: str, plan: Plan, unknown: frozenset[int] = frozenset()) -> SimplifiedPlay:
        all_rounds = rounds(_setting(rules, paid, table, unknown), plan)
        return SimplifiedPlay(name, when, required(_rows(game, all_rounds), initial=1))

    def without(name: str, when: str, *unknown: int) -> SimplifiedPlay:
        return played(name, when, _plan(rules, paid, table, frozenset(unknown)), frozenset(unknown))

    like_dealer = "Draws to 16 and stands on every 17 and more; wagers nothing more, splits and surrenders nothing"
    yield played("Plays as the dealer must", like_dealer, _like_dealer(rules))
    yield without("Only draws, or stops drawing", "Never doubles, splits or surrenders; the best play else", *ADDED)
    if rules.attack:
        alone = Strategy(best.strategy.decision, np.zeros(VALUES, dtype=np.bool_))
        yield played("Never attacks", f"Places no {rules.attack}; the best play else", Plan(alone, best.splits))
    if rules.second_chance:
        yield without("Takes no second chance", f"Places no {rules.second_chance}; the best play else", SECOND_CHANCE)
    if rules.rescue:
        yield without("Never rescues", "Leaves every doubled hand to its fate; the best play else", RESCUE)
    if rules.lammer:
        yield without("Doubles only free", "Never doubles at the player's own cost; the best play else", DOUBLE)


def _like_dealer(rules: Rules) -> Plan:
    decision = np.where((TOTAL < DEALER_STOPS_AT) & ~hands_over(rules), HIT, STAND).astype(np.int8)
    table = np.ascontiguousarray(np.broadcast_to(decision[None, :, None], (PHASES, ALL_HANDS, VALUES)))
    return Plan(Strategy(table, np.zeros(VALUES, dtype=np.bool_)), {})


def _notes(game: Required, table: Table, loss: Fraction) -> Iterator[str]:
    measured = f" (measured in {game.splits_measured_in})" if game.splits_measured_in else ""
    yield (
        f"From a full shoe of {table.decks} decks. The best decision for every hand, card by card, by its own cards "
        "and the dealer's first card; of equal decisions the one that wagers more. Where cards of the same total are "
        "played differently, the tables mark it with * and the exceptions follow."
    )
    yield (
        "Computed in double precision, with an error below 10⁻¹² but for split pairs. A pair that is split is split "
        f"again as often as allowed, here into {table.hands} hands at most. That its hands share the dealer is exact; "
        "that what one draws is missing to the others is taken to the first order in the number of cards, which "
        f"leaves about 10⁻⁸ of a wager a round from eight decks and 10⁻⁶ from one{measured}."
    )
    if table.hands == MOST_HANDS:
        yield f"Where more hands than {MOST_HANDS} are allowed, the player makes no more."
    if loss < 0:
        yield "Who plays so has the edge: the wager loses less than nothing, as the text is printed and read."
    if game.sections.additional:
        chance = suited_sevens(table.decks, TEN + game.rules.tens)
        yield (
            f"The additional fixed payouts of {cite(game.sections.additional, game.number)} are not in these figures: "
            "what they are worth depends on the amount wagered. This strategy splits two 7s against a 7 and never wins "
            f"them. Who always draws to them instead wins the payout once in {round(1 / chance):,} rounds."
        )
