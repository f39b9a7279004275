"""The wagers that are decided together, as data.

Here are the payout of each for each result and its name, every decision, result and hand with the net of the wagers,
and where a chapter says what a round does (each a whole citation). Not here: which decision is best (`strategy`), the
analysis (`required`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from games.maths.results import NUMBER_WORDS, Ending, OutcomeRow, antes, net_of
from games.maths.showdown.deck import RESULTS, Groups, Hand, HandOrder, Rows
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import part_in_play, part_paytable


@dataclass(frozen=True, slots=True)
class Dealing:
    """One way of dealing: the player's cards, the dealer's, the one card more that some wagers need."""

    player: str
    dealer: str
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter by their content."""

    decided: str
    dealt: Mapping[str, Dealing]  # by the line that asks whether cards are so dealt


AMOUNTS = range(1, 6)  # Antes that a raise may be of
HandSteps = tuple[tuple[Hand, int], ...]
"""(the lowest hand, the decision from there up), the lowest first."""


@dataclass(frozen=True, slots=True, eq=False)
class ByRow:
    """The pay of a paytable's row for the player's hand; `otherwise`, if the hand takes none."""

    wager: str  # whose paytable
    rows: Rows
    otherwise: int = 0


Pays = int | ByRow
"""Net, in units of the part."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One of the wagers that are decided together.

    It is of an Ante before the deal; or raised, as many Antes as the decision says; or nothing wagered, and paid for an
    Ante all the same.
    """

    stake: Literal["initial", "raise", "nothing"]
    wins: Pays
    ties: Pays
    loses: Pays
    short: Pays = 0
    forfeited: bool = True  # by folding, else returned

    def pays(self, result: int) -> Pays:
        """Return the pays by the result, from `WIN` on."""
        return (self.wins, self.ties, self.loses, self.short)[result]

    def by_row(self) -> tuple[ByRow, ...]:
        """Return the paytables by which the part is paid."""
        return tuple(pays for pays in map(self.pays, range(RESULTS)) if isinstance(pays, ByRow))


@dataclass(frozen=True, slots=True)
class End:
    """The end of a round, in words.

    `{antes}`: those raised; where a paytable pays, `{row}`: its row, as printed, `{hand}`: the row in lower case,
    `{odds}`.
    """

    outcome: str
    section: str
    pays: str = ""
    of_row: "End | None" = None  # where a paytable pays, if that is said in other words


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a round, by its result; `short` where the dealer must have a least hand."""

    folds: End
    wins: End
    ties: End
    loses: End
    short: End | None = None

    def of(self, result: int) -> End:
        """Return the end by the result, from `WIN` on; if the dealer is never short, a tie's stands for that."""
        return (self.wins, self.ties, self.loses, self.short or self.ties)[result]


@dataclass(frozen=True, slots=True)
class SimplifiedRule:
    """A player's rule by the order of the hands alone; without `steps` it is the best play's own words."""

    name: str
    steps: HandSteps | None = None
    when: str = ""  # the rule in words, if other than the steps'


@dataclass(frozen=True, slots=True, eq=False)
class RequiredWagers:
    """The terms in which games differ. A decision is 0 = fold, else the place of a raise, from 1."""

    parts: tuple[Part, ...]
    ends: Ends
    raises: tuple[int, ...]  # in Antes
    verb: str = "Raise"
    most: HandSteps = ()  # the largest decision that is allowed, if it depends on the hand
    simplified: tuple[SimplifiedRule, ...] = ()
    notes: tuple[str, ...] = ()
    wager: str = "ante"

    @property
    def initial(self) -> int:
        """Antes that must be wagered before the deal."""
        return sum(part.stake == "initial" for part in self.parts)

    @property
    def by_rows(self) -> tuple[ByRow, ...]:
        """Pays of the parts by paytables."""
        return tuple(by_row for part in self.parts for by_row in part.by_row())

    @property
    def rows(self) -> tuple[Rows, ...]:
        """The rows that the parts pay by."""
        return tuple(by_row.rows for by_row in self.by_rows)

    @property
    def words(self) -> tuple[str, ...]:
        """Name of each decision."""
        if len(self.raises) == 1:
            return "Fold", self.verb
        return "Fold", *(f"{self.verb} {antes(raised)}" for raised in self.raises)

    def act(self, decision: int) -> str:
        """Return the player's act in a replay: "folds", "bets 2× the Ante"."""
        if decision == 0:
            return "folds"
        raised = self.raises[decision - 1]
        times = f"{raised}×" if len(self.raises) > 1 else f"{NUMBER_WORDS[raised]} times"
        return f"{self.verb.lower()}s {times} the Ante"

    def check(self, order: HandOrder, short: bool) -> None:
        """Raise `ParameterError` for terms that no game has."""
        raises = self.raises
        if not raises or sorted({*raises}) != [*raises] or raises[0] not in AMOUNTS or raises[-1] not in AMOUNTS:
            raise ParameterError("raises", f"{raises}; raises are of 1 to {max(AMOUNTS)} Antes, the smallest first")
        if missing := {"initial", "raise"} - {part.stake for part in self.parts}:
            raise ParameterError("parts", f"none has the stake {missing.pop()!r}")
        if short != (self.ends.short is not None):
            raise ParameterError("ends.short", "is stated where the dealer must have a `least` hand, and only there")
        order.check("parts", (hand for rows in self.rows for hand in rows))
        steps = (*self.most, *(step for rule in self.simplified for step in rule.steps or ()))
        order.check("most, simplified", (hand for hand, _ in steps))
        if wrong := [decision for _, decision in steps if decision not in range(len(self.words))]:
            raise ParameterError("most, simplified", f"decision {wrong[0]}; there are 0 to {len(self.raises)}")

    def tables_in_play(self, chapter: Chapter, answers: Answers | None) -> list[tuple[str, tuple[Paytable, ...]]]:
        """Return (name of the paytable chosen or "", the parts' paytables) for all that the answers leave."""
        wagers = self._wagers()
        in_play = product(*(part_in_play(chapter, answers, wager) for wager in wagers))
        return [(_chosen(chapter, tables), tables) for tables in (_tables(chapter, wagers, names) for names in in_play)]

    def tables_for(self, chapter: Chapter, answers: Answers) -> tuple[Paytable, ...]:
        """Return the parts' paytables; `NoPaytable` where the answers leave several."""
        wagers = self._wagers()
        return _tables(chapter, wagers, tuple(part_paytable(chapter, answers, wager) for wager in wagers))

    def _wagers(self) -> tuple[str, ...]:
        """Return the wagers with a paytable."""
        return tuple(dict.fromkeys(by_row.wager for by_row in self.by_rows))


