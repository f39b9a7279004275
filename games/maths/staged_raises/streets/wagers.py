"""The wagers of a street game: the Ante with its three raises, the optional wagers, the terms of a progressive.

Each raise is of one Ante or three: one of two is never better than both (`cross.best_play` says why). Sections are
whole citations. The words are those that a chapter gives, else computed. Not here: the counts (`turns.best_play`,
`bonuses`, `rounds`), how a computed sentence comes about (`turns.words`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

import numpy as np

from games.maths.cards import ACE, RANKS
from games.maths.hands import THREE_CARD_CLASSES, set_place
from games.maths.results import (
    Choice,
    OutcomeRow,
    SimplifiedPlay,
    StrategyTable,
    WagerAnalysis,
    counted,
    counted_by_table,
    report_plays,
    required,
    row,
    with_lost,
)
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.bonuses import CLASS_OF
from games.maths.staged_raises.paid_hands import LADDER, LOSING, RESULTS, pays_of
from games.maths.staged_raises.turns.best_play import (
    PASS,
    BestPlay,
    Decisions,
    Ends,
    Odds,
    best_play,
    count_ends,
    orders_met,
)
from games.maths.staged_raises.turns.form import Form, Stage
from games.maths.staged_raises.turns.words import all_sets, computed_sentences, features, raise_or_fold, two_card_table
from games.rules.errors import ParameterError
from games.rules.files import read_strategy
from games.rules.model import Answers, Pay, Paytable, Row

Stages = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Dealing:
    """One way of dealing: the player's cards, the community cards face down, the extra cards and when they come."""

    own: str
    community: str
    extra: str = ""
    extra_first: bool = True  # else after the player's cards


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter by their content; `raised`, a fold too, and `turned` by stage."""

    won: str  # a push too
    lost: str
    raised: Stages
    turned: Stages
    dealt: Mapping[str, Dealing]  # by the line that asks whether cards are so dealt


STAGE_NAMES = ("with two cards", "after the first community card", "after the second community card")
STAGES, ONCE, THRICE = range(3), 1, 3
DECISIONS = {THRICE: "Raises three Antes", ONCE: "Raises one Ante", PASS: "Folds"}
FORM = Form(own=2, stages=(Stage((ONCE, THRICE)),) * len(STAGES), hands=LADDER, raises_once=False)
"""A street game as one of turned cards."""
FOLDS = [(stage, before) for stage in STAGES for before in FORM.raised_before(stage)]


@dataclass(frozen=True, slots=True)
class Words:
    """Lines of (decision, the hands) for each stage: the first line that fits decides, the last fits all.

    `equal`: the hands that another decision would serve as well; `preface`: the terms needed to read the lines. Both
    may be empty.
    """

    lines: tuple[tuple[tuple[int, str], ...], ...]
    equal: str = ""
    preface: str = ""


def words_of(play_file: str, table: Paytable, decisions: Decisions) -> Words:
    """Return the chapter's own words on the paytable if `strategy.toml` has some for these odds, else computed ones."""
    nets = tuple(reversed(pays_of(table)[1:]))
    data = read_strategy(play_file, {table.name: nets})
    return _given(data, table.name) if data else _computed(decisions)


def _given(data: Mapping[str, Any], paytable: str) -> Words:
    def applies(line: Mapping[str, Any]) -> bool:
        return paytable in line.get("paytables", (paytable,))

    lines = [
        tuple((line["antes"], line["hands"]) for line in data["line"] if line["stage"] == stage and applies(line))
        for stage in range(1, len(STAGES) + 1)
    ]
    equal = next((line["hands"] for line in data["equal"] if applies(line)), "")
    return Words(tuple(lines), equal, data["preface"])


def _computed(decisions: Decisions) -> Words:
    sentences = computed_sentences(FORM, decisions).hands
    return Words(tuple(tuple((taken, sentences[stage, taken]) for taken in DECISIONS) for stage in STAGES))


INITIAL = 1  # only the Ante is wagered before the deal
SIX = RANKS.index("6")


def best(table: Paytable) -> BestPlay:
    """Return the best play by the Ante's paytable, which pays the raises too."""
    pays = pays_of(table)
    unit = lcm(*(pay.denominator for pay in pays))
    whole = tuple(int(pay * unit) for pay in pays)
    return best_play(FORM, Odds(whole, whole))


def ante(table: Paytable, play_file: str, sections: Sections) -> WagerAnalysis:
    """Return the required wagers under the best play for this paytable; `play_file`: of the chapter with the words."""
    play = best(table)
    words = words_of(play_file, table, play.decisions)
    rows = [line for line in _rows(play.ends, table, sections) if line.count]
    return counted(
        "ante",
        table.name,
        rows,
        FORM.cycle,
        required=required(rows, INITIAL),
        strategy=_choices(play.ends, words),
        strategy_tables=_tables(play.decisions, words),
        simplified_plays=_simplified_plays(table, sections),
        notes=_notes(play, words),
    )


