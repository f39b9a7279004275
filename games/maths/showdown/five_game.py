"""One game (`game`) of five cards against the dealer's hidden five.

Its optional wagers are data: the cards that each looks at, the row of its paytables that pays, the section by which the
rest is collected. Of a paytable with the columns Natural and With Wild a hand without the joker takes the better of the
two; it may count its wild cards as plain ones. Not here: the counts (`five_counts`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints
from games.maths import hands
from games.maths.cards import JOKER
from games.maths.results import (
    LOST_NET,
    LOST_OUTCOME,
    OutcomeRow,
    Step,
    WagerAnalysis,
    counted,
    counted_by_table,
    net_of,
    paid_counts,
    row,
)
from games.maths.showdown.deck import (
    FULL,
    LOSE,
    NATURAL,
    OWN,
    WILD_JOKER,
    WILD_RANK,
    Against,
    Deck,
    Groups,
    HandOrder,
    Rows,
    groups_of,
)
from games.maths.showdown.five_counts import REPLACEMENTS, HandCounts, against_five, count_hands, five_card_order
from games.maths.showdown.game import Showdown
from games.maths.showdown.required import Played
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play

Counted = Mapping[str, int]
"""Outcome → count."""


@dataclass(frozen=True, slots=True, eq=False)
class AllDeals:
    """All deals under the best play, and the numbers that wagers look at."""

    deck: Deck
    played: Played

    @property
    def order(self) -> HandOrder:
        """The hands."""
        return self.played.best.against.order

    @property
    def own(self) -> Ints:
        """Groups of the deck's hands."""
        counts = np.zeros(len(self.played.groups.strengths), np.int64)
        np.add.at(counts, self.played.groups.numbers, self.played.best.value_counts.sum(axis=0))
        return counts

    @property
    def beaten(self) -> Ints:
        """The hands beaten, of all pairs, if the player raises every hand counted: as many as beat the player."""
        raised = self.played.best.pair_counts(self.played.groups)[1:]
        lower: Ints = 2 * raised[:, LOSE].sum(axis=0)
        return lower

    @property
    def folded(self) -> Ints:
        """Pairs of hands that the player folds, by group."""
        folded: Ints = self.played.best.pair_counts(self.played.groups)[0].sum(axis=0)
        return folded

    @property
    def by_kind(self) -> Ints:
        """Kinds of the deck's hands."""
        return self._counts.by_kind

    @property
    def replaced(self) -> Ints:
        """Hands with the joker replaced, of `REPLACEMENTS` times the deck's hands."""
        return self._counts.replaced

    def rows(self, rows: Rows) -> list[str]:
        """Return the row that each group takes."""
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
        """Raise `ParameterError` for terms that no game has; `least`: whether the dealer must have a least hand."""

    @abstractmethod
    def counts(self, table: Paytable, deals: AllDeals, answers: Answers) -> dict[str, int]:
        """Return outcome → count, of all that the wager looks at."""

    def cycle(self, deals: AllDeals) -> int:
        """Return the number of deals of the exact figures."""
        return deals.deck.hands

    def notes(self, table: Paytable, deals: AllDeals, answers: Answers) -> tuple[str, ...]:
        """Return the notes of the analysis."""
        return ()

    def analyze(self, table: Paytable, deals: AllDeals, answers: Answers) -> WagerAnalysis:
        """Return the exact figures."""
        counts, notes = self.counts(table, deals, answers), self.notes(table, deals, answers)
        return counted_by_table(table, counts, self.cycle(deals), self.lost, notes=notes)


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

    def counts(self, table: Paytable, deals: AllDeals, answers: Answers) -> dict[str, int]:
        return paid_counts(table, deals.rows(self.rows), deals.own, int(deals.own.sum()), self.instead)


