"""The optional wagers of a street game as data: which cards each is paid for, and by which rows.

Not here: the counts (`bonuses`, `rounds`), the terms of a progressive (`meters`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Any

from games.maths.cards import ACE
from games.maths.parameters import ParameterError
from games.maths.results import WagerAnalysis
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.bonus_wagers import CLASS_OF, rows_of
from games.maths.staged_raises.streets.meters import Meters
from games.maths.staged_raises.streets.rounds import DealtRounds, Ints
from games.maths.wagers import counted, progressive
from games.rules.model import Answers, Paytable


@dataclass(frozen=True, slots=True)
class CardCounts:
    """Cards that a wager is paid for: how many of all sets, of `cycle`, and of the rounds dealt are of each class."""

    by_class: Callable[[], Mapping[Any, int]]
    classes: Sequence[Any]  # keys of `by_class`, in the order in which paytables print them
    cycle: int
    dealt: Callable[[DealtRounds], Ints]  # in the same order; more may follow, which lose

    def exact(self) -> list[int]:
        """The counts in the order of the classes."""
        counts = self.by_class()
        return [counts[name] for name in self.classes]


OWN_CARDS = CardCounts(bonuses.pockets, range(bonuses.NO_POCKET), bonuses.POCKETS, attrgetter("pocket"))
COMMUNITY_CARDS = CardCounts(bonuses.boards, range(bonuses.NO_BOARD), bonuses.BOARDS, attrgetter("board"))
NO_PAIR = CardCounts(  # nor straight, nor flush: by the highest rank, from the lowest possible
    bonuses.lows, range(bonuses.SEVEN, ACE + 1), bonuses.FIVES, lambda dealt: dealt.low[bonuses.SEVEN :]
)
FIVE_CARDS = CardCounts(bonuses.fives, tuple(CLASS_OF.values()), bonuses.FIVES, lambda dealt: dealt.made[::-1])
BEST_OF_SIX = CardCounts(bonuses.sixes, bonuses.SIX_CLASSES[::-1], bonuses.SIXES, lambda dealt: dealt.six[::-1])


@dataclass(frozen=True, slots=True)
class BonusWager:
    """An optional wager: what is counted for it, and the row of its paytables that pays each class."""

    counts: CardCounts
    rows: tuple[str, ...]  # in the order of the classes; all others lose
    instead: Mapping[str, str] = field(default_factory=dict)  # a row that not every paytable has → the row that pays
    extra_cards: str = ""  # what the dealer does with cards dealt for this wager alone
    meters: Meters | None = None  # of a progressive

    def __post_init__(self) -> None:
        """`ParameterError` for more rows than the cards have classes, or for a row instead of which none is paid."""
        if len(self.rows) > len(self.counts.classes):
            problem = f"{len(self.rows)} rows; these cards have {len(self.counts.classes)} classes that can be paid"
            raise ParameterError("bonuses.rows", problem)
        if unknown := sorted({*self.instead, *self.instead.values()} - {*self.rows}):
            raise ParameterError("bonuses.instead", f"{unknown[0]!r} is not one of the rows {', '.join(self.rows)}")

    def paid(self, table: Paytable, counts: Sequence[int] | Ints) -> dict[str, int]:
        """Outcome → count in printed order, from the counts by class; `KeyError` for a row that only one side has."""
        printed, paid = {line.outcome for line in table.rows}, dict.fromkeys(self.rows, 0)
        for outcome, count in zip(self.rows, counts, strict=False):
            paid[outcome if outcome in printed else self.instead[outcome]] += int(count)
        return {line.outcome: paid[line.outcome] for line in table.rows}


def analyze_bonus(table: Paytable, bonus: BonusWager, answers: Answers) -> WagerAnalysis:
    """The exact figures of an optional wager."""
    cycle, meters = bonus.counts.cycle, bonus.meters
    at_reset = meters.at_reset(table, answers) if meters else table
    rows = rows_of(at_reset, bonus.paid(table, bonus.counts.exact()), cycle)
    if meters is None:
        return counted(table.wager, table.name, rows, cycle)
    chances = {row.outcome: row.probability or Fraction(0) for row in rows}
    known = progressive(at_reset, ((line.pays[0], chances[line.outcome]) for line in at_reset.rows))
    notes = meters.notes(table, answers)
    return counted(table.wager, table.name, rows, cycle, progressive=known, notes=notes)
