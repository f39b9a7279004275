"""A game with two dice: wagers on a single throw, settled by what is shown.

Not here: throws counted (`exact`), dice thrown one by one (`rounds`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.maths.dice.exact import throws
from games.maths.dice.rounds import (
    ANY_CRAPS,
    ANY_DOUBLES,
    ANY_NUMBER,
    ANY_SEVEN,
    DOUBLE,
    FIELD,
    LOST,
    PAIRS,
    WON,
    WON_MORE,
    throw_two,
)
from games.maths.published import compare_published
from games.maths.results import OutcomeRow, Step, Tally, WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

DICE = 2
CYCLE = 6**DICE
LOSES = "Loses"

RESULTS: dict[int, Callable[[int, int], int]] = {
    # LOST, WON or WON_MORE by the faces, the lower first. Of the wagers that differ only in the faces that they name
    # one represents all.
    DOUBLE: lambda low, high: (low, high) == (1, 1),
    ANY_NUMBER: lambda low, high: (low, high) == (1, 2),
    FIELD: lambda low, high: WON_MORE if low + high in (2, 12) else low + high in (3, 4, 9, 10, 11),
    ANY_CRAPS: lambda low, high: low + high in (2, 3, 12),
    ANY_SEVEN: lambda low, high: low + high == 7,
    ANY_DOUBLES: lambda low, high: low == high,
}


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter's procedure, with its number; `{}` is the number of the faces that are named."""

    double: str
    any_number: str
    further_wagers: str
    throw: str
    collected: str


@dataclass(frozen=True, slots=True)
class Game:
    """What differs: the keys of the wagers, where the chapter says what a round does."""

    wagers: Mapping[str, int]  # key → `DOUBLE` to `ANY_DOUBLES`
    sections: Sections

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager, exactly, from the 36 throws."""
        return tuple(
            compare_published(chapter, counted(key, name, self._rows(chapter.paytable(key, name)), CYCLE))
            for key, name in in_play(chapter, answers)
        )

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Throw and settle the rounds of one block."""
        settled, _ = throw_two(seed, block, rounds)
        return {
            key: _by_row(chapter.paytable(key, name), settled[self.wagers[key]].tolist())
            for key, name in paytables_in_play(chapter, answers).items()
        }

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The round's wagers that name faces, and its throw."""
        _, (first, second) = throw_two(seed, block, index + 1)
        double, pair = index % 6 + 1, index % len(PAIRS)
        low, high = PAIRS[pair]
        names = {place: chapter.wager(key).name for key, place in self.wagers.items()}
        numbered = self.sections.any_number.format(pair + 1)
        return (
            Step("Player", f"places the {names[DOUBLE]} on two {double}s", self.sections.double.format(double)),
            Step("Player", f"places the {names[ANY_NUMBER]} on {low} and {high}", numbered),
            Step("Player", "places every other wager", self.sections.further_wagers),
            Step("Player", f"shakes the dice: {first} and {second}", self.sections.throw),
        )

    def _rows(self, table: Paytable) -> list[OutcomeRow]:
        counts = [0, 0, 0]
        for shown, ways in throws(DICE):
            counts[RESULTS[self.wagers[table.wager]](*sorted(shown.elements()))] += ways
        ways_of = _by_row(table, counts)
        wins = [
            row(line.outcome, ways_of[line.outcome], CYCLE, net_of(line.pays[0], table), pays=line.pays[0].printed)
            for line in table.rows
        ]
        return [*wins, row(LOSES, ways_of[LOSES], CYCLE, LOST_NET, section=self.sections.collected)]


def _by_row(table: Paytable, counts: list[int]) -> dict[str, int]:
    """Outcome → count, from counts by result; of two rows the first pays more."""
    won = (WON_MORE, WON)[-len(table.rows) :]
    return {line.outcome: counts[result] for line, result in zip(table.rows, won, strict=True)} | {LOSES: counts[LOST]}
