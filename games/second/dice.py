"""Rounds of two dice on a single throw, and of ten of which those that do not match are thrown again."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.cashier import endings
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

LOSES = "Loses"
TEN = 10
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TwoDiceTable:
    """The table of one game. Of the wagers that differ only in the faces that they name, each round has the next."""

    double: str  # key of the wager on one face, thrown twice
    two_faces: str  # on two different faces
    any_double: str  # on any face, thrown twice
    totals: Mapping[str, Mapping[str, tuple[int, ...]]]  # other wagers: printed row → the totals that it pays

    def deal(self, chapter: Chapter, answers: Answers, strategy: None, stream: Stream) -> Dealt:
        """Throw and settle the rounds; the last: the face named twice, the two faces named, the two dice."""
        thrown, named, last = np.zeros((7, 7), np.int64), np.zeros(2, np.int64), np.zeros(5, np.int64)
        _throw_two(*stream, thrown, named, last)
        won = {self.double: int(named[0]), self.two_faces: int(named[1]), self.any_double: int(thrown.trace())}
        by_total = [int(np.fliplr(thrown).trace(6 - total)) for total in range(13)]
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            table = chapter.paytable(wager, name)
            if wager in self.totals:
                counts = {row: sum(by_total[total] for total in paid) for row, paid in self.totals[wager].items()}
            else:
                counts = {table.rows[0].outcome: won[wager]}
            settled[wager] = endings(table, counts, stream[2], {}, LOSES)
        return Dealt(settled, tuple(last.tolist()))


@kernel
def _throw_two(seed: int, block: int, rounds: int, thrown: Ints, named: Ints, last: Ints) -> None:
    state = start(seed, block)
    twice, low, high = 0, 5, 6
    for _ in range(rounds):
        state = advance(state)
        first = 1 + below(state, 6)
        state = advance(state)
        second = 1 + below(state, 6)
        twice = twice % 6 + 1
        high += 1  # 1 and 2, 1 and 3, … 5 and 6
        if high > 6:
            low = low % 5 + 1
            high = low + 1
        thrown[first, second] += 1
        named[0] += first == twice and second == twice
        named[1] += min(first, second) == low and max(first, second) == high
        last[0], last[1], last[2], last[3], last[4] = twice, low, high, first, second


@dataclass(frozen=True, slots=True, kw_only=True)
class TenDiceTable:
    """The table of one game; every row of a paytable is a spot to wager on."""

    ranking: tuple[int, ...]  # the faces, lowest first: of those thrown equally often the highest counts
    face: str  # key of the wager on the face that most dice show
    matches: tuple[str, ...]  # on how many show it
    after_again: str  # on how many show it after the others are thrown again, if these are more
    on_every_row: str  # the last wager's spot beside wagers on all of its rows
    amounts: Mapping[str, str]  # wager returned beside its prize in dollars → the answer with what is wagered

    def deal(self, chapter: Chapter, answers: Answers, strategy: None, stream: Stream) -> Dealt:
        """Throw and settle the rounds; the last: ten dice, then those thrown again, 0 for a die that stays."""
        first, second = np.zeros((7, TEN + 1), np.int64), np.zeros((TEN + 1, TEN + 1), np.int64)
        last = np.zeros(2 * TEN, np.int64)
        _throw_ten(*stream, np.array(self.ranking), first, second, last)
        won = {self.face: first.sum(axis=1), self.after_again: np.triu(second, 1).sum(axis=0)}
        won |= dict.fromkeys(self.matches, first.sum(axis=0))
        settled: dict[str, list[Ending]] = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            table = self._at_stake(chapter.paytable(wager, name), answers)
            counts = {row.outcome: int(won[wager][_number(row.outcome)]) for row in table.rows}
            for row in table.rows:
                spot = replace(table, rows=(row,))
                settled[f"{wager}/{row.outcome}"] = endings(
                    spot, {row.outcome: counts[row.outcome]}, stream[2], {}, LOSES
                )
            if wager == self.after_again:
                settled[f"{wager}/{self.on_every_row}"] = endings(table, counts, stream[2], {}, LOSES)
        return Dealt(settled, tuple(last.tolist()))

    def _at_stake(self, table: Paytable, answers: Answers) -> Paytable:
        if table.wager not in self.amounts:
            return table
        wagered = answers.get(self.amounts[table.wager]) or table.wager_amount
        return replace(table, wager_amount=Decimal(str(wagered)), wager_returned=True)


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _number(outcome: str) -> int:
    """Return the face or the number of dice that a row names: "One/ace", "Six-of-a-kind", "Four of a kind"."""
    return _NUMBERS.index(re.split(r"\W", outcome.lower())[0])


@kernel
def _throw_ten(seed: int, block: int, rounds: int, ranking: Ints, first: Ints, second: Ints, last: Ints) -> None:
    state = start(seed, block)
    for _ in range(rounds):
        shown = np.int64(0)  # how many dice show each face, four bits for a face
        for die in range(TEN):
            state = advance(state)
            face = 1 + below(state, 6)
            last[die] = face
            shown += 1 << 4 * face
        most, matches = np.int64(0), np.int64(0)
        for face in ranking:
            if shown >> 4 * face & 15 >= matches:
                most, matches = face, shown >> 4 * face & 15
        after = matches
        for die in range(TEN):
            last[TEN + die] = 0
            if last[die] != most:
                state = advance(state)
                last[TEN + die] = 1 + below(state, 6)
                after += last[TEN + die] == most
        first[most, matches] += 1
        second[matches, after] += 1
