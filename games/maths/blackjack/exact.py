"""The required wager of a blackjack game as it is reported: hold, outcomes, strategy and simplified strategies.

The strategy is as a person reads and checks it: when each decision is taken, how often, and tables cell by cell. Not
here: how the figures come about (`optimal`), the other wagers (`side_wagers`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack import rules
from games.maths.blackjack.dealer import DEALER_STOPS_AT
from games.maths.blackjack.hands import (
    ACE,
    ALL_HANDS,
    CARDS,
    COUNTS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FIRST,
    FREE_DOUBLE,
    HANDS,
    HIT,
    LAMMER,
    PAIR,
    PHASES,
    RESCUE,
    SECOND_CHANCE,
    SOFT,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TEN,
    TOTAL,
    TWO_CARDS,
    VALUE_NAMES,
    VALUES,
    Strategy,
)
from games.maths.blackjack.optimal import NO_ROUND_NET, Plan, Rounds, best_plan, rounds, setting
from games.maths.blackjack.rules import (
    MOST_HANDS,
    SEVEN,
    Payouts,
    Rules,
    Sections,
    Table,
    hands_over,
    payouts,
    shoe_of,
    suited_sevens,
)
from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, StrategyTable, WagerAnalysis, required
from games.rules.model import Paytable
from games.rules.sections import cite

JOINED_ERROR = 1e-5
"""Of deviation and chances from one deck; it falls at least as the number of decks grows.

