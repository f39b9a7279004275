"""The wagers with turned cards.

Those before the deal with all raises are one wager, its unit one Ante: outcome rows, decisions, plain plays. The
optional ones are on three own cards, forfeited by a fold or not, and on the best hand. Not here: how often each hand is
dealt and folded (`best_play`), the sentences (`words`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.results import (
    LOST_NET,
    LOST_OUTCOME,
    Ending,
    OutcomeRow,
    SimplifiedPlay,
    WagerAnalysis,
    antes,
    chances,
    counted,
    counted_by_table,
    envy,
    net_of,
    paid_rows,
    progressive,
    report_plays,
    required,
    row,
    with_lost,
)
from games.maths.staged_raises.paid_hands import (
    OWN,
    OWN_CLASSES,
    check_rows,
    own_cards_analysis,
    own_classes,
    own_counts,
)
from games.maths.staged_raises.turns.best_play import (
    PASS,
    BestPlay,
    Decisions,
    EndCounts,
    FoldCounts,
    Odds,
    all_hands,
    best_play,
    count_ends,
    folds_by_own_cards,
)
from games.maths.staged_raises.turns.form import Form
from games.maths.staged_raises.turns.words import cards_seen, choices, equal_note, never_better_note, read_sentences
from games.maths.wagers import least_allowed
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable

EVEN_MONEY = ""
"""Instead of a paytable's wager: the wager wins 1 to 1 with every winning hand."""


@dataclass(frozen=True, slots=True)
class RequiredSections:
    """The subsections of a chapter by their content; `decided` (a fold too) and `turned` by stage."""

    won: str  # a push too
    lost: str
    decided: tuple[str, ...]
    turned: tuple[str, ...]
    made: str  # on the best five cards
    dealt: Mapping[str, str]  # by the line that asks whether cards are so dealt


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RequiredWagers:
    """The form with what its wagers are called and what they pay."""

    form: Form
    before_deal: Mapping[str, str]  # name → the wager whose only paytable pays it, or `EVEN_MONEY`
    raised: str  # "Play Wager"
    raised_by: str  # the wager whose only paytable pays the raises
    sections: RequiredSections
    play_file: str = ""  # of a chapter that gives its sentences in `strategy.toml` beside it; else they are computed

    def __post_init__(self) -> None:
        """Raise `ParameterError` if a stage has no section of its own, or nothing is wagered before the deal."""
        for key, sections in (("decided", self.sections.decided), ("turned", self.sections.turned)):
            if len(sections) != len(self.form.stages):
                problem = f"{len(sections)} of them for {len(self.form.stages)} stages"
                raise ParameterError(f"sections.{key}", problem)
        if not self.before_deal:
            raise ParameterError("before_deal", "nothing is wagered before the deal")

    def best(self, chapter: Chapter, paytable: str = "") -> BestPlay:
        """Return the best play; `paytable`: that of the Ante, "" if it has none of its own."""
        return best_play(self.form, self.pays(chapter, paytable).odds)

    def pays(self, chapter: Chapter, paytable: str = "") -> "Pays":
        """Return the pays of the chapter's paytables; `ParameterError` if one lacks the row of a hand."""

        def table_of(wager: str) -> Paytable:
            return chapter.paytable(wager, paytable) if wager == "ante" else chapter.tables_of(wager)[0]

        tables = [table_of(wager) if wager else None for wager in self.before_deal.values()]
        pays = Pays(tuple(tables), table_of(self.raised_by))
        for table in (*tables, pays.raised):
            if table and len(table.rows) != len(self.form.hands.winning):
                problem = f"{table.citation} {table.name} has {len(table.rows)} rows"
                raise ParameterError("hands", f"{problem}; the hands that win or push are {self.form.hands.winning}")
        return pays

    def rows(self, ended: EndCounts, folded: FoldCounts, pays: "Pays") -> list[OutcomeRow]:
        """Return one row per (net, wagered) that occurs."""
        ends = ((end, count) for end, count in self._ends(ended, folded, pays) if count)
        return [end.row(count, self.form.cycle) for end, count in ends]

    def _ends(self, ended: EndCounts, folded: FoldCounts, pays: "Pays") -> Iterator[tuple[Ending, int]]:
        """Yield every end of a round with its count."""
        won, lost, lines = self.sections.won, self.sections.lost, pays.raised.rows
        for total in self.form.totals:
            wagered, name = Fraction(len(self.before_deal) + total), f"{self.raised} {total}×"
            for place, line in enumerate(lines):
                net = sum(pays.initial_nets(place), Fraction(0)) + total * pays.raised_net(place)
                words = self._pays(pays, place)
                yield Ending(f"{name}: {line.outcome}", net, wagered, words, won), int(ended[total, len(lines) - place])
            yield Ending(f"{name}: lost", -wagered, wagered, "", lost), int(ended[total, 0])
        for stage, before in self._folds():
            wagered, section = Fraction(len(self.before_deal) + before), self.sections.decided[stage]
            yield Ending(self._folded(stage, before), -wagered, wagered, "", section), int(folded[stage, before])

    def _pays(self, pays: "Pays", place: int) -> str:
        named = [f"{name} {pay}" for name, pay in zip(self.before_deal, pays.printed(place), strict=True)]
        return ", ".join((*named, f"{self.raised.removesuffix(' Wager')} {pays.raised.rows[place].pays[0].printed}"))

    def _folds(self) -> list[tuple[int, int]]:
        """Return (stage, Antes raised before) of every fold."""
        stages = enumerate(self.form.stages)
        return [(at, before) for at, stage in stages if not stage.may_check for before in self.form.raised_before(at)]

    def _folded(self, stage: int, before: int) -> str:
        if len(self._folds()) == 1:
            return "Folded"
        seen = f"Folded on {cards_seen(self.form, stage)}"
        return f"{seen}, {antes(before)} raised" if len(self.form.raised_before(stage)) > 1 else seen

    def analysis(self, chapter: Chapter, paytable: str = "") -> WagerAnalysis:
        """Return the required wagers under the best play."""
        return _analysis(self, self.pays(chapter, paytable), paytable)

    def simplified_plays(self, best: BestPlay, pays: "Pays") -> tuple[SimplifiedPlay, ...]:
        """Return the simplified plays with their required wagers: the cost of not knowing the strategy."""
        plays = (
            (name, when, count_ends(self.form, decisions))
            for name, when, decisions in _plain(self.form, self.raised, best.decisions)
        )
        rows = ((name, when, self.rows(ends.ended, ends.folded, pays)) for name, when, ends in plays)
        return report_plays(rows, len(self.before_deal))