def _tables(chapter: Chapter, wagers: tuple[str, ...], names: tuple[str, ...]) -> tuple[Paytable, ...]:
    return tuple(chapter.paytable(wager, name) for wager, name in zip(wagers, names, strict=True))


def _chosen(chapter: Chapter, tables: tuple[Paytable, ...]) -> str:
    return ", ".join(table.name for table in tables if chapter.wager(table.wager).paytable_option)


Counts = NDArray[np.int64]


Endings = tuple[tuple[tuple[Ending, ...], ...], ...]
"""`endings[decision][result][group]`."""


def endings(wagers: RequiredWagers, tables: Sequence[Paytable], order: HandOrder, groups: Groups) -> Endings:
    """Return the ends of each decision, by result and group; `ValueError` for a row that the paytables lack."""
    by_wager = {table.wager: table for table in tables}
    forfeited = sum(part.stake == "initial" and part.forfeited for part in wagers.parts)
    fold = wagers.ends.folds
    folded = Ending(fold.outcome, Fraction(-forfeited), Fraction(wagers.initial), fold.pays, fold.section)
    taken = [
        {by_row: order.row_of(by_row.rows, strength) for by_row in wagers.by_rows} for strength in groups.strengths
    ]
    played = (
        tuple(tuple(_ending(wagers, antes, result, rows, by_wager) for rows in taken) for result in range(RESULTS))
        for antes in wagers.raises
    )
    return (((folded,) * len(taken),) * RESULTS, *played)


def _ending(
    wagers: RequiredWagers, antes: int, result: int, taken: Mapping[ByRow, str], tables: Mapping[str, Paytable]
) -> Ending:
    end = wagers.ends.of(result)
    net, wagered, printed = Fraction(0), Fraction(0), ("", "")
    for part in wagers.parts:
        pays, units = part.pays(result), antes if part.stake == "raise" else 1
        wagered += 0 if part.stake == "nothing" else units
        if not isinstance(pays, ByRow):
            net += units * pays
        elif not (row_name := taken[pays]):
            net += units * pays.otherwise
        else:
            table = tables[pays.wager]
            pay = next((line.pays[0] for line in table.rows if line.outcome == row_name), None)
            if pay is None:
                raise ValueError(f"the paytable {table.name} of {table.wager} has no row {row_name!r}")
            net += units * net_of(pay, table)
            printed = printed if printed[0] else (row_name, pay.printed)
    row_name, odds = printed
    if row_name and end.of_row:
        end = end.of_row
    words = {"antes": antes, "row": row_name, "hand": row_name.lower(), "odds": odds}
    return Ending(end.outcome.format(**words), net, wagered, end.pays.format(**words), end.section)


def outcome_rows(met: Counts, ends: Endings, cycle: int) -> list[OutcomeRow]:
    """Return a row per outcome, largest wagers and best nets first; `ValueError` if one outcome pays unalike."""
    by_outcome: dict[str, Ending] = {}
    counts: Counter[str] = Counter()
    for decision, result, group in zip(*np.nonzero(met), strict=True):
        end = ends[decision][result][group]
        if by_outcome.setdefault(end.outcome, end) != end:
            raise ValueError(f"{end.outcome!r} ends in {by_outcome[end.outcome].net} and in {end.net}")
        counts[end.outcome] += int(met[decision, result, group])
    return [
        end.row(counts[end.outcome], cycle)
        for end in sorted(by_outcome.values(), key=lambda end: (-end.wagered, -end.net))
    ]