def _rows(ends: Ends, table: Paytable, sections: Sections) -> Iterator[OutcomeRow]:
    pays = pays_of(table)
    printed = ("", *(line.pays[0].printed for line in reversed(table.rows)))
    for result in reversed(range(len(RESULTS))):
        section = sections.lost if result == LOSING else sections.won
        for raised in FORM.totals:
            units, count = INITIAL + raised, int(ends.ended[raised, result])
            name = _ended(table, raised, result)
            yield row(name, count, FORM.cycle, pays[result] * units, units, printed[result], section)
    for stage, before in FOLDS:
        units, count = INITIAL + before, int(ends.folded[stage, before])
        yield row(_folded(stage, before), count, FORM.cycle, -units, units, section=sections.raised[stage])


def _ended(table: Paytable, raised: int, result: int) -> str:
    name = RESULTS[LOSING] if result == LOSING else table.rows[-result].outcome
    return f"{name}, {INITIAL + raised} Antes wagered"


def _folded(stage: int, before: int) -> str:
    return f"Folded {STAGE_NAMES[stage]}" + (f", {INITIAL + before} Antes wagered" if stage else "")


def _choices(ends: Ends, words: Words) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"{name} {STAGE_NAMES[stage]}",
            "; ".join(hands for line, hands in words.lines[stage] if line == decision),
            Fraction(ends.chosen[stage][decision], FORM.cycle),
        )
        for stage in STAGES
        for decision, name in DECISIONS.items()
    )


def _notes(play: BestPlay, words: Words) -> tuple[str, ...]:
    share = 100 * sum(equal_deals(play)) / FORM.cycle
    larger = f"Equal decisions resolve to the larger wager, in {share:.4f} % of all rounds"
    never = "A raise of two Antes is never better than both one and three."
    first = f"{words.preface} {never}" if words.preface else never
    return (first, f"{larger}: {words.equal}." if words.equal else f"{larger}.")


def equal_deals(play: BestPlay) -> list[int]:
    """Return the deals, by stage, in which another decision is of equal worth."""
    deals = [0] * len(STAGES)
    live = orders_met(FORM, play.decisions).live
    for (stage, before), column in FORM.columns().items():
        deals[stage] += FORM.ways(stage) * int(live[stage][before] @ play.tied[stage][:, column])
    return deals


def _tables(decisions: Decisions, words: Words) -> tuple[StrategyTable, ...]:
    """Return the two cards as a square; the later decisions as lines, of which the first that fits decides."""

    def cell(row: int, column: int) -> str:
        own = (4 * row, 4 * column + (0 if row > column else 1))
        return raise_or_fold(int(decisions[0][set_place(own), 0]))

    grid = two_card_table("Two cards: of one suit above the diagonal, of two below", cell)
    lines = (
        StrategyTable(
            f"{STAGE_NAMES[stage].capitalize()}: the first line that fits. {words.preface}".rstrip(),
            ("Cards seen", "Decision"),
            tuple((hands, DECISIONS[decision]) for decision, hands in words.lines[stage]),
        )
        for stage in STAGES[1:]
    )
    return (grid, *lines)


# ---- simplified strategies


@cache
def _simplified_ends() -> tuple[tuple[str, str, Ends], ...]:
    once, thrice, on_a_pair = (
        tuple(np.full((FORM.sets(stage), len(FORM.raised_before(stage))), raised, np.int8) for stage in STAGES)
        for raised in (ONCE, THRICE, ONCE)
    )
    for stage, table in enumerate(on_a_pair):
        table[features(all_sets(FORM.own + stage, FORM.deck))["pair"] >= SIX] = THRICE
    return (
        ("Always raises one Ante", "Never folds; every raise is of one Ante.", count_ends(FORM, once)),
        ("Always raises three Antes", "Never folds; every raise is of three Antes.", count_ends(FORM, thrice)),
        (
            "Raises three Antes on a pair",
            "Never folds; raises three Antes once the player holds a pair of 6s or better, else one.",
            count_ends(FORM, on_a_pair),
        ),
    )


def _simplified_plays(table: Paytable, sections: Sections) -> tuple[SimplifiedPlay, ...]:
    plays = ((name, rule, list(_rows(ends, table, sections))) for name, rule, ends in _simplified_ends())
    return report_plays(plays, INITIAL)


