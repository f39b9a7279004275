"""The optional wagers with turned cards: on three own cards, forfeited by a fold or not, and on the best hand of all.

Not here: how often each hand is dealt and folded (`best_play`, `rounds`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.parameters import ParameterError
from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.staged_raises.bonus_wagers import LOST_OUTCOME, with_lost
from games.maths.staged_raises.own_cards import OWN, OWN_CLASSES, ClassCounts, check_rows, own_classes, own_counts
from games.maths.staged_raises.turns.best_play import Decisions, all_hands, folds_by_own_cards
from games.maths.staged_raises.turns.form import Form
from games.maths.staged_raises.turns.rounds import DealtRounds
from games.maths.three_cards import HANDS
from games.maths.wagers import LOST_NET, counted, net_of, progressive, row
from games.rules.model import Answers, Chapter, Paytable

FORFEITED = "Forfeited: a winning hand is folded"

FoldedClasses = NDArray[np.int64]
"""`[folded, class]`: rounds, or deals of `Form.cycle`, by the class of the three own cards."""


@dataclass(frozen=True, slots=True)
class OwnCardsWager:
    """On the three own cards, which no decision touches: the class of each row, the subsection by which it loses."""

    rows: tuple[str, ...]
    lost: str

    def check(self, form: Form) -> None:
        """`ParameterError` for rows that three cards cannot be, or own cards that are not three of 52."""
        check_rows("optional.rows", self.rows)
        _check_own(form)

    def analysis(self, table: Paytable, form: Form) -> WagerAnalysis:
        """Every three cards once."""
        counts = own_counts(np.bincount(own_classes()), self.rows, table)
        return counted(table.wager, table.name, _rows(table, counts, HANDS, {LOST_OUTCOME: self.lost}), HANDS)

    def counts(self, table: Paytable, form: Form, dealt: DealtRounds) -> dict[str, int]:
        """Outcome → rounds."""
        return own_counts(dealt.own.sum(axis=0), self.rows, table)


@dataclass(frozen=True, slots=True)
class BestHandWager:
    """On the best five of all cards, after a fold too: the class of each row, the subsection by which it loses."""

    rows: tuple[str, ...]
    lost: str

    def check(self, form: Form) -> None:
        """`ParameterError` for a row of a class that the required wagers do not tell apart."""
        for name in self.rows:
            if form.hands.winning.count(name) != 1:
                allowed = ", ".join(dict.fromkeys(form.hands.winning))
                raise ParameterError("optional.rows", f"{name!r} is not counted by itself; allowed are {allowed}")

    def analysis(self, table: Paytable, form: Form) -> WagerAnalysis:
        """Every set of all cards once."""
        made = all_hands(form)
        total, counts = int(made.sum()), self._counts(table, form, made)
        return counted(table.wager, table.name, _rows(table, counts, total, {LOST_OUTCOME: self.lost}), total)

    def counts(self, table: Paytable, form: Form, dealt: DealtRounds) -> dict[str, int]:
        """Outcome → rounds."""
        return self._counts(table, form, dealt.made)

    def _counts(self, table: Paytable, form: Form, made: Sequence[int] | NDArray[np.int64]) -> dict[str, int]:
        places = [form.hands.winning.index(name) + 1 for name in self.rows]
        paid = {line.outcome: int(made[place]) for line, place in zip(table.rows, places, strict=True)}
        return with_lost(paid, int(sum(made)))


@dataclass(frozen=True, slots=True)
class ForfeitedProgressive:
    """A progressive on the three own cards, forfeited by a fold. Its terms are answered, else the least allowed."""

    rows: tuple[str, ...]  # the class of each, the highest first
    lost: str
    forfeited: str  # the subsection that says so
    rate: str  # the line that asks for the rate of progression, in percent
    reset: str  # and for the reset amount, in dollars

    def check(self, form: Form) -> None:
        """`ParameterError` for rows that three cards cannot be, or own cards that are not three of 52."""
        check_rows("optional.rows", self.rows)
        _check_own(form)

    def counts(self, table: Paytable, form: Form, dealt: DealtRounds) -> dict[str, int]:
        """Outcome → rounds."""
        return self._counts(dealt.own, table)

    def analysis(
        self, printed: Paytable, form: Form, decisions: Decisions, chapter: Chapter, answers: Answers
    ) -> WagerAnalysis:
        """The exact figures under the decisions that are best for the required wagers."""
        table, own = self._with_terms(printed, chapter, answers), folded_classes(form, decisions)
        sections = {LOST_OUTCOME: self.lost, FORFEITED: self.forfeited}
        rows = _rows(table, self._counts(own, table), form.cycle, sections)
        chances = {row.outcome: row.probability or Fraction(0) for row in rows}
        dealt = {
            outcome: Fraction(count, form.cycle)
            for outcome, count in own_counts(own.sum(axis=0), self.rows, table).items()
        }
        never_folds = progressive(table, ((line.pays[0], dealt[line.outcome]) for line in table.rows))
        return counted(
            table.wager,
            table.name,
            rows,
            form.cycle,
            progressive=progressive(table, ((line.pays[0], chances[line.outcome]) for line in table.rows)),
            envy_per_other_player=sum(
                (dealt[line.outcome] * Fraction(line.envy or 0) for line in table.rows), Fraction(0)
            ),
            notes=(
                f"The hold is that of a meter at its reset amount of ${table.seed:,}, and of the play that is best for "
                f"the required wagers: in {float(100 * chances[FORFEITED]):.4f} % of all rounds it folds "
                f"{self._least()}, and this wager is forfeited ({self.forfeited}).",
                f"A player who never folds such a hand is returned {float(100 * never_folds.return_at_reset):.6f} %, "
                f"of it {float(100 * never_folds.fixed_return):.6f} % by odds.",
            ),
        )

    def _least(self) -> str:
        name = self.rows[-1].lower()
        return f"{name} or better" if name.startswith("three") else f"a {name} or better"

    def _counts(self, own: FoldedClasses, table: Paytable) -> dict[str, int]:
        played, folded = (own_counts(class_counts, self.rows, table) for class_counts in own)
        forfeited = sum(folded.values()) - folded[LOST_OUTCOME]
        return played | {FORFEITED: forfeited, LOST_OUTCOME: played[LOST_OUTCOME] + folded[LOST_OUTCOME]}

    def _with_terms(self, table: Paytable, chapter: Chapter, answers: Answers) -> Paytable:
        rate, reset = (
            Decimal(str(answers[key])) if answers.get(key) is not None else _smallest(chapter, key)
            for key in (self.rate, self.reset)
        )
        return replace(table, rate=Fraction(rate) / 100, seed=reset)


OptionalWager = OwnCardsWager | BestHandWager | ForfeitedProgressive


def _check_own(form: Form) -> None:
    if (form.own, form.deck) != (OWN, FULL_DECK):
        problem = f"a wager on three own cards of 52, in a game of {form.own} of {form.deck}"
        raise ParameterError("optional", problem)


def folded_classes(form: Form, decisions: Decisions) -> FoldedClasses:
    """Of `Form.cycle`."""
    kinds, folds = own_classes(), folds_by_own_cards(form, decisions)
    return np.array([_by_class(kinds, form.ways(0) - folds), _by_class(kinds, folds)])


def _by_class(kinds: NDArray[np.int8], ways: NDArray[np.int64]) -> ClassCounts:
    return np.array([ways[kinds == kind].sum() for kind in range(len(OWN_CLASSES))])


def _smallest(chapter: Chapter, option: str) -> Decimal:
    """What the chapter's requirements let the answer be at least."""
    conditions = (demand.must for demand in chapter.requirements if demand.must)
    tests = (
        test for must in conditions for alternative in must.alternatives for key, test in alternative if key == option
    )
    return max(test.at_least for test in tests if test.at_least is not None)


def _rows(table: Paytable, counts: Mapping[str, int], cycle: int, sections: Mapping[str, str]) -> list[OutcomeRow]:
    """The paytable's rows, then those that win nothing, by their subsections."""
    pays = {line.outcome: line.pays[0] for line in table.rows}
    return [
        row(outcome, count, cycle, net_of(pays[outcome], table), pays=pays[outcome].printed)
        if outcome in pays
        else row(outcome, count, cycle, LOST_NET, section=sections[outcome])
        for outcome, count in counts.items()
    ]
