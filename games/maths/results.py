"""Reports of an analysis and a simulation, for every chapter alike, and small numbers as sentences say them.

Here are the records, and everything that is reported of a wager from its counted outcomes (hold, deviation,
denominators, progressive).

Exact figures are `Fraction`; a percentage is made only where it is shown. All nets are per unit of the wager (for
required wagers: per Ante, or per the one required wager), −1 = the wager is lost. Not here: counting (the family
modules), blocks summed and compared to the exact figures (`statistics`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any, Literal

from games.maths.cards import symbols
from games.maths.rake import Rake
from games.rules.model import Answers, Pay, Paytable

Tally = dict[str, dict[str, int]]
"""Key of a wager's analysis → outcome key → number of rounds. Only integers, so that the sum over blocks does not
depend on their order or on the number of workers. The outcome keys are those of the wager's `OutcomeRow`s."""

CONFIDENCE = {90: 1.644854, 95: 1.959964, 99: 2.575829}
"""Per cent → standard errors to either side of the mean that contain so much of a normal distribution."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One way in which a wager ends. For required wagers of several stages: one row per (net, wagered)."""

    outcome: str
    probability: Fraction | None  # None where the wager is known by simulation only
    net: Fraction  # win per unit, −1 = lost
    wagered: Fraction = Fraction(1)  # total put on the table, in units, in this outcome
    count: int | None = None  # number of equally likely deals, of `WagerAnalysis.cycle`
    pays: str = ""  # as printed
    section: str = ""  # the citation of the subsection that settles it; "" = that of the paytable


@dataclass(frozen=True, slots=True)
class Required:
    """A required wager under the stated strategy: the three denominators, each named."""

    loss_per_ante: Fraction
    loss_per_initial: Fraction  # per all wagers that must be made before the deal
    loss_per_total_wagered: Fraction
    average_wagered: Fraction  # in Antes


@dataclass(frozen=True, slots=True)
class Progressive:
    """A progressive as a function of its meter; shares are of one wager."""

    fixed_return: Fraction  # all rows that do not depend on the meter
    meter_coefficient: Fraction  # return per dollar on the meter
    reset: Fraction  # dollars
    rate: Fraction | None  # rate of progression; None = the chapter prints none
    return_at_reset: Fraction
    return_without_rate: Fraction  # of the fixed rows and of the reset amounts: in the long run the rate adds to it
    long_run_return: Fraction | None
    break_even_meter: Fraction | None  # dollars


@dataclass(frozen=True, slots=True)
class Comparison:
    """A figure that the Board printed, compared to ours."""

    figure: str  # as printed: "98.95% payback"
    ours: str  # ours, to more digits than printed: "98.950157 %"
    reproduced: bool
    note: str = ""
    verdict: str = ""  # "reproduced", "differs" or "cannot be compared"


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision under the stated strategy: its share, and when it is taken."""

    decision: str
    when: str
    frequency: Fraction


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """Decisions that a person can check, cell by cell: which hands raise, by how much."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # each as long as the header


@dataclass(frozen=True, slots=True)
class SimplifiedPlay:
    """A required wager under a simplified strategy: of a player who does not know the assumed one."""

    name: str  # "Always raises"
    when: str  # the whole rule of the simplified strategy, in words
    required: Required
    standard_error: float | None = None  # of the loss per total wagered, for an estimate


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the replay of a round: who does what with which cards, and the subsection that says so."""

    who: str  # "Player", "Dealer", "Community cards"
    what: str  # "is dealt five cards", "raises two Antes"
    section: str  # its citation
    cards: tuple[int, ...] = ()
    belong_to: str = ""  # whose the cards are, where not of `who`: "Community cards"


@dataclass(frozen=True, slots=True)
class PartWon:
    """The net of one wager in the largest round."""

    wager: str
    stake: Fraction  # dollars per unit
    units: Fraction  # net won, in units
    pays: str  # as printed, or in words: "500 to 1", "Ante 1 to 1, Raise 100 to 1"

    @property
    def amount(self) -> Fraction:
        return self.stake * self.units


@dataclass(frozen=True, slots=True)
class LargestRound:
    """The most that one patron can win in a round, and the deal that attains it: for a payout limit's bound."""

    deal: tuple[Step, ...]
    parts: tuple[PartWon, ...]

    @property
    def amount(self) -> Fraction:
        """Dollars."""
        return sum((part.amount for part in self.parts), Fraction(0))

    def __str__(self) -> str:
        """Return the cards of the deal, each once and beside those they belong to, and what each wager wins by it."""
        dealt: dict[str, dict[int, None]] = {}
        for step in self.deal:
            dealt.setdefault(step.belong_to or step.who, {}).update(dict.fromkeys(step.cards))
        hands = "; ".join(f"{who} {symbols(tuple(cards))}" for who, cards in dealt.items() if cards)
        won = "; ".join(f"${float(part.amount):,.2f} by {part.pays}" for part in self.parts)
        return f"{hands}: {won}"


