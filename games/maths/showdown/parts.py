"""What decisions win, as data: the wagers that are decided together, what each pays for each result, how it is called.

Not here: what follows from it (`endings`), which decision is best (`strategy`), the analysis (`required`).
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

from games.maths.parameters import ParameterError
from games.maths.showdown.against import RESULTS
from games.maths.showdown.order import Hand, HandOrder, Rows
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import part_in_play, part_paytable

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
HandSteps = tuple[tuple[Hand, int], ...]
"""(the lowest hand, the decision from there up), the lowest first."""


@dataclass(frozen=True, slots=True, eq=False)
class ByRow:
    """What the row of a paytable pays for the player's hand; `otherwise`, if the hand takes none."""

    wager: str  # whose paytable
    rows: Rows
    otherwise: int = 0


Pays = int | ByRow
"""Net, in units of the part."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One of the wagers that are decided together: of an Ante before the deal; raised, as many Antes as the decision
    says; or nothing wagered, and paid for an Ante all the same."""

    stake: Literal["initial", "raise", "nothing"]
    wins: Pays
    ties: Pays
    loses: Pays
    short: Pays = 0
    forfeited: bool = True  # by folding, else returned

    def pays(self, result: int) -> Pays:
        """By the result, from `WIN` on."""
        return (self.wins, self.ties, self.loses, self.short)[result]

    def by_row(self) -> tuple[ByRow, ...]:
        """The paytables that it pays by."""
        return tuple(pays for pays in map(self.pays, range(RESULTS)) if isinstance(pays, ByRow))


@dataclass(frozen=True, slots=True)
class End:
    """How a round ends, in words. `{antes}`: those raised; where a paytable pays, `{row}`: its row, as printed,
    `{hand}`: the same in lower case, `{odds}`."""

    outcome: str
    section: str
    pays: str = ""
    of_row: "End | None" = None  # where a paytable pays, if that is said in other words


@dataclass(frozen=True, slots=True)
class Ends:
    """How a round ends, by its result; `short` where the dealer must have a least hand."""

    folds: End
    wins: End
    ties: End
    loses: End
    short: End | None = None

    def of(self, result: int) -> End:
        """By the result, from `WIN` on; where the dealer is never short, that of a tie stands for it."""
        return (self.wins, self.ties, self.loses, self.short or self.ties)[result]


@dataclass(frozen=True, slots=True)
class SimplifiedRule:
    """A player's rule that goes by the order of the hands alone; without `steps` the best play's own words are the
    rule."""

    name: str
    steps: HandSteps | None = None
    when: str = ""  # the rule in words, if other than the steps'


@dataclass(frozen=True, slots=True, eq=False)
class RequiredWagers:
    """What differs between games. A decision is 0 = fold, else the place of a raise, from 1."""

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
        """What the parts pay by paytables."""
        return tuple(by_row for part in self.parts for by_row in part.by_row())

    @property
    def rows(self) -> tuple[Rows, ...]:
        """The rows that the parts pay by."""
        return tuple(by_row.rows for by_row in self.by_rows)

    @property
    def words(self) -> tuple[str, ...]:
        """What each decision is called."""
        if len(self.raises) == 1:
            return "Fold", self.verb
        return "Fold", *(f"{self.verb} {NUMBERS[antes]} Ante{'s' * (antes > 1)}" for antes in self.raises)

    def act(self, decision: int) -> str:
        """What the player does, in a replay."""
        if decision == 0:
            return "folds"
        antes = self.raises[decision - 1]
        times = f"{antes}×" if len(self.raises) > 1 else f"{NUMBERS[antes]} times"
        return f"{self.verb.lower()}s {times} the Ante"

    def check(self, order: HandOrder, short: bool) -> None:
        """`ParameterError` for what no game has."""
        raises = self.raises
        if not raises or sorted({*raises}) != [*raises] or raises[0] not in NUMBERS or raises[-1] not in NUMBERS:
            raise ParameterError("raises", f"{raises}; raises are of 1 to {max(NUMBERS)} Antes, the smallest first")
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
        """(name, the parts' paytables) for all that the answers leave; the name is that of a paytable that is chosen,
        "" if none is."""
        wagers = self._wagers()
        in_play = product(*(part_in_play(chapter, answers, wager) for wager in wagers))
        return [(_chosen(chapter, tables), tables) for tables in (_tables(chapter, wagers, names) for names in in_play)]

    def tables_for(self, chapter: Chapter, answers: Answers) -> tuple[Paytable, ...]:
        """The parts' paytables; `NoPaytable` where the answers leave several."""
        wagers = self._wagers()
        return _tables(chapter, wagers, tuple(part_paytable(chapter, answers, wager) for wager in wagers))

    def _wagers(self) -> tuple[str, ...]:
        """Those with a paytable."""
        return tuple(dict.fromkeys(by_row.wager for by_row in self.by_rows))


def _tables(chapter: Chapter, wagers: tuple[str, ...], names: tuple[str, ...]) -> tuple[Paytable, ...]:
    return tuple(chapter.paytable(wager, name) for wager, name in zip(wagers, names, strict=True))


def _chosen(chapter: Chapter, tables: tuple[Paytable, ...]) -> str:
    return ", ".join(table.name for table in tables if chapter.wager(table.wager).paytable_option)