@dataclass(frozen=True, slots=True)
class Pays:
    """The paytables of the wagers before the deal, None for even money, and of the raises."""

    initial: tuple[Paytable | None, ...]
    raised: Paytable

    def initial_nets(self, place: int) -> Sequence[Fraction]:
        """Return the nets by wager, with the hand of the paytables' row at the place."""
        return [net_of(table.rows[place].pays[0], table) if table else Fraction(1) for table in self.initial]

    def printed(self, place: int) -> Sequence[str]:
        """Return the payouts of the wagers before the deal by the row at this place, as printed."""
        return [table.rows[place].pays[0].printed if table else "1 to 1" for table in self.initial]

    def raised_net(self, place: int) -> Fraction:
        return net_of(self.raised.rows[place].pays[0], self.raised)

    def by_wager(self) -> Mapping[str, Sequence[Fraction]]:
        """Return wager of each paytable → its nets, the highest row first."""
        tables = [table for table in (*self.initial, self.raised) if table]
        return {table.wager: [net_of(line.pays[0], table) for line in table.rows] for table in tables}

    @property
    def odds(self) -> Odds:
        """Odds in whole units, lowest result first."""
        places = range(len(self.raised.rows) - 1, -1, -1)
        initial = [Fraction(-len(self.initial)), *(sum(self.initial_nets(place), Fraction(0)) for place in places)]
        raised = [LOST_NET, *(self.raised_net(place) for place in places)]
        unit = lcm(*(net.denominator for net in (*initial, *raised)))
        return Odds(tuple(int(unit * net) for net in initial), tuple(int(unit * net) for net in raised))


@cache
def _analysis(wagers: RequiredWagers, pays: Pays, paytable: str) -> WagerAnalysis:
    best, form = best_play(wagers.form, pays.odds), wagers.form
    rows = wagers.rows(best.ends.ended, best.ends.folded, pays)
    notes = (never_better_note(form, best.ends, wagers.raised), equal_note(form, best, wagers.raised))
    strategy, tables = choices(form, best, wagers.raised, read_sentences(wagers.play_file, pays.by_wager()))
    return counted(
        "ante",
        paytable,
        rows,
        form.cycle,
        required=required(rows, len(wagers.before_deal)),
        strategy=strategy,
        strategy_tables=tables,
        simplified_plays=wagers.simplified_plays(best, pays),
        notes=tuple(filter(None, notes)),
    )


def _plain(form: Form, raised: str, best: Decisions) -> Iterator[tuple[str, str, Decisions]]:
    """Yield name, rule and decisions of plain plays."""
    first, last = form.stages[0], form.stages[-1]
    seen = cards_seen(form, len(form.stages) - 1)
    least = [np.full_like(table, stage.raises[0]) for table, stage in zip(best, form.stages, strict=True)]
    if form.raises_once:
        most = antes(first.raises[-1])
        at_once = f"A {raised} of {most} on every {cards_seen(form, 0)}."
        yield f"Always wagers {most}", at_once, (np.full_like(best[0], first.raises[-1]), *best[1:])
        checks = [np.full_like(table, PASS) for table in best[:-1]]
        times = {1: "once", 2: "twice"}.get(len(checks), f"{len(checks)} times")
        wager = f"a {raised} of {' or '.join(map(antes, last.raises))}"
        passing = "a check" if last.may_check else "a fold"
        yield (
            f"Waits for {seen}",
            f"Checks {times}; then {wager} or {passing}, as the strategy says.",
            (*checks, best[-1]),
        )
        never = f"Checks {times}; then a {raised} of {antes(last.raises[0])} with any cards."
        yield "Waits and never folds", never, (*checks, least[-1])
        return
    yield "Always raises the least", "Never folds; every raise is the smallest allowed.", tuple(least)
    if any(len(stage.raises) > 1 for stage in form.stages):
        most_each = tuple(np.full_like(table, stage.raises[-1]) for table, stage in zip(best, form.stages, strict=True))
        yield "Always raises the most", "Never folds; every raise is the largest allowed.", most_each
    yield (
        f"Folds on {seen} only",
        f"Raises the least until {seen} are seen; then as the strategy says.",
        (*least[:-1], best[-1]),
    )


