"""The wagers before the deal with all raises as one wager: outcome rows, decisions, plain plays; its unit is one Ante.

Not here: the counts (`best_play`), the sentences (`words`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np

from games.maths.parameters import ParameterError
from games.maths.results import OutcomeRow, SimplifiedPlay, WagerAnalysis
from games.maths.staged_raises.turns.best_play import (
    PASS,
    BestPlay,
    Decisions,
    EndCounts,
    FoldCounts,
    Odds,
    best_play,
    count_ends,
)
from games.maths.staged_raises.turns.form import Form
from games.maths.staged_raises.turns.sentences import read_sentences
from games.maths.staged_raises.turns.words import (
    antes,
    cards_seen,
    choices,
    equal_note,
    never_better_note,
)
from games.maths.wagers import LOST_NET, counted, net_of, required, row
from games.rules.model import Chapter, Paytable

EVEN_MONEY = ""
"""Instead of a paytable's wager: the wager wins 1 to 1 with every winning hand."""


@dataclass(frozen=True, slots=True)
class RequiredSections:
    """Which subsection says what; `decided` (a fold too) and `turned` by stage."""

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
        """`ParameterError` where a stage has no section of its own, or nothing is wagered before the deal."""
        for key, sections in (("decided", self.sections.decided), ("turned", self.sections.turned)):
            if len(sections) != len(self.form.stages):
                problem = f"{len(sections)} of them for {len(self.form.stages)} stages"
                raise ParameterError(f"sections.{key}", problem)
        if not self.before_deal:
            raise ParameterError("before_deal", "nothing is wagered before the deal")

    def best(self, chapter: Chapter, paytable: str = "") -> BestPlay:
        """The best play; `paytable`: that of the Ante, "" if it has none of its own."""
        return best_play(self.form, self.pays(chapter, paytable).odds)

    def pays(self, chapter: Chapter, paytable: str = "") -> "Pays":
        """What the chapter's paytables say; `ParameterError` where one has not a row for every hand."""

        def table_of(wager: str) -> Paytable:
            return chapter.paytable(wager, paytable) if wager == "ante" else chapter.tables_of(wager)[0]

        tables = [table_of(wager) if wager else None for wager in self.before_deal.values()]
        pays = Pays(tuple(tables), table_of(self.raised_by))
        for table in (*tables, pays.raised):
            if table and len(table.rows) != len(self.form.hands.winning):
                problem = f"{table.citation} {table.name} has {len(table.rows)} rows"
                raise ParameterError("hands", f"{problem}; the hands that win or push are {self.form.hands.winning}")
        return pays

    def outcome_counts(self, ended: EndCounts, folded: FoldCounts, table: Paytable) -> dict[str, int]:
        """Outcome → count."""
        counts = {}
        for total in self.form.totals:
            for result, line in zip(range(len(table.rows), 0, -1), table.rows, strict=True):
                counts[self._ended(total, line.outcome)] = int(ended[total, result])
            counts[self._ended(total, "lost")] = int(ended[total, 0])
        return counts | {self._folded(*end): int(folded[end]) for end in self._folds()}

    def rows(self, ended: EndCounts, folded: FoldCounts, pays: "Pays") -> list[OutcomeRow]:
        """One row per (net, wagered) that occurs."""
        counts = self.outcome_counts(ended, folded, pays.raised)
        cycle = sum(counts.values())
        ends = zip(counts.items(), self._settled(pays), strict=True)
        return [row(outcome, count, cycle, *end) for (outcome, count), end in ends if count]

    def _settled(self, pays: "Pays") -> Iterator[tuple[Fraction, int, str, str]]:
        """Net, Antes wagered, what is paid and by which subsection, in the order of `outcome_counts`."""
        initial, lost = len(self.before_deal), Fraction(LOST_NET)
        for total in self.form.totals:
            for place in range(len(pays.raised.rows)):
                net = sum(pays.initial_nets(place), Fraction(0)) + total * pays.raised_net(place)
                yield net, initial + total, self._pays(pays, place), self.sections.won
            yield (initial + total) * lost, initial + total, "", self.sections.lost
        for stage, before in self._folds():
            yield (initial + before) * lost, initial + before, "", self.sections.decided[stage]

    def _pays(self, pays: "Pays", place: int) -> str:
        named = [f"{name} {pay}" for name, pay in zip(self.before_deal, pays.printed(place), strict=True)]
        return ", ".join((*named, f"{self.raised.removesuffix(' Wager')} {pays.raised.rows[place].pays[0].printed}"))

    def _ended(self, total: int, hand: str) -> str:
        return f"{self.raised} {total}×: {hand}"

    def _folds(self) -> list[tuple[int, int]]:
        """(stage, Antes raised before) of every fold."""
        stages = enumerate(self.form.stages)
        return [(at, before) for at, stage in stages if not stage.may_check for before in self.form.raised_before(at)]

    def _folded(self, stage: int, before: int) -> str:
        if len(self._folds()) == 1:
            return "Folded"
        seen = f"Folded on {cards_seen(self.form, stage)}"
        return f"{seen}, {antes(before)} raised" if len(self.form.raised_before(stage)) > 1 else seen

    def analysis(self, chapter: Chapter, paytable: str = "") -> WagerAnalysis:
        """The required wagers under the best play."""
        return _analysis(self, self.pays(chapter, paytable), paytable)

    def simplified_plays(self, best: BestPlay, pays: "Pays") -> Iterator[SimplifiedPlay]:
        """What it costs not to know the strategy."""
        for name, when, decisions in _plain(self.form, self.raised, best.decisions):
            ends = count_ends(self.form, decisions)
            rows = self.rows(ends.ended, ends.folded, pays)
            yield SimplifiedPlay(name, when, required(rows, len(self.before_deal)))