@dataclass(frozen=True, slots=True, eq=False)
class BeatenHand(OwnHand):
    """Pays by the lower of both hands, where the player has raised and either side is beaten; folding forfeits it."""

    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        order.check(f"{key}.rows", self.rows)
        if least:
            raise ParameterError(key, "is counted by both sides alike, but the dealer must have a least hand to play")

    def cycle(self, deals: AllDeals) -> int:
        return deals.played.best.against.cycle

    def counts(self, table: Paytable, deals: AllDeals, answers: Answers) -> dict[str, int]:
        rows = deals.rows(self.rows)
        if any(count for row, count in zip(rows, deals.folded, strict=True) if row):
            raise ValueError(f"hands that {table.wager} pays are folded: the two sides are not alike")
        return paid_counts(table, rows, deals.beaten, self.cycle(deals), self.instead)


@dataclass(frozen=True, slots=True, eq=False)
class NaturalOrWild(FiveBonus):
    """Pays by the better of two columns: the player's five cards as plain ones, and with wild cards."""

    def check(self, key: str, deck: Deck, order: HandOrder, least: bool) -> None:
        if not deck.wilds:
            raise ParameterError(key, "pays by wild cards, which the deck does not have")

    def counts(self, table: Paytable, deals: AllDeals, answers: Answers) -> dict[str, int]:
        classes = deals.order.classes
        return cell_counts(better_of(deals.by_kind, *pays_by_class(table, classes)), table, classes)

    def analyze(self, table: Paytable, deals: AllDeals, answers: Answers) -> WagerAnalysis:
        counts, cycle = self.counts(table, deals, answers), self.cycle(deals)
        return counted(table.wager, table.name, cell_rows(counts, table, cycle, self.lost), cycle)


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

    def counts(self, table: Paytable, deals: AllDeals, answers: Answers) -> dict[str, int]:
        raised, folded = deals.replaced
        paid, total = raised + folded if self._qualify(answers) else raised, int(deals.replaced.sum())
        return paid_counts(table, self._rows(), paid, total, {})

    def notes(self, table: Paytable, deals: AllDeals, answers: Answers) -> tuple[str, ...]:
        reset = "The chapter prints no rate of progression: the hold is that of a meter at its reset amount."
        qualify = "qualify" if self._qualify(answers) else "do not qualify"
        note = f"Hands that the player folds {qualify} ({self.folded})."
        if not any(count for row, count in zip(self._rows(), deals.replaced[1], strict=True) if row):
            note = "No hand that is best folded can win this wager: whether folded hands qualify changes nothing."
        return (reset, note) if table.rate is None else (note,)

    def _rows(self) -> list[str]:
        """Return the row of the paytable by plain class."""
        return [self.rows.get((name,), "") for name in hands.STANDARD]

    def _qualify(self, answers: Answers) -> bool:
        """Return True if folded hands qualify."""
        return answers.get(self.folded_qualify) is not False


@dataclass(frozen=True, slots=True, eq=False)
class FiveCardShowdown(Showdown):
    """The terms in which the games differ: cards, order of classes, the dealer's least hand to play, wagers."""

    deck: Deck = FULL
    classes: tuple[str, ...] = hands.STANDARD  # lowest first
    bonuses: Mapping[str, FiveBonus] = field(default_factory=dict)  # wager → what it pays by

    def __post_init__(self) -> None:
        """Raise `ParameterError` for terms that no game has."""
        made = self.deck.classes
        if sorted(self.classes) != sorted(made):
            raise ParameterError("classes", f"{', '.join(self.classes)}; the deck makes {', '.join(made)}")
        if not self.deck.wilds and self.classes != made:
            raise ParameterError("classes", f"without wild cards their order is {', '.join(made)}")
        self.check()
        for wager, bonus in self.bonuses.items():
            bonus.check(f"bonuses[{wager!r}]", self.deck, self.order, self.least is not None)

    @property
    def order(self) -> HandOrder:
        return five_card_order(self.deck, self.classes)

    @property
    def against(self) -> Against:
        return against_five(self.deck, self.classes, self.least_value)

    @property
    def groups(self) -> Groups:
        return _groups(self)

    def analyze_bonus(self, table: Paytable, chapter: Chapter, answers: Answers) -> WagerAnalysis:
        """Return the exact figures, under the best play with the first paytable where the answers leave several."""
        (_, tables), *_ = self.required.tables_in_play(chapter, answers)
        return self.bonuses[table.wager].analyze(table, AllDeals(self.deck, self.played(tables)), answers)

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return both hands and the decision; where a wager looks at it, the card that replaces the joker.

        `dealt`: the player's five cards, then the dealer's, then the card that may replace the joker.
        """
        at, kinds = way_dealt(self.sections.dealt, answers), self.deck.kinds()
        player, dealer, replacement = dealt[:OWN], dealt[OWN : 2 * OWN], dealt[2 * OWN :]
        decision = self._best(chapter, answers).of([card for card in player if kinds[card] == NATURAL])
        steps = [
            Step("Player", "is dealt five cards", at.player, player),
            Step("Dealer", "is dealt five cards, hidden until the player has decided", at.dealer, dealer),
            Step("Player", self.required.act(decision), self.sections.decided),
        ]
        in_use = paytables_in_play(chapter, answers)
        for wager, bonus in self.bonuses.items():
            if wager in in_use and isinstance(bonus, ReplacedHand):
                steps.insert(2, Step("Replacement card", "is placed face down", at.extra, replacement))
                if JOKER in player:
                    plain = (*(card for card in player if card != JOKER), *replacement)
                    steps.append(Step("Player", "has the joker replaced for the Progressive", bonus.replaced, plain))
        return tuple(steps)


@cache
def _groups(game: FiveCardShowdown) -> Groups:
    """Return the player's hands that no wager pays apart, each of one class."""
    rows = tuple(rows for bonus in game.bonuses.values() for rows in bonus.own_rows)
    return groups_of(game.order, (*game.required.rows, *rows), by_class=True)