@dataclass(frozen=True, slots=True)
class WagerAnalysis:
    """Everything known of one wager under one paytable."""

    wager: str
    paytable: str  # "" where the chapter prints one table or odds in words
    method: Literal["exact", "estimate"]
    outcomes: tuple[OutcomeRow, ...]
    hold: Fraction  # per unit wagered; required: per total wagered; progressive: at the reset amount
    hit_frequency: Fraction
    standard_deviation: float  # of the net per unit, sqrt of the exact variance
    largest_win: Fraction  # units, net
    cycle: int | None = None
    standard_error: float | None = None  # of `hold`, for an estimate
    required: Required | None = None
    progressive: Progressive | None = None
    envy_per_other_player: Fraction | None = None  # expected dollars per round and other player
    strategy: tuple[Choice, ...] = ()
    strategy_tables: tuple[StrategyTable, ...] = ()
    simplified_plays: tuple[SimplifiedPlay, ...] = ()
    published: tuple[Comparison, ...] = ()
    notes: tuple[str, ...] = ()
    spot: str = ""  # where one wager may be placed on several, each with a hold of its own: "Two", "Six-of-a-kind"
    spread_error: float | None = None  # of deviation and chances, where only the mean is exact beyond the digits shown
    rounded: bool = False  # exact beyond the digits shown, but by floating point: there is no exact fraction

    @property
    def key(self) -> str:
        """Name of the wager in tallies: its key, with its spot."""
        return f"{self.wager}/{self.spot}" if self.spot else self.wager

    @property
    def largest_share(self) -> Fraction | None:
        """The largest prize's share of all that the wager returns; None where no chances are known."""
        returned = [(row.probability * (row.net + row.wagered), row.net) for row in self.outcomes if row.probability]
        total = sum((share for share, _ in returned), Fraction(0))
        return (
            sum((share for share, net in returned if net == self.largest_win), Fraction(0)) / total if total else None
        )

    def volatility(self, confidence: int) -> float:
        """Return the volatility index: a round's result lies within this many units of the hold, at 90, 95 or 99 %.

        After n rounds the mean result lies within index ÷ √n of the expected one.
        """
        return CONFIDENCE[confidence] * self.standard_deviation


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every wager of a chapter or of one configuration, as `python -m games analyze` prints it."""

    chapter: str
    rules_digest: str
    engine: str
    wagers: tuple[WagerAnalysis, ...]
    rake: Rake | None = None  # of a game without a house wager, once its schedule is answered

    def of(self, wager: str, paytable: str = "") -> WagerAnalysis:
        return next(row for row in self.wagers if row.wager == wager and (not paytable or row.paytable == paytable))


@dataclass(frozen=True, slots=True)
class WagerSimulation:
    """One wager's simulated figures beside the exact ones. Hold per the same denominator as the analysis."""

    wager: str
    paytable: str
    rounds: int
    hold: float
    standard_error: float
    low: float  # 95 % interval of the hold
    high: float
    exact_hold: float | None
    z: float | None
    chi_square: float | None
    degrees: int | None
    p_value: float | None
    passed: bool
    observed: Mapping[str, int] = field(default_factory=dict)
    spot: str = ""
    least_p: float = 1.0  # the smallest p-value of its comparisons, adjusted for all comparisons of the run
    disagrees: tuple[str, ...] = ()  # outcomes, "won" or "wagered": what is too far from the expected number
    pays_differ: tuple[str, ...] = ()  # outcomes that the two sides do not settle alike, or that only one has
    settled: bool = False  # the second side settled it from the printed cells; else the exact side says what is paid
    finds: float | None = None  # an error of the hold, as a share, that nine of ten such runs find
    rounds_for_a_hundredth: float | None = None  # that such an error of a hundredth of the hold would take

    @property
    def key(self) -> str:
        """Name of the wager in tallies, as that of its analysis."""
        return f"{self.wager}/{self.spot}" if self.spot else self.wager


@dataclass(frozen=True, slots=True)
class FirstStage:
    """The first stage of a run that was suspected by it, and so was dealt again."""

    seed: int
    rounds: int
    suspected: tuple[str, ...]  # "wager: what does not agree"


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """A whole run: what was dealt, from which streams, and what came of it.

    With a `first` stage that raised a suspicion, all figures are those of the second, which is judged by itself.
    """

    chapter: str
    rules_digest: str
    engine: str
    generator: str
    seed: int
    rounds: int
    wagers: tuple[WagerSimulation, ...]
    passed: bool
    convergence: Mapping[str, tuple[tuple[int, float, float], ...]] = field(default_factory=dict)
    """Key of a wager's analysis → (rounds so far, hold, standard error) at growing numbers of rounds, for the plot."""
    first: FirstStage | None = None