FORFEITED = "Forfeited: a winning hand is folded"

FoldedClasses = NDArray[np.int64]
"""`[folded, class]`: deals of `Form.cycle`, by the class of the three own cards."""


@dataclass(frozen=True, slots=True)
class OwnCardsWager:
    """On the three own cards, which no decision touches: the class of each row, the subsection by which it loses."""

    rows: tuple[str, ...]
    lost: str

    def check(self, form: Form) -> None:
        _check_own(form, self.rows)

    def analysis(self, table: Paytable, form: Form) -> WagerAnalysis:
        """Return the analysis over every three cards once."""
        return own_cards_analysis(table, self.rows, self.lost)


@dataclass(frozen=True, slots=True)
class BestHandWager:
    """On the best five of all cards, after a fold too: the class of each row, the subsection by which it loses."""

    rows: tuple[str, ...]
    lost: str

    def check(self, form: Form) -> None:
        """Raise `ParameterError` for a row of a class that the required wagers do not distinguish."""
        for name in self.rows:
            if form.hands.winning.count(name) != 1:
                allowed = ", ".join(dict.fromkeys(form.hands.winning))
                raise ParameterError("optional.rows", f"{name!r} is not counted by itself; allowed are {allowed}")

    def analysis(self, table: Paytable, form: Form) -> WagerAnalysis:
        """Return the analysis over every set of all cards once."""
        made = all_hands(form)
        places = [form.hands.winning.index(name) + 1 for name in self.rows]
        paid = {line.outcome: int(made[place]) for line, place in zip(table.rows, places, strict=True)}
        total = int(made.sum())
        return counted_by_table(table, with_lost(paid, total), total, self.lost)


@dataclass(frozen=True, slots=True)
class ForfeitedProgressive:
    """A progressive on the three own cards, forfeited by a fold. Its terms are answered, else the least allowed."""

    rows: tuple[str, ...]  # the class of each, the highest first
    lost: str
    forfeited: str  # the subsection that says so
    rate: str  # the line that asks for the rate of progression, in percent
    reset: str  # and for the reset amount, in dollars

    def check(self, form: Form) -> None:
        _check_own(form, self.rows)

    def analysis(
        self, printed: Paytable, form: Form, decisions: Decisions, chapter: Chapter, answers: Answers
    ) -> WagerAnalysis:
        """Return the exact figures under the decisions that are best for the required wagers."""
        table, own = self._with_terms(printed, chapter, answers), folded_classes(form, decisions)
        counts = self._counts(own, table)
        share = float(100 * Fraction(counts[FORFEITED], form.cycle))
        forfeited = row(FORFEITED, counts[FORFEITED], form.cycle, LOST_NET, section=self.forfeited)
        rows = [*paid_rows(table, counts, form.cycle, self.lost), forfeited]
        dealt = own_counts(own.sum(axis=0), self.rows, table)
        never_folds = progressive(table, chances(table, dealt, form.cycle))
        return counted(
            table.wager,
            table.name,
            rows,
            form.cycle,
            progressive=progressive(table, chances(table, counts, form.cycle)),
            envy_per_other_player=envy(table, dealt, form.cycle),
            notes=(
                f"The hold is that of a meter at its reset amount of ${table.seed:,}, and of the play that is best for "
                f"the required wagers: in {share:.4f} % of all rounds it folds "
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
            Decimal(str(answers[key])) if answers.get(key) is not None else least_allowed(chapter, key)
            for key in (self.rate, self.reset)
        )
        return replace(table, rate=Fraction(rate or 0) / 100, seed=reset)


OptionalWager = OwnCardsWager | BestHandWager | ForfeitedProgressive


def _check_own(form: Form, rows: Sequence[str]) -> None:
    """Raise `ParameterError` for rows that three cards cannot be, or own cards that are not three of 52."""
    check_rows("optional.rows", rows)
    if (form.own, form.deck) != (OWN, FULL_DECK):
        problem = f"a wager on three own cards of 52, in a game of {form.own} of {form.deck}"
        raise ParameterError("optional", problem)


def folded_classes(form: Form, decisions: Decisions) -> FoldedClasses:
    """Return the folded hands by class, of `Form.cycle`."""
    kinds, folds = own_classes(), folds_by_own_cards(form, decisions)
    of_class = [kinds == place for place in range(len(OWN_CLASSES))]
    return np.array([[ways[those].sum() for those in of_class] for ways in (form.ways(0) - folds, folds)])
