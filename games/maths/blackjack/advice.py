"""The strategy as a person reads and checks it: when each decision is taken, how often, and tables cell by cell.

Not here: how it is found (`optimal`).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.hands import (
    ACE,
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
    RESCUE,
    SECOND_CHANCE,
    SOFT,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TOTAL,
    TWO_CARDS,
    VALUE_NAMES,
    VALUES,
    Strategy,
)
from games.maths.blackjack.optimal import Rounds
from games.maths.blackjack.rules import Rules, Table, hands_over, shoe_of
from games.maths.results import Choice, StrategyTable

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
    """The added wager, the decision on the first two cards, and what may come later."""
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


def tables(rules: Rules, table: Table, strategy: Strategy, all_rounds: Rounds) -> tuple[StrategyTable, ...]:
    """For every phase that the game has, and the exceptions among hands of the same total."""
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
    """Of hands formed by splitting."""
    kinds = {SPLIT_HAND: "A split hand, not split again"}
    if rules.lammer:
        kinds[LAMMER] = f"A split hand whose wager is a {rules.lammer}, not split again"
    if rules.one_card_aces:
        kinds[SPLIT_ACE] = "A split ace"
    return kinds


def _totals(which: NDArray[np.bool_]) -> list[Row]:
    """Hard totals, then soft ones, below 21."""
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
    """How likely cards drawn from the shoe make each hand: a weight where no play says how a hand is reached."""
    shoe, weight = shoe_of(rules, table.decks), np.zeros((len(COUNTS), VALUES))
    for hand in range(HANDS):
        ways = 1
        for value in range(VALUES):
            ways *= comb(int(shoe[value]), int(COUNTS[hand, value]))
        weight[hand] = ways / comb(int(shoe.sum()), int(CARDS[hand]))
    return weight


def _cell(strategy: Strategy, phase: int, hands: Hands, up: int, weights: Weights) -> tuple[int, bool]:
    """The commonest decision (−1 where no hand occurs), and whether there are others."""
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
    """Hands that are played otherwise than most of their total, the commonest first."""
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
    """ "Hard 16 against 9 to ace; …", by the commonest decision of each cell."""
    parts = []
    for title, hands in rows:
        shown = [up for up in UPS if _cell(strategy, phase, hands, up, weights)[0] == decision]
        if shown:
            parts.append(title if len(shown) == len(UPS) else f"{title} against {_ups(shown)}")
    return "; ".join(parts)


def _ups(shown: Sequence[int]) -> str:
    """ "2 to 7", "9, 10 and ace"."""
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
