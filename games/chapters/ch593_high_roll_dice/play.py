"""High Roll Dice: wagers on the face that occurs most among ten dice, and how often; a second roll of the others.

Each die value and each circle is a wager of its own, with a hold of its own: reading `a-wager-on-each-circle`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.dice.exact import further_matches, most_matches
from games.maths.dice.rounds import TEN, UPWARDS, like_kind
from games.maths.results import OutcomeRow, Step, Tally, WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable, Row
from games.rules.wagers_in_play import in_play

FIRST_ROLLS = 6**TEN
PAIRS_OF_ROLLS = FIRST_ROLLS * 6 ** (TEN - 2)  # two dice at least stay on the table
LOSES = "Loses"
ALL_CIRCLES = "every circle, two to eight"
FACES = {"Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6, "One/ace": 1}
KINDS = {
    "Two-of-a-kind": 2, "Three-of-a-kind": 3, "Four-of-a-kind": 4, "Five-of-a-kind": 5, "Six-of-a-kind": 6,
    "Seven-of-a-kind": 7, "Eight-of-a-kind": 8, "Nine-of-a-kind": 9, "Ten-of-a-kind": 10,
    "Three of a kind": 3, "Four of a kind": 4,
}  # fmt: skip
COLLECTED = {  # the subsection by which a losing wager is collected
    "pip_street": "§ 593.4(f)(1)",
    "like_kind": "§ 593.4(f)(2)",
    "millionaire_row": "§ 593.4(f)(3)",
    "extra_roll": "§ 593.4(h)",
}

Rolled = Mapping[tuple[int, int], int]
"""(face, matches) of a first roll, or (matches, matches after the second roll) → how often."""


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """A wager on each spot, exactly, from all throws of ten dice."""
    analyses: list[WagerAnalysis] = []
    for wager, name in in_play(chapter, answers):
        table = _at_stake(chapter.paytable(wager, name), answers)
        cycle = PAIRS_OF_ROLLS if wager == "extra_roll" else FIRST_ROLLS
        for spot, lines in _spots(table):
            counts = _counts(wager, lines, _second() if wager == "extra_roll" else _first())
            analysis = counted(wager, name, _rows(table, lines, counts, cycle), cycle, spot=spot)
            notes = _with_its_circles(analyses, analysis) if spot == ALL_CIRCLES else ()
            analyses.append(replace(analysis, notes=notes))
    return tuple(analyses)


def _with_its_circles(analyses: list[WagerAnalysis], extra_roll: WagerAnalysis) -> tuple[str, ...]:
    """One Extra Roll Wager goes with a wager on every circle: reading `one-extra-roll-wager`."""
    circles = [analysis.hold for analysis in analyses if analysis.wager == "like_kind"]
    together = (extra_roll.hold + sum(circles)) / (1 + len(circles))
    return (
        f"By itself the wager has an edge for the player, but it asks for {len(circles)} Like Kind Boulevard Wagers of "
        f"the same amount: of all {1 + len(circles)} wagers together {float(100 * together):.6f} % is held.",
    )


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Throw and settle the rounds of one block."""
    first, second, _, _ = like_kind(seed, block, rounds)
    return {
        f"{wager}/{spot}": _counts(wager, lines, _by_roll(second if wager == "extra_roll" else first))
        for wager, name in in_play(chapter, answers)
        for spot, lines in _spots(chapter.paytable(wager, name))
    }


def _by_roll(counts: NDArray[np.int64]) -> Rolled:
    return {
        (int(first), int(second)): int(counts[first, second]) for first, second in zip(*counts.nonzero(), strict=True)
    }


def _at_stake(table: Paytable, answers: Answers | None) -> Paytable:
    """Fixed prizes come in addition to the wager, and are more units to a smaller one: reading
    `millionaire-fixed-prizes`."""
    if table.wager != "millionaire_row":
        return table
    bet = (answers or {}).get("millionaire_row_bet")
    return replace(table, wager_amount=Decimal(str(bet)) if bet else table.wager_amount, wager_returned=True)


def _spots(table: Paytable) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Where the wager may be placed, with the rows that it may win by.

    The Extra Roll Wager goes with the circles that the player has: one of them, or all.
    """
    for line in table.rows:
        yield line.outcome, (line,)
    if table.wager == "extra_roll":
        yield ALL_CIRCLES, table.rows


def _counts(wager: str, lines: tuple[Row, ...], rolled: Rolled) -> dict[str, int]:
    """Outcome → count."""
    counts = {line.outcome: 0 for line in lines} | {LOSES: 0}
    for roll, ways in rolled.items():
        counts[next((line.outcome for line in lines if _wins(wager, line.outcome, *roll)), LOSES)] += ways
    return counts


def _wins(wager: str, outcome: str, first: int, second: int) -> bool:
    """By face and matches of the first roll; the Extra Roll Wager by the matches after each roll."""
    if wager == "pip_street":
        return FACES[outcome] == first
    return KINDS[outcome] == second and (wager != "extra_roll" or second > first)


def _rows(table: Paytable, lines: tuple[Row, ...], counts: Mapping[str, int], cycle: int) -> list[OutcomeRow]:
    winning_rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in lines
    ]
    return [*winning_rows, row(LOSES, counts[LOSES], cycle, LOST_NET, section=COLLECTED[table.wager])]


@cache
def _first() -> Rolled:
    """(face, matches) → throws of ten dice."""
    return most_matches(TEN, UPWARDS.tolist())


@cache
def _second() -> Rolled:
    """(matches, matches after the second roll) → pairs of rolls, of `PAIRS_OF_ROLLS`."""
    roll_pairs: Counter[tuple[int, int]] = Counter()
    for (_, matches), ways in _first().items():
        again = TEN - matches
        for more, throws in further_matches(again).items():
            roll_pairs[matches, matches + more] += ways * throws * 6 ** (TEN - 2 - again)
    return roll_pairs


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """Both rolls of the round."""
    first, _, dice, again = like_kind(seed, block, index + 1)
    before, _, _, _ = like_kind(seed, block, index)
    ((face, matches),) = _by_roll(first - before)
    name = next(name for name, value in FACES.items() if value == face)
    thrown = ", ".join(str(die) for die in dice)
    steps = [
        Step("Player", "places a wager on every die value, every circle and the extra-roll sensor", "§ 593.2(e)"),
        Step("Dealer", f"throws ten dice: {thrown}", "§ 593.4(b)"),
        Step("Dealer", f"announces {matches} of a kind, value {name}", "§ 593.4(d), (e)"),
    ]
    if matches < TEN:
        more = ", ".join(str(die) for die in again if die)
        steps.append(Step("Dealer", f"throws the other {TEN - matches} dice again: {more}", "§ 593.4(g)"))
    return tuple(steps)


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
