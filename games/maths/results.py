"""What an analysis and a simulation report, for every chapter alike.

Here live the records. Not here: how they are computed (the family modules), how blocks are summed and
compared to the exact figures (`statistics`).

Exact figures are `Fraction`; a percentage is made only where it is shown. All nets are per unit of the
wager (for required wagers: per Ante, or per the one required wager), −1 = the wager is lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from games.maths.cards import symbols
from games.maths.rake import Rake

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
    """How often a decision is taken under the stated strategy, and when."""

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
    """What one wager wins in the largest round."""

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
        """The cards of the deal, each once and beside those they belong to, and what each wager wins by it."""
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
    rounded: bool = False  # exact beyond the digits shown, but by floating point: there is no exact fraction

    @property
    def key(self) -> str:
        """What tallies call it: the wager's key, with its spot."""
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
        """The volatility index: within so many units of the hold a round's result lies, at 90, 95 or 99 %.

        After n rounds the mean result lies within index ÷ √n of the expected one.
        """
        return CONFIDENCE[confidence] * self.standard_deviation


@dataclass(frozen=True, slots=True)
class Analysis:
    """`python -m games analyze`: every wager of a chapter or of one configuration."""

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


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """A whole run: what was dealt, from which streams, and what came of it."""

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
