"""A game with ten dice: wagers on the face that occurs most, how often it does, and how often after a second roll.

Not here: throws counted (`exact`), dice thrown one by one (`rounds`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.dice.exact import further_matches, most_matches
from games.maths.dice.rounds import TEN, UPWARDS, throw_ten
from games.maths.results import OutcomeRow, Step, Tally, WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Answers, Chapter, Paytable, Row
from games.rules.wagers_in_play import in_play

FIRST_ROLLS = 6**TEN
PAIRS_OF_ROLLS = FIRST_ROLLS * 6 ** (TEN - 2)  # two dice at least stay on the table
LOSES = "Loses"

Rolled = Mapping[tuple[int, int], int]
"""(face, matches) of a first roll, or (matches, matches after the second roll) → how often."""
Wins = Callable[[int, int, int], bool]


def by_face(number: int, face: int, matches: int) -> bool:
    """The number is the face that occurs most in the first roll."""
    return number == face


def by_matches(number: int, face: int, matches: int) -> bool:
    """The face that occurs most occurs so often in the first roll."""
    return number == matches


def by_second_roll(number: int, matches: int, after: int) -> bool:
    """It occurs so often after the second roll, and more often than before."""
    return matches < after == number


@dataclass(frozen=True, slots=True)
class DiceWager:
    """One wager; `wins` is asked with the number of a paytable's row, then the roll as `Rolled` has it."""

    wins: Wins
    collected: str  # the subsection by which it is collected when it is lost
    amount: str = ""  # the answer with its dollars, where fixed prizes come in addition to it
    beside: str = ""  # the wager on whose spots it depends
    beside_all: str = ""  # what it is called where that wager is on every spot


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter's procedure, with its number."""

    wagers: str
    first_roll: str
    announced: str
    second_roll: str


@dataclass(frozen=True, slots=True)
class Game:
    """What differs: the wagers, what the rows of the paytables are called, where the chapter says what a round does."""

    wagers: Mapping[str, DiceWager]
    faces: Mapping[str, int]  # name of a die value → face
    kinds: Mapping[str, int]  # name → matches
    spots: str  # all that a player may wager on, in words
    sections: Sections

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """A wager on each spot, exactly, from all throws of ten dice."""
        analyses: list[WagerAnalysis] = []
        for key, name in in_play(chapter, answers):
            table = self._at_stake(chapter.paytable(key, name), answers)
            rolled, cycle = (_second(), PAIRS_OF_ROLLS) if self._is_second(key) else (_first(), FIRST_ROLLS)
            for spot, lines in self._spots(table):
                rows = self._rows(table, lines, self._counts(key, lines, rolled), cycle)
                analysis = counted(key, name, rows, cycle, spot=spot)
                if spot == self.wagers[key].beside_all:
                    analysis = replace(analysis, notes=(self._together(chapter, analyses, analysis),))
                analyses.append(analysis)
        return tuple(analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Throw and settle the rounds of one block."""
        first, second, _, _ = throw_ten(seed, block, rounds)
        return {
            f"{key}/{spot}": self._counts(key, lines, _by_roll(second if self._is_second(key) else first))
            for key, name in in_play(chapter, answers)
            for spot, lines in self._spots(chapter.paytable(key, name))
        }

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Both rolls of the round."""
        first, _, dice, again = throw_ten(seed, block, index + 1)
        before, _, _, _ = throw_ten(seed, block, index)
        ((face, matches),) = _by_roll(first - before)
        name = next(name for name, value in self.faces.items() if value == face)
        steps = [
            Step("Player", f"places a wager on {self.spots}", self.sections.wagers),
            Step("Dealer", f"throws ten dice: {', '.join(map(str, dice))}", self.sections.first_roll),
            Step("Dealer", f"announces {matches} of a kind, value {name}", self.sections.announced),
        ]
        if matches < TEN:
            more = ", ".join(str(die) for die in again if die)
            steps.append(
                Step("Dealer", f"throws the other {TEN - matches} dice again: {more}", self.sections.second_roll)
            )
        return tuple(steps)

    def _is_second(self, key: str) -> bool:
        return self.wagers[key].wins is by_second_roll

    def _at_stake(self, table: Paytable, answers: Answers | None) -> Paytable:
        """Fixed prizes that come in addition to the wager are more units to a smaller one."""
        amount = self.wagers[table.wager].amount
        if not amount:
            return table
        bet = (answers or {}).get(amount)
        return replace(table, wager_amount=Decimal(str(bet)) if bet else table.wager_amount, wager_returned=True)

    def _spots(self, table: Paytable) -> Iterator[tuple[str, tuple[Row, ...]]]:
        """Where the wager may be placed, with the rows that it may win by; beside another wager on every spot last."""
        for line in table.rows:
            yield line.outcome, (line,)
        if everywhere := self.wagers[table.wager].beside_all:
            yield everywhere, table.rows

    def _counts(self, key: str, lines: tuple[Row, ...], rolled: Rolled) -> dict[str, int]:
        """Outcome → count."""
        numbers = {**self.faces, **self.kinds}
        wins = self.wagers[key].wins
        counts = {line.outcome: 0 for line in lines} | {LOSES: 0}
        for roll, ways in rolled.items():
            won = (line.outcome for line in lines if wins(numbers[line.outcome], *roll))
            counts[next(won, LOSES)] += ways
        return counts

    def _rows(self, table: Paytable, lines: tuple[Row, ...], counts: Mapping[str, int], cycle: int) -> list[OutcomeRow]:
        winning_rows = [
            row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
            for line in lines
        ]
        return [*winning_rows, row(LOSES, counts[LOSES], cycle, LOST_NET, section=self.wagers[table.wager].collected)]

    def _together(self, chapter: Chapter, analyses: list[WagerAnalysis], beside: WagerAnalysis) -> str:
        """What is held of one such wager and of the wagers on every spot that it depends on."""
        key = self.wagers[beside.wager].beside
        spots = [analysis.hold for analysis in analyses if analysis.wager == key]
        together = (beside.hold + sum(spots)) / (1 + len(spots))
        return (
            f"By itself the wager has an edge for the player, but it asks for {len(spots)} {chapter.wager(key).name}s "
            f"of the same amount: of all {1 + len(spots)} wagers together {float(100 * together):.6f} % is held."
        )


def _by_roll(counts: NDArray[np.int64]) -> Rolled:
    return {
        (int(first), int(second)): int(counts[first, second]) for first, second in zip(*counts.nonzero(), strict=True)
    }


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