LOST_NET = Fraction(-1)


def net_of(pay: Pay, table: Paytable, meter: Decimal | None = None) -> Fraction:
    """Return the net of one unit of the wager by this cell, a share of the meter as of `meter` dollars (or its reset).

    An amount of money or a share of the meter includes the wager, unless the table returns it also.
    """
    if pay.push:
        return Fraction(0)
    if pay.odds is not None and pay.amount is None and pay.meter is None:
        return pay.odds if pay.per == "to" else pay.odds - 1
    dollars = Fraction(pay.amount or 0) + (pay.meter or 0) * Fraction(meter if meter is not None else table.seed or 0)
    return dollars / Fraction(table.wager_amount or 1) - (0 if table.wager_returned else 1)


def row(
    outcome: str,
    count: int,
    cycle: int,
    net: Fraction | int,
    wagered: Fraction | int = 1,
    pays: str = "",
    section: str = "",
) -> OutcomeRow:
    """Return an outcome that `count` of `cycle` equally likely deals end in, settled by the subsection."""
    return OutcomeRow(outcome, Fraction(count, cycle), Fraction(net), Fraction(wagered), count, pays, section)


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which required wagers end, in Antes."""

    outcome: str
    net: Fraction
    wagered: Fraction
    pays: str
    section: str

    def row(self, count: int, cycle: int) -> OutcomeRow:
        """Return the outcome, in which `count` of `cycle` equally likely deals end."""
        return row(self.outcome, count, cycle, self.net, self.wagered, self.pays, self.section)


def counted(wager: str, paytable: str, rows: Sequence[OutcomeRow], cycle: int, **known: Any) -> WagerAnalysis:
    """Return the exact analysis of a wager whose outcomes are counted; `ValueError` unless they add up to the cycle."""
    total = sum(row.count or 0 for row in rows)
    if total != cycle:
        raise ValueError(f"the outcomes of {wager} {paytable} count {total}, the cycle is {cycle}")
    return analysis_of(wager, paytable, rows, method="exact", cycle=cycle, **known)


def analysis_of(wager: str, paytable: str, rows: Sequence[OutcomeRow], **known: Any) -> WagerAnalysis:
    """Return the analysis of a wager from its outcomes; `known`: the method, and further fields."""
    mean = _mean(rows, lambda row: row.net)
    return WagerAnalysis(
        wager=wager,
        paytable=paytable,
        outcomes=tuple(rows),
        hold=-mean / _mean(rows, lambda row: row.wagered),
        hit_frequency=sum((row.probability or Fraction(0) for row in rows if row.net > 0), Fraction(0)),
        standard_deviation=sqrt(_mean(rows, lambda row: row.net**2) - mean**2),
        largest_win=max(row.net for row in rows if row.probability),
        **known,
    )


def required(rows: Sequence[OutcomeRow], initial: int) -> Required:
    """Return the three denominators; `initial` = units that must be wagered before the deal."""
    loss = -_mean(rows, lambda row: row.net)
    wagered = _mean(rows, lambda row: row.wagered)
    return Required(loss, loss / initial, loss / wagered, wagered)


def progressive(table: Paytable, chances: Iterable[tuple[Pay, Fraction]]) -> Progressive:
    """Return a progressive as a function of its meter, from the chance of each cell of its paytable."""
    fixed = coefficient = top = Fraction(0)
    for pay, chance in chances:
        fixed += chance * (net_of(pay, table, Decimal(0)) + 1)
        coefficient += chance * (pay.meter or 0) / Fraction(table.wager_amount or 1)
        top += chance if pay.meter == 1 else 0
    reset = Fraction(table.seed or 0)
    without_rate = fixed + reset * top / Fraction(table.wager_amount or 1)
    long_run = None if table.rate is None else without_rate + table.rate
    return Progressive(
        fixed_return=fixed,
        meter_coefficient=coefficient,
        reset=reset,
        rate=table.rate,
        return_at_reset=fixed + coefficient * reset,
        return_without_rate=without_rate,
        long_run_return=long_run,
        break_even_meter=(1 - fixed) / coefficient if coefficient else None,
    )


def _mean(rows: Iterable[OutcomeRow], value: Any) -> Fraction:
    return sum(((row.probability or Fraction(0)) * value(row) for row in rows), Fraction(0))


LOST_OUTCOME = "Lost"


def paid_counts(
    table: Paytable, rows: Iterable[str], counts: Iterable[int], total: int, instead: Mapping[str, str]
) -> dict[str, int]:
    """Return outcome → count, of `total`, from the row that each hand takes ("" = none) and the number of such hands.

    `instead`: a row that not every paytable has → the row that then pays.
    """
    paid = {line.outcome: 0 for line in table.rows}
    for name, count in zip(rows, counts, strict=True):
        outcome = name if name in paid else instead.get(name, "")
        if outcome in paid:
            paid[outcome] += int(count)
    return with_lost(paid, total)


def paid_rows(
    table: Paytable, counts: Mapping[str, int], cycle: int, lost: str, lost_outcome: str = LOST_OUTCOME
) -> list[OutcomeRow]:
    """Return a row per line of the table, in its order, and the lost rest; `lost`: the subsection that collects it."""
    rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(lost_outcome, counts[lost_outcome], cycle, LOST_NET, section=lost)]


def counted_by_table(
    table: Paytable,
    counts: Mapping[str, int],
    cycle: int,
    lost: str = "",
    *,
    lost_outcome: str = LOST_OUTCOME,
    **known: Any,
) -> WagerAnalysis:
    """Return the exact analysis of a wager that its paytable alone pays, from the count of each outcome.

    A table with a reset amount is a progressive: outcomes and hold are those of a meter at that amount. An Envy Bonus
    is separate, in dollars. `lost`: the subsection that collects the wager; `known`: further fields.
    """
    rows, per_player = paid_rows(table, counts, cycle, lost, lost_outcome), envy(table, counts, cycle)
    meter = None if table.seed is None else progressive(table, chances(table, counts, cycle))
    return counted(table.wager, table.name, rows, cycle, progressive=meter, envy_per_other_player=per_player, **known)


def report_plays(plays: Iterable[tuple[str, str, Sequence[OutcomeRow]]], initial: int) -> tuple[SimplifiedPlay, ...]:
    """Return the simplified strategies, each given by its name, its rule in words and the outcomes under it."""
    return tuple(SimplifiedPlay(name, when, required(rows, initial)) for name, when, rows in plays)


def with_lost(paid: Mapping[str, int], total: int) -> dict[str, int]:
    """Return the counts with those lost that no row pays."""
    return {**paid, LOST_OUTCOME: total - sum(paid.values())}


def chances(table: Paytable, counts: Mapping[str, int], cycle: int) -> list[tuple[Pay, Fraction]]:
    """Return the first cell of each line of the table with its chance, for `progressive`."""
    return [(line.pays[0], Fraction(counts[line.outcome], cycle)) for line in table.rows]


def envy(table: Paytable, counts: Mapping[str, int], cycle: int) -> Fraction | None:
    """Return the dollars expected per round from one other player's hand; None where the table pays no Envy Bonus."""
    if not any(line.envy for line in table.rows):
        return None
    return sum((Fraction(line.envy or 0) * counts[line.outcome] for line in table.rows), Fraction(0)) / cycle


