"""The required wager of a blackjack game as it is reported: hold, outcomes, strategy, and simplified strategies.

Not here: how the figures come about (`optimal`), the strategy in words and tables (`advice`), the other wagers.
"""

from collections.abc import Iterator
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
from games.maths.blackjack.rules import MOST_HANDS, Rules, Table, table_of
from games.maths.blackjack.splits import NO_ROUND_NET
from games.maths.results import OutcomeRow, SimplifiedPlay, WagerAnalysis
from games.maths.wagers import required
from games.rules.model import Answers, Chapter

PLACES = 10**15
"""Chances are computed in double precision and reported in so many parts."""
ADDED = frozenset({DOUBLE, FREE_DOUBLE, SPLIT, SURRENDER, RESCUE})


def required_wager(rules: Rules, chapter: Chapter, answers: Answers | None) -> WagerAnalysis:
    """Under the strategy that loses least."""
    return _analysis(rules, payouts(rules, chapter), table_of(rules, answers), chapter.tables_of(rules.wager)[0].name)


def strategy_of(rules: Rules, chapter: Chapter, answers: Answers | None) -> Strategy:
    """What `required_wager` plays."""
    return _plan(rules, payouts(rules, chapter), table_of(rules, answers)).strategy


@cache
def _setting(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Setting:
    return setting(rules, paid, table, without)


@cache
def _plan(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Plan:
    return best_plan(_setting(rules, paid, table, without))


@cache
def _analysis(rules: Rules, paid: Payouts, table: Table, paytable: str) -> WagerAnalysis:
    place = _setting(rules, paid, table)
    plan = _plan(rules, paid, table)
    all_rounds = rounds(place, plan)
    rows = _rows(rules, all_rounds)
    means = required(rows, initial=1)
    square = sum((row.probability or 0) * row.net**2 for row in rows)
    return WagerAnalysis(
        wager=rules.wager,
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
        simplified_plays=tuple(_simplified_plays(rules, paid, table, plan)),
        notes=tuple(_notes(rules, table, means.loss_per_ante)),
        rounded=True,
    )


def _rows(rules: Rules, all_rounds: Rounds) -> tuple[OutcomeRow, ...]:
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
            section=_section(rules, net - NO_ROUND_NET),
        )
        for (net, wagered), part in parts.items()
    )


def _section(rules: Rules, net: int) -> str:
    """Half of one wager can only be lost by surrender."""
    settled = rules.surrender if net == -1 else rules.won if net > 0 else rules.lost if net < 0 else rules.tied
    return f"§ {rules.number}{settled}"


def _simplified_plays(rules: Rules, paid: Payouts, table: Table, best: Plan) -> Iterator[SimplifiedPlay]:
    def without(name: str, when: str, unknown: frozenset[int]) -> SimplifiedPlay:
        plan = _plan(rules, paid, table, unknown)
        return _simplified(name, when, rules, rounds(_setting(rules, paid, table, unknown), plan))

    like_dealer = "Draws to 16 and stands on every 17 and more; wagers nothing besides, splits and surrenders nothing"
    yield _simplified(
        "Plays as the dealer must", like_dealer, rules, rounds(_setting(rules, paid, table), _like_dealer())
    )
    yield without("Only draws and stands", "Never doubles, splits or surrenders; the best play else", ADDED)
    if rules.attack:
        alone = Strategy(best.strategy.decision, np.zeros(VALUES, dtype=np.bool_))
        played = rounds(_setting(rules, paid, table), Plan(alone, best.splits))
        yield _simplified("Never attacks", "Places no Double Attack Wager; the best play else", rules, played)
    if rules.second_chance:
        unknown = frozenset({SECOND_CHANCE})
        yield without("Takes no second chance", "Places no Second Chance Wager; the best play else", unknown)
    if rules.rescue:
        yield without("Never rescues", "Leaves every doubled hand to its fate; the best play else", frozenset({RESCUE}))
    if rules.free_bets:
        yield without("Doubles only free", "Never doubles at his own cost; the best play else", frozenset({DOUBLE}))


def _simplified(name: str, when: str, rules: Rules, all_rounds: Rounds) -> SimplifiedPlay:
    return SimplifiedPlay(name, when, required(_rows(rules, all_rounds), initial=1))


def _like_dealer() -> Plan:
    decision = np.where(TOTAL < DEALER_STOPS_AT, HIT, STAND).astype(np.int8)
    table = np.ascontiguousarray(np.broadcast_to(decision[None, :, None], (PHASES, ALL_HANDS, VALUES)))
    return Plan(Strategy(table, np.zeros(VALUES, dtype=np.bool_)), {})


def _notes(rules: Rules, table: Table, loss: Fraction) -> Iterator[str]:
    yield (
        f"From a full shoe of {table.decks} decks. The best decision for every hand, card by card, by its own cards "
        "and the dealer's first card; of equal decisions the one that wagers more. Where cards of the same total are "
        "played differently, the tables mark it with * and the exceptions follow."
    )
    yield (
        "Computed in double precision, with an error below 10⁻¹² but for split pairs. A pair that is split is split "
        f"again as often as allowed, here into {table.hands} hands at most. That its hands share the dealer is exact; "
        "that what one draws is missing to the others is taken to the first order in the number of cards, which "
        "leaves about 10⁻⁸ of a wager a round from eight decks and 10⁻⁶ from one (measured in Double Back Jack)."
    )
    if table.hands == MOST_HANDS:
        yield f"Where more hands than {MOST_HANDS} are allowed, the player makes no more."
    if loss < 0:
        yield "Who plays so has the edge: the wager loses less than nothing, as the text is printed and read."
    if rules.beats_21:
        chance = suited_sevens(table.decks, TEN + rules.ten_ranks)
        yield (
            "The additional fixed payouts of § 635a.12(c) are not in these figures: what they are worth depends on "
            "the amount wagered. This strategy splits two 7s against a 7 and never wins them. Who always draws to "
            f"them instead wins the payout once in {round(1 / chance):,} rounds."
        )