All pairs of one game from one deck, the cards of two hands enumerated together, are off by a quarter of it; three and
four hands of one of these pairs, enumerated so, are not off by more.
"""
PLACES = 10**15
"""Chances are computed in double precision and reported in so many parts."""
ADDED = (DOUBLE, FREE_DOUBLE, SPLIT, SURRENDER, RESCUE)


@dataclass(frozen=True, slots=True)
class Required:
    """A game whose required wager is analyzed, as one chapter has it."""

    number: str  # of the chapter
    rules: Rules
    sections: Sections


def required_wager(game: Required, table: Paytable, dealt: Table) -> WagerAnalysis:
    """Return the required wager under the strategy that loses least."""
    return _analysis(game, payouts(game.rules, table), dealt, table.wager, table.name)


def strategy_of(rules: Rules, paid: Payouts, dealt: Table) -> Strategy:
    """Return the strategy that `required_wager` plays."""
    return _plan(rules, paid, dealt).strategy


@cache
def _plan(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Plan:
    return best_plan(setting(rules, paid, table, without), _plan(rules, paid, table) if without else None)


@cache
def _analysis(game: Required, paid: Payouts, table: Table, wager: str, paytable: str) -> WagerAnalysis:
    rules = game.rules
    plan = _plan(rules, paid, table)
    all_rounds = rounds(setting(rules, paid, table), plan)
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
        strategy_tables=strategy_tables(rules, table, plan.strategy, all_rounds),
        simplified_plays=tuple(_simplified_plays(game, paid, table, plan)),
        notes=(*_notes(game, table, means.loss_per_ante), *_additional(game, paid, table, plan, means.loss_per_ante)),
        rounded=True,
        spread_error=JOINED_ERROR / table.decks,
    )


def _rows(game: Required, all_rounds: Rounds) -> tuple[OutcomeRow, ...]:
    """Return a row for each (net, wagered), the largest win first; the likeliest takes the rest of the rounding."""
    cells = sorted(np.argwhere(all_rounds.endings > 0).tolist(), key=lambda cell: (-cell[1], cell[0]))
    parts = {(net, wagered): round(all_rounds.endings[wagered, net] * PLACES) for wagered, net in cells}
    parts[max(parts, key=lambda cell: parts[cell])] += PLACES - sum(parts.values())
    return tuple(
        OutcomeRow(
            rules.outcome_name(net - NO_ROUND_NET, wagered),
            Fraction(part, PLACES),
            Fraction(net - NO_ROUND_NET, 2),
            Fraction(wagered),
            section=_section(game, net - NO_ROUND_NET),
        )
        for (net, wagered), part in parts.items()
    )


def _section(game: Required, net: int) -> str:
    """Return the section that settles the net; half of one wager can only be lost by surrender."""
    settled = game.sections.settled
    section = settled.won if net > 0 else settled.lost if net < 0 else settled.tied
    return cite(game.sections.surrender if net == -1 else section, game.number)


def _simplified_plays(game: Required, paid: Payouts, table: Table, best: Plan) -> Iterator[SimplifiedPlay]:
    rules = game.rules

    def played(name: str, when: str, plan: Plan, unknown: frozenset[int] = frozenset()) -> SimplifiedPlay:
        all_rounds = rounds(setting(rules, paid, table, unknown), plan)
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
    yield (
        f"From a full shoe of {table.decks} decks. The best decision for every hand, card by card, by its own cards "
        "and the dealer's first card; of equal decisions the one that wagers more. Where cards of the same total are "
        "played differently, the tables mark it with * and the exceptions follow."
    )
    yield (
        "Hold, losses and what is wagered on average are exact, computed in double precision with an error below "
        f"10⁻¹². A pair that is split is split again, here into {table.hands} hands at most; each of them by itself is "
        "exact. How they win and lose together is not: what one draws is missing to the others, which is taken to the "
        "first order in the number of cards. So the standard deviation, in wagers, and the chances of wins and of the "
        f"single ends have an error, estimated to be below {JOINED_ERROR / table.decks:.7f}. Deviation and chance of a "
        "win are shown no further; the chances of the ends are given so that they add up to the exact mean."
    )
    if table.hands == MOST_HANDS:
        yield (
            f"More than {MOST_HANDS - 2} additional splits are computed as {MOST_HANDS - 2}, into {MOST_HANDS} hands. "
            "Where more are allowed, the largest win stated is that of so many hands and no bound."
        )
    if loss < 0:
        yield "Who plays so has the edge: the wager loses less than nothing, as the text is printed and read."


def _additional(game: Required, paid: Payouts, table: Table, plan: Plan, loss: Fraction) -> Iterator[str]:
    chance = suited_sevens(table.decks, TEN + game.rules.tens)
    if chance == 0 or not paid.additional:
        return
    decision = plan.strategy.decision.copy()
    decision[3 * FIRST + TWO_CARDS, np.equal(PAIR, SEVEN), SEVEN] = HIT
    drawing = Plan(Strategy(decision, plan.strategy.attack), plan.splits)
    cost = required(_rows(game, rounds(setting(game.rules, paid, table), drawing)), initial=1).loss_per_ante - loss
    leasts = [least for least, _ in paid.additional]
    worth = ", ".join(
        f"{100 * chance * max(payout for least, payout in paid.additional if least <= dollars) / dollars:.4f} at "
        f"${dollars}"
        for dollars in sorted({*leasts, *(2 * least for least in leasts), 4 * leasts[-1]})
    )
    yield (
        f"The additional fixed payouts of {cite(game.sections.additional, game.number)} are not in these figures: "
        "what they are worth depends on the amount wagered. This strategy splits two 7s against a 7 and never wins "
        f"them. Who always draws to them instead wins the payout once in {round(1 / chance):,} rounds. That is worth, "
        f"in percent of the original wager, {worth}; to draw so costs {float(100 * cost):.4f} elsewhere."
    )


UPS = (*range(1, VALUES), ACE)  # as a table shows them: 2 to 10, ace
SIGNS = {
    STAND: "S",
    HIT: "H",
    DOUBLE: "D",
    SPLIT: "P",
    SURRENDER: "R",
    FREE_DOUBLE: "F",
    RESCUE: "T",
    SECOND_CHANCE: "C",
}
WORDS = {
    STAND: "stand",
    HIT: "draw",
    DOUBLE: "double down",
    SPLIT: "split",
    SURRENDER: "surrender",
    FREE_DOUBLE: "double free",
    RESCUE: "rescue",
}
MIXED = "*"  # beside the commonest decision where hands of one total are played differently
RARE = 1e-5  # rounds in which an exception occurs that is not worth a line
PARTS = 10**15
Weights = NDArray[np.float64]
Hands = NDArray[np.int64]
Row = tuple[str, Hands]


def choices(rules: Rules, strategy: Strategy, all_rounds: Rounds) -> tuple[Choice, ...]:
    """Return the choices: the added wager, the decision on the first two cards, and the later ones."""
    listed, words = [], _words(rules)
    if rules.attack:
        shown = _ups([up for up in UPS if strategy.attack[up]])
        listed.append(
            Choice(f"Places the {rules.attack}", f"The dealer's first card is {shown}", _share(all_rounds.attacked))
        )
    first = _rows_of_two()
    for decision in (SPLIT, FREE_DOUBLE, DOUBLE, SURRENDER, HIT, STAND):
        often = float(all_rounds.first[:, :, decision].sum())
        if often > 0:
            when = _when(strategy, 3 * FIRST + TWO_CARDS, first, all_rounds.first.sum(axis=2), decision)
            listed.append(Choice(f"First two cards: {words[decision]}", when, _share(often)))
    for decision in (DOUBLE, SURRENDER, RESCUE, SECOND_CHANCE):
        if all_rounds.taken[decision] > 0:
            often = float(all_rounds.taken[decision])
            listed.append(Choice(f"Later: {words[decision]}", _LATER[decision], _share(often)))
    return tuple(listed)


def _words(rules: Rules) -> dict[int, str]:
    return {**WORDS, SECOND_CHANCE: rules.second_chance}


_LATER = {
    DOUBLE: "After cards drawn, as the tables show; hands that are not split",
    SURRENDER: "After cards drawn or doubling, as the tables show; hands that are not split",
    RESCUE: "After doubling, as the table shows; hands that are not split",
    SECOND_CHANCE: "Above 21, as the table shows; hands that are not split",
}


def strategy_tables(rules: Rules, table: Table, strategy: Strategy, all_rounds: Rounds) -> tuple[StrategyTable, ...]:
    """Return the tables of every phase that the game has, and the exceptions among hands of the same total."""
    return tuple(part for part in _tables(rules, table, strategy, all_rounds) if part.rows)


def _tables(rules: Rules, table: Table, strategy: Strategy, all_rounds: Rounds) -> Iterator[StrategyTable]:
    two, drawn, dealt = all_rounds.first.sum(axis=2), all_rounds.reached, _dealt(rules, table)
    open_hands, words = ~hands_over(rules), _words(rules)
    after = _totals((CARDS > 2) & open_hands)

    def cells(name: str, kind: int, stage: int, rows: Sequence[Row], weights: Weights) -> StrategyTable:
        return _table(name, words, strategy, 3 * kind + stage, rows, weights)

    yield cells("First two cards", FIRST, TWO_CARDS, _rows_of_two(), two)
    yield cells("After drawing", FIRST, DRAWN, after, drawn)
    if rules.rescue or rules.any_time:
        doubled = _totals(((CARDS == 3) | (rules.any_time & (CARDS > 3))) & open_hands)
        yield cells("After doubling", FIRST, DOUBLED, doubled, dealt)
    if rules.second_chance:
        above = [(f"{total}", np.flatnonzero(np.equal(TOTAL, total))) for total in range(22, 31)]
        yield cells("Above 21", FIRST, DRAWN, above, drawn)
    for kind, name in _kinds(rules).items():
        aces = (COUNTS[:, ACE] > 0) if kind == SPLIT_ACE else (CARDS > 0)
        yield cells(f"{name}: two cards", kind, TWO_CARDS, _totals((CARDS == 2) & aces), dealt)
        if kind != SPLIT_ACE:
            yield cells(f"{name}: after drawing", kind, DRAWN, after, dealt)
    yield _exceptions(words, strategy, [(TWO_CARDS, _rows_of_two(), two), (DRAWN, after, drawn)])


def _kinds(rules: Rules) -> dict[int, str]:
    """Return the kinds of hands formed by splitting, in words."""
    kinds = {SPLIT_HAND: "A split hand, not split again"}
    if rules.lammer:
        kinds[LAMMER] = f"A split hand whose wager is a {rules.lammer}, not split again"
    if rules.one_card_aces:
        kinds[SPLIT_ACE] = "A split ace"
    return kinds


def _totals(which: NDArray[np.bool_]) -> list[Row]:
    """Return the rows of hard totals, then of soft ones, below 21."""
    rows = []
    for soft in (False, True):
        for total in range(4, 21):
            hands = np.flatnonzero(which & (soft == SOFT) & (total == TOTAL))
            rows.append((f"{'Soft' if soft else 'Hard'} {total}", hands))
    return [row for row in rows if len(row[1])]


def _rows_of_two() -> list[Row]:
    pairs = [(f"Pair of {VALUE_NAMES[value]}s", np.flatnonzero(np.equal(PAIR, value))) for value in UPS]
    return _totals((CARDS == 2) & (PAIR < 0)) + pairs


def _dealt(rules: Rules, table: Table) -> Weights:
    """Return the chance that cards drawn from the shoe make each hand: a weight where no play reaches it."""
    shoe, weight = shoe_of(rules, table.decks), np.zeros((len(COUNTS), VALUES))
    for hand in range(HANDS):
        ways = 1
        for value in range(VALUES):
            ways *= comb(int(shoe[value]), int(COUNTS[hand, value]))
        weight[hand] = ways / comb(int(shoe.sum()), int(CARDS[hand]))
    return weight


def _cell(strategy: Strategy, phase: int, hands: Hands, up: int, weights: Weights) -> tuple[int, bool]:
    """Return the commonest decision (−1 where no hand occurs), and True if there are others."""
    share = np.bincount(strategy.decision[phase, hands, up], weights=weights[hands, up], minlength=len(SIGNS))
    return (int(share.argmax()), bool((share > 0).sum() > 1)) if share.any() else (-1, False)


def _table(
    name: str, words: Mapping[int, str], strategy: Strategy, phase: int, rows: Sequence[Row], weights: Weights
) -> StrategyTable:
    cells = [[_cell(strategy, phase, hands, up, weights) for up in UPS] for _, hands in rows]
    used = sorted({decision for row in cells for decision, _ in row} - {-1})
    key = ", ".join(f"{SIGNS[decision]} = {words[decision]}" for decision in used)
    signs = [[(SIGNS[decision] + MIXED * mixed) if decision >= 0 else "–" for decision, mixed in row] for row in cells]
    return StrategyTable(
        f"{name} ({key})",
        ("Hand", *(VALUE_NAMES[up] for up in UPS)),
        tuple((title, *row) for (title, _), row in zip(rows, signs, strict=True)),
    )


def _exceptions(
    words: Mapping[int, str], strategy: Strategy, stages: Sequence[tuple[int, Sequence[Row], Weights]]
) -> StrategyTable:
    """Return the hands that are played otherwise than most of their total, the commonest first."""
    exceptions = []
    for stage, rows, weights in stages:
        for _, hands in rows:
            for up in UPS:
                usual, mixed = _cell(strategy, stage, hands, up, weights)
                unusual = [hand for hand in hands if strategy.decision[stage, hand, up] != usual] if mixed else []
                exceptions += [(float(weights[hand, up]), int(hand), up, stage) for hand in unusual]
    rows_of = [
        (_cards(hand), VALUE_NAMES[up], words[int(strategy.decision[stage, hand, up])])
        for weight, hand, up, stage in sorted(exceptions, reverse=True)
        if weight >= RARE
    ]
    title = "Exceptions by the cards of the hand that occur at least once in 100,000 rounds"
    return StrategyTable(title, ("Hand", "Dealer's first card", "Decision"), tuple(rows_of))


def _cards(hand: int) -> str:
    return ", ".join(name for up in UPS for name in [VALUE_NAMES[up]] * int(COUNTS[hand, up]))


def _when(strategy: Strategy, phase: int, rows: Sequence[Row], weights: Weights, decision: int) -> str:
    """Return the hands of a decision by the commonest one of each cell: "Hard 16 against 9 to ace; …"."""
    parts = []
    for title, hands in rows:
        shown = [up for up in UPS if _cell(strategy, phase, hands, up, weights)[0] == decision]
        if shown:
            parts.append(title if len(shown) == len(UPS) else f"{title} against {_ups(shown)}")
    return "; ".join(parts)


def _ups(shown: Sequence[int]) -> str:
    """Return up cards in words: "2 to 7", "9, 10 and ace"."""
    places = [UPS.index(up) for up in shown]
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    names = [VALUE_NAMES[UPS[run[0]]] + (f" to {VALUE_NAMES[UPS[run[-1]]]}" if len(run) > 1 else "") for run in runs]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _share(chance: float) -> Fraction:
    return Fraction(round(chance * PARTS), PARTS)