def on_terms(table: Paytable, answers: Answers, reset: Decimal | None) -> Paytable:
    """Return the table with the answered reset amount, else this one, and the answered rate of progression."""
    answered_reset, rate = answers.get("progressive_reset"), answers.get("progressive_rate")
    return replace(
        table,
        seed=reset if answered_reset is None else Decimal(str(answered_reset)),
        rate=None if rate is None else Fraction(str(rate)) / 100,
    )


def parts_won(tables: Sequence[Paytable], outcomes: Sequence[str], stakes: Mapping[str, Fraction]) -> Iterator[PartWon]:
    """Yield the part that each wager wins by the outcome of its paytable; an outcome without a row is lost."""
    for table, outcome in zip(tables, outcomes, strict=True):
        pay = next((line.pays[0] for line in table.rows if line.outcome == outcome), None)
        net, printed = (net_of(pay, table), pay.printed) if pay else (LOST_NET, LOST_OUTCOME.lower())
        yield PartWon(table.wager, stakes[table.wager], net, printed)


NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MOST_IN_WORDS = len(NUMBER_WORDS) - 1


def number_of(number: int, noun: str) -> str:
    """Return so many of a thing, up to `MOST_IN_WORDS` in words: "one card", "three cards"."""
    return f"{NUMBER_WORDS[number] if number <= MOST_IN_WORDS else number} {noun}{'' if number == 1 else 's'}"


def antes(number: int) -> str:
    """Return a number of Antes: "one Ante", "three Antes"."""
    return number_of(number, "Ante")


def times(number: int) -> str:
    """Return a multiple in words, with a space behind it: "twice ", "three times "; nothing for one."""
    return {1: "", 2: "twice "}.get(number, f"{NUMBER_WORDS[number]} times ")
