"""The Ante with its three raises as a wager: outcome rows, strategy, simplified plays.

Not here: the counts (`best_play`), which section settles what (`sections`).
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from games.maths.cards import FULL_DECK, RANKS
from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, StrategyTable, WagerAnalysis
from games.maths.staged_raises.ladder import LOSING, RESULTS, in_whole_numbers, pays_of
from games.maths.staged_raises.places import PAIRS, QUADRUPLES, TRIPLES, place_2, place_3
from games.maths.staged_raises.streets.best_play import (
    DEALS,
    EQUAL,
    FOLD,
    ONCE,
    STAGES,
    THRICE,
    Ints,
    Played,
    Strategy,
    best_strategy,
    endings,
    play,
)  # fmt: skip
from games.maths.staged_raises.streets.sections import Sections
from games.maths.staged_raises.streets.words import DECISIONS, STAGE_NAMES, Words
from games.maths.wagers import counted, required, row
from games.rules.model import Paytable

INITIAL = 1  # only the Ante is wagered before the deal
SIX = RANKS.index("6")


@cache
def best(pays: tuple[Fraction, ...]) -> Strategy:
    return best_strategy(in_whole_numbers(pays)[0])


@cache
def best_played(pays: tuple[Fraction, ...]) -> Played:
    return play(best(pays))


def ante(table: Paytable, words: Words, sections: Sections) -> WagerAnalysis:
    """The required wagers under the best play for this paytable."""
    played = best_played(pays_of(table))
    rows = [line for line in _rows(played, table, sections) if line.count]
    return counted(
        "ante",
        table.name,
        rows,
        DEALS,
        required=required(rows, INITIAL),
        strategy=_choices(played, words),
        strategy_tables=_tables(best(pays_of(table)), words),
        simplified_plays=_simplified_plays(table, sections),
        notes=_notes(played, words),
    )


def outcome_counts(ended: Ints, folded: Ints, table: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [thrice, result] and [stage, thrice]; those that never occur left out."""
    counts = {}
    for thrice, result in np.ndindex(ended.shape):
        counts[_ended(table, thrice, result)] = int(ended[thrice, result])
    for stage, thrice in _folds():
        counts[_folded(stage, thrice)] = int(folded[stage, thrice])
    return {outcome: count for outcome, count in counts.items() if count}


def _rows(played: Played, table: Paytable, sections: Sections) -> Iterator[OutcomeRow]:
    pays = pays_of(table)
    printed = ("", *(line.pays[0].printed for line in reversed(table.rows)))
    for result in reversed(range(len(RESULTS))):
        section = sections.lost if result == LOSING else sections.won
        for thrice in reversed(range(STAGES + 1)):
            units, count = STAGES + 1 + 2 * thrice, int(played.ended[thrice, result])
            name = _ended(table, thrice, result)
            yield row(name, count, DEALS, pays[result] * units, units, printed[result], section)
    for stage, thrice in _folds():
        units, count = stage + 1 + 2 * thrice, int(played.folded[stage, thrice])
        yield row(_folded(stage, thrice), count, DEALS, -units, units, section=sections.raised[stage])


def _folds() -> Iterator[tuple[int, int]]:
    return ((stage, thrice) for stage in range(STAGES) for thrice in range(stage + 1))


def _ended(table: Paytable, thrice: int, result: int) -> str:
    name = RESULTS[LOSING] if result == LOSING else table.rows[-result].outcome
    return f"{name}, {STAGES + 1 + 2 * thrice} Antes wagered"


def _folded(stage: int, thrice: int) -> str:
    wagered = stage + 1 + 2 * thrice
    return f"Folded {STAGE_NAMES[stage]}" + (f", {wagered} Antes wagered" if stage else "")


def _choices(played: Played, words: Words) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"{name} {STAGE_NAMES[stage]}",
            "; ".join(hands for line, hands in words.lines[stage] if line == decision),
            Fraction(int(played.chosen[stage, decision]), DEALS),
        )
        for stage in range(STAGES)
        for decision, name in DECISIONS.items()
    )


def _notes(played: Played, words: Words) -> tuple[str, ...]:
    share = 100 * played.equal.sum() / DEALS
    larger = f"Equal decisions resolve to the larger wager, in {share:.4f} % of all rounds"
    never = "A raise of two Antes is never better than both one and three."
    first = f"{words.preface} {never}" if words.preface else never
    return (first, f"{larger}: {words.equal}." if words.equal else f"{larger}.")


def _tables(strategy: Strategy, words: Words) -> tuple[StrategyTable, ...]:
    """The two cards as a square, computed; the later decisions as lines, of which the first that fits decides."""
    ranks = tuple(reversed(RANKS))
    square = [(first, *(_cell(strategy, first, second, left < right) for right, second in enumerate(ranks)))
              for left, first in enumerate(ranks)]  # fmt: skip
    grid = StrategyTable("Two cards: of one suit above the diagonal, of two below", ("", *ranks), tuple(square))
    lines = (
        StrategyTable(
            f"{STAGE_NAMES[stage].capitalize()}: the first line that fits. {words.preface}".rstrip(),
            ("Cards seen", "Decision"),
            tuple((hands, DECISIONS[decision]) for decision, hands in words.lines[stage]),
        )
        for stage in range(1, STAGES)
    )
    return (grid, *lines)


def _cell(strategy: Strategy, first: str, second: str, suited: bool) -> str:
    """The decision with two ranks, as cards of one suit or of two."""
    a, b = sorted((4 * RANKS.index(first), 4 * RANKS.index(second) + (0 if suited else 1)), reverse=True)
    decision = int(strategy.first[place_2(a, b)]) % EQUAL
    return "fold" if decision == FOLD else f"{decision}×"


# ---- simplified strategies


@cache
def _simplified_played() -> tuple[tuple[str, str, Played], ...]:
    once, thrice = (
        Strategy(*(np.full(shape, raised, np.uint8) for shape in (PAIRS, (TRIPLES, 2), (QUADRUPLES, 3))))
        for raised in (ONCE, THRICE)
    )
    return (
        ("Always raises one Ante", "Never folds; every raise is of one Ante.", play(once)),
        ("Always raises three Antes", "Never folds; every raise is of three Antes.", play(thrice)),
        (
            "Raises three Antes on a pair",
            "Never folds; raises three Antes once the player holds a pair of 6s or better, else one.",
            play(_made_hands()),
        ),
    )


def _made_hands() -> Strategy:
    """Three Antes on what can no longer lose."""
    strategy = Strategy(*(np.full(shape, ONCE, np.uint8) for shape in (PAIRS, (TRIPLES, 2), (QUADRUPLES, 3))))
    for a in range(FULL_DECK):
        for b in range(a):
            pair = a // 4 == b // 4 and a // 4 >= SIX
            strategy.first[place_2(a, b)] = THRICE if pair else ONCE
            for c in range(b):
                if pair or (b // 4 == c // 4 and (b // 4 >= SIX or a // 4 == c // 4)):
                    strategy.second[place_3(a, b, c)] = THRICE
    strategy.third[endings()[:, LOSING] == 0] = THRICE
    return strategy


def _simplified_plays(table: Paytable, sections: Sections) -> tuple[SimplifiedPlay, ...]:
    return tuple(
        SimplifiedPlay(name, rule, required(list(_rows(played, table, sections)), INITIAL))
        for name, rule, played in _simplified_played()
    )