@dataclass(frozen=True, slots=True)
class Pays:
    """The paytables of the wagers before the deal, None for even money, and of the raises."""

    initial: tuple[Paytable | None, ...]
    raised: Paytable

    def initial_nets(self, place: int) -> Sequence[Fraction]:
        """By wager, with the hand of the paytables' row at the place."""
        return [net_of(table.rows[place].pays[0], table) if table else Fraction(1) for table in self.initial]

    def printed(self, place: int) -> Sequence[str]:
        """What the wagers before the deal are paid with it, as printed."""
        return [table.rows[place].pays[0].printed if table else "1 to 1" for table in self.initial]

    def raised_net(self, place: int) -> Fraction:
        return net_of(self.raised.rows[place].pays[0], self.raised)

    def by_wager(self) -> Mapping[str, Sequence[Fraction]]:
        """Wager of each paytable → its nets, the highest row first."""
        tables = [table for table in (*self.initial, self.raised) if table]
        return {table.wager: [net_of(line.pays[0], table) for line in table.rows] for table in tables}

    @property
    def odds(self) -> Odds:
        """In whole units, lowest result first."""
        places = range(len(self.raised.rows) - 1, -1, -1)
        initial = [Fraction(-len(self.initial)), *(sum(self.initial_nets(place), Fraction(0)) for place in places)]
        raised = [LOST_NET, *(self.raised_net(place) for place in places)]
        unit = lcm(*(net.denominator for net in (*initial, *raised)))
        return Odds(tuple(int(unit * net) for net in initial), tuple(int(unit * net) for net in raised))


@cache
def _analysis(wagers: RequiredWagers, pays: Pays, paytable: str) -> WagerAnalysis:
    best, form = best_play(wagers.form, pays.odds), wagers.form
    rows = wagers.rows(best.ends.ended, best.ends.folded, pays)
    notes = (never_better_note(form, best.ends, wagers.raised), equal_note(form, best.equal, wagers.raised))
    strategy, tables = choices(form, best, wagers.raised, read_sentences(wagers.play_file, pays.by_wager()))
    return counted(
        "ante",
        paytable,
        rows,
        form.cycle,
        required=required(rows, len(wagers.before_deal)),
        strategy=strategy,
        strategy_tables=tables,
        simplified_plays=tuple(wagers.simplified_plays(best, pays)),
        notes=tuple(filter(None, notes)),
    )


def _plain(form: Form, raised: str, best: Decisions) -> Iterator[tuple[str, str, Decisions]]:
    """Name, rule and decisions of plain plays."""
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
