"""Games on a throw of two dice or of ten.

With two, wagers are on a single throw; with ten, on the face that occurs most, on how often it does, and on how often
after a second roll. Chances are exact: every throw is counted. Faces are 1 to 6.

Not here: dice thrown one by one (`games.second.dice`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod

from games.maths.results import Step, WagerAnalysis, counted_by_table
from games.rules.model import Answers, Chapter, Paytable, Row
from games.rules.wagers_in_play import part_in_play

DOUBLE, ANY_NUMBER, FIELD, ANY_CRAPS, ANY_SEVEN, ANY_DOUBLES = range(6)
LOST, WON, WON_MORE = range(3)
DICE = 2
TWO_DICE_CYCLE = 6**DICE
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
class TwoDiceSections:
    """The subsections of a chapter's procedure, with its number; `{}` is the number of the faces that are named."""

    double: str
    any_number: str
    further_wagers: str
    throw: str
    collected: str


@dataclass(frozen=True, slots=True)
class TwoDiceGame:
    """The terms of one game: the keys of the wagers, and where the chapter says what a round does."""

    wagers: Mapping[str, int]  # key → `DOUBLE` to `ANY_DOUBLES`
    sections: TwoDiceSections

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures, from the 36 throws."""
        table, counts = chapter.paytable(wager, name), [0, 0, 0]
        for shown, ways in throws(DICE):
            counts[RESULTS[self.wagers[wager]](*sorted(shown.elements()))] += ways
        by_row = _by_row(table, counts)
        yield counted_by_table(table, by_row, TWO_DICE_CYCLE, self.sections.collected, lost_outcome=LOSES)

    def strategy(self, chapter: Chapter, answers: Answers) -> None:
        """Return nothing: no decision follows the throw."""

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the round's wagers that name faces (one twice, two different ones), and its throw."""
        double, low, high, first, second = dealt
        names = {place: chapter.wager(key).name for key, place in self.wagers.items()}
        numbered = self.sections.any_number.format(list(combinations(FACES, DICE)).index((low, high)) + 1)
        return (
            Step("Player", f"places the {names[DOUBLE]} on two {double}s", self.sections.double.format(double)),
            Step("Player", f"places the {names[ANY_NUMBER]} on {low} and {high}", numbered),
            Step("Player", "places every other wager", self.sections.further_wagers),
            Step("Player", f"shakes the dice: {first} and {second}", self.sections.throw),
        )


def _by_row(table: Paytable, counts: list[int]) -> dict[str, int]:
    """Return outcome → count, from counts by result; of two rows the first pays more."""
    won = (WON_MORE, WON)[-len(table.rows) :]
    return {line.outcome: counts[result] for line, result in zip(table.rows, won, strict=True)} | {LOSES: counts[LOST]}


TEN = 10
UPWARDS = (2, 3, 4, 5, 6, 1)  # the last ranks highest where faces occur equally often
FIRST_ROLLS = 6**TEN
PAIRS_OF_ROLLS = FIRST_ROLLS * 6 ** (TEN - 2)  # two dice at least stay on the table

Rolled = Mapping[tuple[int, int], int]
"""(face, matches) of a first roll, or (matches, matches after the second roll) → how often."""
Wins = Callable[[int, int, int], bool]


def by_face(number: int, face: int, matches: int) -> bool:
    """Return True if the number is the face that occurs most in the first roll."""
    return number == face


def by_matches(number: int, face: int, matches: int) -> bool:
    """Return True if `number` dice show the face that occurs most in the first roll."""
    return number == matches


def by_second_roll(number: int, matches: int, after: int) -> bool:
    """Return True if there are `number` matches after the second roll, and fewer before it."""
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
class TenDiceSections:
    """The subsections of a chapter's procedure, with its number."""

    wagers: str
    first_roll: str
    announced: str
    second_roll: str


