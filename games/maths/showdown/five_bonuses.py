"""Optional wagers on five cards as data: what each looks at, which row of its paytables pays, who collects the rest.

Not here: the counts (`five_counts`, `five_rounds`), the wagers that are decided (`required`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from games.maths import hands
from games.maths.parameters import ParameterError
from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.showdown.against import LOSE
from games.maths.showdown.deck import Deck
from games.maths.showdown.five_counts import REPLACEMENTS, HandCounts, count_hands
from games.maths.showdown.five_rounds import Ints
from games.maths.showdown.natural_or_wild import better_of, cell_counts, cell_rows, pays_by_class
from games.maths.showdown.order import HandOrder, Rows
from games.maths.showdown.paytable_rows import paid_counts, paid_rows
from games.maths.showdown.required import Played
from games.maths.wagers import counted, progressive
from games.rules.model import Answers, Paytable


class Looks(Protocol):
    """What wagers look at, as numbers of all deals or of the rounds dealt: the player's hands `own[group]`, the lower
    hands `beaten[group]` of raised rounds, `by_kind` and `replaced` as `five_counts.HandCounts` has them."""

    @property
    def own(self) -> Ints: ...
    @property
    def beaten(self) -> Ints: ...
    @property
    def by_kind(self) -> Ints: ...
    @property
    def replaced(self) -> Ints: ...


@dataclass(frozen=True, slots=True, eq=False)
class AllDeals:
    """All deals under the best play: `Looks` of the exact figures."""

    deck: Deck
    played: Played

    @property
    def order(self) -> HandOrder:
        """The hands."""
        return self.played.best.against.order

    @property
    def own(self) -> Ints:
        """Of the deck's hands."""
        counts = np.zeros(len(self.played.groups.strengths), np.int64)
        np.add.at(counts, self.played.groups.numbers, self.played.best.value_counts.sum(axis=0))
        return counts

    @property
    def beaten(self) -> Ints:
        """Of all pairs of hands, if the player raises every hand that is counted: both sides are dealt alike, so the
        dealer is beaten as often as the player, hand by hand."""
        raised = self.played.best.pair_counts(self.played.groups)[1:]
        lower: Ints = 2 * raised[:, LOSE].sum(axis=0)
        return lower

    @property
    def folded(self) -> Ints:
        """By group, the pairs of hands that the player folds."""
        folded: Ints = self.played.best.pair_counts(self.played.groups)[0].sum(axis=0)
        return folded

    @property
    def by_kind(self) -> Ints:
        """Of the deck's hands."""
        return self._counts.by_kind

    @property
    def replaced(self) -> Ints:
        """Of `REPLACEMENTS` times the deck's hands."""
        return self._counts.replaced

    def rows(self, rows: Rows) -> list[str]:
        """The row that each group takes."""
        return [self.order.row_of(rows, strength) for strength in self.played.groups.strengths]

    @property
    def _counts(self) -> HandCounts:
        return count_hands(self.deck, self.order.classes, self.played.best)


@dataclass(frozen=True, slots=True, eq=False)
class FiveBonus(ABC):
    """An optional wager; what differs is what it looks at."""

    lost: str  # the section that collects it

    @property
    def own_rows(self) -> tuple[Rows, ...]:
        """The rows that it pays by the player's or the dealer's hand."""
        return ()

    @abstractmethod
    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        """`ParameterError` for what no game with this deck has; `least`: whether the dealer must have a least hand."""

    @abstractmethod
    def counts(
        self, table: Paytable, deals: AllDeals, looks: Looks, total: int, answers: Answers | None
    ) -> dict[str, int]:
        """Outcome → how many of `total`."""

    def cycle(self, deals: AllDeals) -> int:
        """How many deals the exact figures are of."""
        return deals.deck.hands

    def outcome_rows(self, table: Paytable, counts: Mapping[str, int], cycle: int) -> list[OutcomeRow]:
        """In printed order."""
        return paid_rows(table, counts, cycle, self.lost)

    def more(self, table: Paytable, deals: AllDeals, rows: list[OutcomeRow], answers: Answers | None) -> dict[str, Any]:
        """What else an analysis says."""
        return {}

    def analyze(self, table: Paytable, deals: AllDeals, answers: Answers | None) -> WagerAnalysis:
        """The exact figures."""
        cycle = self.cycle(deals)
        rows = self.outcome_rows(table, self.counts(table, deals, deals, cycle, answers), cycle)
        return counted(table.wager, table.name, rows, cycle, **self.more(table, deals, rows, answers))