NATURAL_COLUMN, WITH_WILD_COLUMN = range(2)
COLUMNS = ("Natural", "With Wild")
Counts = NDArray[np.int64]
Classes = tuple[str, ...]


def pays_by_class(table: Paytable, classes: Classes) -> tuple[Counts, Counts]:
    """Return the nets by class of the natural hand, and of the hand with wilds; −1 = the wager loses."""
    pays = np.full((2, len(classes)), -1, dtype=np.int64)
    for outcome, column, pay in table.lines():
        if not pay.na:
            place = (hands.STANDARD, classes)[COLUMNS.index(column)].index(outcome)
            pays[COLUMNS.index(column), place] = int(net_of(pay, table))
    return pays[NATURAL_COLUMN], pays[WITH_WILD_COLUMN]


def better_of(by_kind: Counts, natural: Counts, wild: Counts) -> Counts:
    """Return `[column, class]` of the better payout, from `HandCounts.by_kind` and the nets of either column."""
    class_counts = np.zeros((2, len(wild)), dtype=np.int64)
    for place in range(len(wild)):
        class_counts[WITH_WILD_COLUMN, place] += by_kind[WILD_JOKER, place].sum()
        for plain in range(len(hands.STANDARD)):
            better = WITH_WILD_COLUMN if wild[place] > natural[plain] else NATURAL_COLUMN
            class_counts[NATURAL_COLUMN, plain] += by_kind[NATURAL, place, plain]
            class_counts[better, place if better == WITH_WILD_COLUMN else plain] += by_kind[WILD_RANK, place, plain]
    return class_counts


def cell_counts(class_counts: Counts, table: Paytable, classes: Classes) -> dict[str, int]:
    """Return outcome → count, from counts by [column, class]; n/a cells have no outcome."""
    counts = {_cell(outcome, column): 0 for outcome, column, pay in table.lines() if not pay.na} | {LOST_OUTCOME: 0}
    for column, names in enumerate((hands.STANDARD, classes)):
        for place, name in enumerate(names):
            outcome = _cell(name, COLUMNS[column])
            counts[outcome if outcome in counts else LOST_OUTCOME] += int(class_counts[column, place])
    return counts


def cell_rows(counts: Counted, table: Paytable, cycle: int, lost: str) -> list[OutcomeRow]:
    """Return a row per cell of the table, and the lost rest; `lost`: the subsection that collects it."""
    rows = [
        row(_cell(outcome, column), counts[_cell(outcome, column)], cycle, net_of(pay, table), pays=pay.printed)
        for outcome, column, pay in table.lines()
        if not pay.na
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST_NET, section=lost)]


def _cell(outcome: str, column: str) -> str:
    return f"{outcome}, {column.lower()}"