@dataclass(frozen=True, slots=True)
class TenDiceGame:
    """The terms of one game: wagers, names of the paytables' rows, and where the chapter says what a round does."""

    wagers: Mapping[str, DiceWager]
    faces: Mapping[str, int]  # name of a die value → face
    kinds: Mapping[str, int]  # name → matches
    spots: str  # all that a player may wager on, in words
    sections: TenDiceSections

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures on each spot, from all throws of ten dice."""
        table, terms = self._at_stake(chapter.paytable(wager, name), answers), self.wagers[wager]
        rolled, cycle = (_second(), PAIRS_OF_ROLLS) if terms.wins is by_second_roll else (_first(), FIRST_ROLLS)
        for spot, lines in self._spots(table):
            counts, paid = self._counts(wager, lines, rolled), replace(table, rows=lines)
            analysis = counted_by_table(paid, counts, cycle, terms.collected, lost_outcome=LOSES, spot=spot)
            if spot == terms.beside_all:
                analysis = replace(analysis, notes=(self._together(chapter, answers, analysis),))
            yield analysis

    def strategy(self, chapter: Chapter, answers: Answers) -> None:
        """Return nothing: which dice are thrown again is no decision."""

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return both rolls of the round: ten dice, then those thrown again, 0 for one that stays."""
        dice, again = dealt[:TEN], dealt[TEN:]
        face = most_often(Counter(dice), UPWARDS)
        matches = dice.count(face)
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

    def _at_stake(self, table: Paytable, answers: Answers) -> Paytable:
        """Return the table for the amount wagered: a fixed prize is more units of a smaller wager."""
        amount = self.wagers[table.wager].amount
        if not amount:
            return table
        bet = answers.get(amount)
        return replace(table, wager_amount=Decimal(str(bet)) if bet else table.wager_amount, wager_returned=True)

    def _spots(self, table: Paytable) -> Iterator[tuple[str, tuple[Row, ...]]]:
        """Yield the spots of the wager, each with the rows that it may win by; last, beside every other spot."""
        for line in table.rows:
            yield line.outcome, (line,)
        if everywhere := self.wagers[table.wager].beside_all:
            yield everywhere, table.rows

    def _counts(self, key: str, lines: tuple[Row, ...], rolled: Rolled) -> dict[str, int]:
        """Return outcome → count."""
        numbers = {**self.faces, **self.kinds}
        wins = self.wagers[key].wins
        counts = {line.outcome: 0 for line in lines} | {LOSES: 0}
        for roll, ways in rolled.items():
            won = (line.outcome for line in lines if wins(numbers[line.outcome], *roll))
            counts[next(won, LOSES)] += ways
        return counts

    def _together(self, chapter: Chapter, answers: Answers, beside: WagerAnalysis) -> str:
        """Return the hold of one such wager together with those on every spot that it depends on, in words."""
        key = self.wagers[beside.wager].beside
        names = part_in_play(chapter, answers, key)
        spots = [spot.hold for name in names for spot in self.analyze_wager(chapter, key, name, answers)]
        together = (beside.hold + sum(spots)) / (1 + len(spots))
        return (
            f"By itself the wager has an edge for the player, but it asks for {len(spots)} {chapter.wager(key).name}s "
            f"of the same amount: of all {1 + len(spots)} wagers together {float(100 * together):.6f} % is held."
        )


@cache
def _first() -> Rolled:
    """Return (face, matches) → throws of ten dice."""
    return most_matches(TEN, UPWARDS)


@cache
def _second() -> Rolled:
    """Return (matches, matches after the second roll) → pairs of rolls, of `PAIRS_OF_ROLLS`."""
    roll_pairs: Counter[tuple[int, int]] = Counter()
    for (_, matches), ways in _first().items():
        again = TEN - matches
        for more, throws in further_matches(again).items():
            roll_pairs[matches, matches + more] += ways * throws * 6 ** (TEN - 2 - again)
    return roll_pairs


FACES = range(1, 7)


def throws(dice: int) -> Iterator[tuple[Counter[int], int]]:
    """Yield every multiset of faces, as face → number of dice that show it, with its share of the 6^dice throws."""
    for shown in combinations_with_replacement(FACES, dice):
        counts = Counter(shown)
        yield counts, factorial(dice) // prod(map(factorial, counts.values()))


def most_matches(dice: int, ranks: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return (commonest face, dice that show it) → throws; between equals the face that is last in `ranks`."""
    by_match: Counter[tuple[int, int]] = Counter()
    for counts, ways in throws(dice):
        face = most_often(counts, ranks)
        by_match[face, counts[face]] += ways
    return dict(by_match)


def most_often(counts: Mapping[int, int], ranks: Sequence[int]) -> int:
    """Return the face that most dice show; between equals the one that is last in `ranks`."""
    return max(counts, key=lambda face: (counts[face], ranks.index(face)))


def further_matches(dice: int) -> dict[int, int]:
    """Return number of the dice that show one given face → throws, of 6^dice."""
    return {matches: comb(dice, matches) * 5 ** (dice - matches) for matches in range(dice + 1)}