@dataclass(frozen=True, slots=True, eq=False)
class OwnHand(FiveBonus):
    """Pays by the player's five cards, after a raise and after a fold."""

    rows: Rows
    instead: Mapping[str, str] = field(default_factory=dict)  # a row that not every paytable has → the row that pays

    @property
    def own_rows(self) -> tuple[Rows, ...]:
        return (self.rows,)

    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        order.check(f"{key}.rows", self.rows)

    def counts(
        self, table: Paytable, deals: AllDeals, looks: Looks, total: int, answers: Answers | None
    ) -> dict[str, int]:
        return paid_counts(table, deals.rows(self.rows), looks.own, total, self.instead)


@dataclass(frozen=True, slots=True, eq=False)
class BeatenHand(OwnHand):
    """Pays by the lower of both hands, where the player has raised and either side is beaten; folding forfeits it."""

    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        order.check(f"{key}.rows", self.rows)
        if least:
            raise ParameterError(key, "is counted by both sides alike, but the dealer must have a least hand to play")

    def cycle(self, deals: AllDeals) -> int:
        return deals.played.best.against.cycle

    def counts(
        self, table: Paytable, deals: AllDeals, looks: Looks, total: int, answers: Answers | None
    ) -> dict[str, int]:
        rows = deals.rows(self.rows)
        if any(count for row, count in zip(rows, deals.folded, strict=True) if row):
            raise ValueError(f"hands that {table.wager} pays are folded: the two sides are not alike")
        return paid_counts(table, rows, looks.beaten, total, self.instead)


@dataclass(frozen=True, slots=True, eq=False)
class NaturalOrWild(FiveBonus):
    """Pays by the better of two columns: the player's five cards as plain ones, and with wild cards."""

    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        if not deck.wilds:
            raise ParameterError(key, "pays by wild cards, which the deck does not have")

    def counts(
        self, table: Paytable, deals: AllDeals, looks: Looks, total: int, answers: Answers | None
    ) -> dict[str, int]:
        classes = deals.order.classes
        return cell_counts(better_of(looks.by_kind, *pays_by_class(table, classes)), table, classes)

    def outcome_rows(self, table: Paytable, counts: Mapping[str, int], cycle: int) -> list[OutcomeRow]:
        return cell_rows(counts, table, cycle, self.lost)


@dataclass(frozen=True, slots=True, eq=False)
class ReplacedHand(FiveBonus):
    """A progressive that pays by the player's five cards as plain ones, the joker replaced by another card."""

    rows: Rows
    folded: str  # the section that says whether hands that the player folds qualify
    replaced: str  # the section by which the joker is replaced
    folded_qualify: str = "folded_hands_qualify"  # the option that asks whether they do

    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        if not deck.joker:
            raise ParameterError(key, "pays by hands whose joker is replaced, but the deck has no joker")
        if wrong := [hand for hand in self.rows if hand[0] not in hands.STANDARD or len(hand) > 1]:
            raise ParameterError(f"{key}.rows", f"{wrong[0]} is not a class of plain cards")

    def cycle(self, deals: AllDeals) -> int:
        return deals.deck.hands * REPLACEMENTS

    def counts(
        self, table: Paytable, deals: AllDeals, looks: Looks, total: int, answers: Answers | None
    ) -> dict[str, int]:
        raised, folded = looks.replaced
        return paid_counts(table, self._rows(), raised + folded if self._qualify(answers) else raised, total, {})

    def more(self, table: Paytable, deals: AllDeals, rows: list[OutcomeRow], answers: Answers | None) -> dict[str, Any]:
        chances = {row.outcome: row.probability or Fraction(0) for row in rows}
        envy = sum((chances[line.outcome] * Fraction(line.envy or 0) for line in table.rows), Fraction(0))
        return {
            "notes": self._notes(table, deals.replaced[1], answers),
            "progressive": progressive(table, ((line.pays[0], chances[line.outcome]) for line in table.rows)),
            "envy_per_other_player": envy,
        }

    def _rows(self) -> list[str]:
        """By plain class."""
        return [self.rows.get((name,), "") for name in hands.STANDARD]

    def _qualify(self, answers: Answers | None) -> bool:
        """Whether folded hands do."""
        return answers is None or answers.get(self.folded_qualify) is not False

    def _notes(self, table: Paytable, folded: Ints, answers: Answers | None) -> tuple[str, ...]:
        reset = "The chapter prints no rate of progression: the hold is that of a meter at its reset amount."
        qualify = "qualify" if self._qualify(answers) else "do not qualify"
        note = f"Hands that the player folds {qualify} ({self.folded})."
        if not any(count for row, count in zip(self._rows(), folded, strict=True) if row):
            note = "No hand that is best folded can win this wager: whether folded hands qualify changes nothing."
        return (reset, note) if table.rate is None else (note,)