@dataclass(frozen=True, slots=True)
class Meters:
    """The lines that ask for the terms. The meter is that of the first row; other jackpots count as their resets."""

    rate: str  # the line that says the rate of progression, in percent
    resets: Mapping[str, str]  # jackpot, "" where there is one → the line that says its reset amount, in dollars
    note: str

    def at_reset(self, table: Paytable, answers: Answers) -> Paytable:
        """Return the table with the rate and the reset amounts answered."""
        rate = answers.get(self.rate)
        return replace(
            table,
            rows=tuple(replace(line, pays=(self._pay(line, table.rows[0], answers),)) for line in table.rows),
            seed=self._reset(table.rows[0].pays[0].jackpot, answers),
            rate=None if rate is None else Fraction(str(rate)) / 100,
        )

    def notes(self, table: Paytable, answers: Answers) -> tuple[str, ...]:
        """Return the notes on what the figures leave out, by the answers and the table's jackpots."""
        jackpots = list(dict.fromkeys(line.pays[0].jackpot for line in table.rows if line.pays[0].meter is not None))
        notes = [self.note]
        if any(answers.get(self.resets[jackpot]) is None for jackpot in jackpots):
            notes.append("No reset amount is answered: each meter without one counts as empty.")
        if len(jackpots) > 1:
            other_jackpots = ", ".join(jackpots[1:])
            notes.append(f"The meter is that of the {jackpots[0]}. Taken at the reset amount: {other_jackpots}.")
        return tuple(notes)

    def _pay(self, line: Row, first: Row, answers: Answers) -> Pay:
        pay = line.pays[0]
        if pay.meter is None or pay.jackpot == first.pays[0].jackpot:
            return pay
        share = Decimal(pay.meter.numerator) / pay.meter.denominator
        return replace(pay, meter=None, amount=share * self._reset(pay.jackpot, answers))

    def _reset(self, jackpot: str, answers: Answers) -> Decimal:
        """Return the reset amount in dollars; an amount that is not answered counts as nothing."""
        return Decimal(str(answers.get(self.resets[jackpot]) or 0))


@dataclass(frozen=True, slots=True)
class CardCounts:
    """Cards that a wager is paid for: how many of all sets, of `cycle`, are of each class."""

    by_class: Callable[[], Mapping[Any, int]]
    classes: Sequence[Any]  # keys of `by_class`, in the order in which paytables print them
    cycle: int

    def exact(self) -> list[int]:
        """Return the counts in the order of the classes."""
        counts = self.by_class()
        return [counts[name] for name in self.classes]


OWN_CARDS = CardCounts(bonuses.pockets, range(bonuses.NO_POCKET), bonuses.POCKETS)
COMMUNITY_CARDS = CardCounts(bonuses.boards, THREE_CARD_CLASSES[:0:-1], bonuses.BOARDS)
NO_PAIR = CardCounts(  # nor straight, nor flush: by the highest rank, from the lowest possible
    bonuses.lows, range(bonuses.SEVEN, ACE + 1), bonuses.FIVES
)
FIVE_CARDS = CardCounts(bonuses.fives, tuple(CLASS_OF.values()), bonuses.FIVES)
BEST_OF_SIX = CardCounts(bonuses.sixes, bonuses.SIX_CLASSES[::-1], bonuses.SIXES)


@dataclass(frozen=True, slots=True)
class BonusWager:
    """An optional wager: what is counted for it, and the row of its paytables that pays each class."""

    counts: CardCounts
    rows: tuple[str, ...]  # in the order of the classes; all others lose
    instead: Mapping[str, str] = field(default_factory=dict)  # a row that not every paytable has → the row that pays
    extra_cards: str = ""  # what the dealer does with cards dealt for this wager alone
    meters: Meters | None = None  # of a progressive

    def __post_init__(self) -> None:
        """Raise `ParameterError` for more rows than the cards have classes, or a row instead of which none is paid."""
        if len(self.rows) > len(self.counts.classes):
            problem = f"{len(self.rows)} rows; these cards have {len(self.counts.classes)} classes that can be paid"
            raise ParameterError("bonuses.rows", problem)
        if unknown := sorted({*self.instead, *self.instead.values()} - {*self.rows}):
            raise ParameterError("bonuses.instead", f"{unknown[0]!r} is not one of the rows {', '.join(self.rows)}")

    def paid(self, table: Paytable) -> dict[str, int]:
        """Return outcome → sets of cards in printed order; `KeyError` for a row that one side lacks."""
        printed, paid = {line.outcome for line in table.rows}, dict.fromkeys(self.rows, 0)
        for outcome, count in zip(self.rows, self.counts.exact(), strict=False):
            paid[outcome if outcome in printed else self.instead[outcome]] += count
        return {line.outcome: paid[line.outcome] for line in table.rows}


def analyze_bonus(table: Paytable, bonus: BonusWager, answers: Answers) -> WagerAnalysis:
    """Return the exact figures of an optional wager."""
    cycle, meters = bonus.counts.cycle, bonus.meters
    at_reset = meters.at_reset(table, answers) if meters else table
    notes = meters.notes(table, answers) if meters else ()
    return counted_by_table(at_reset, with_lost(bonus.paid(table), cycle), cycle, notes=notes)
