"""What an analysis and a simulation report, for every chapter alike.

Here live the records. Not here: how they are computed (the family modules), how blocks are summed and
held against the exact figures (`statistics`).

Exact figures are `Fraction`; a percentage is made only where it is shown. All nets are per unit of the
wager (for required wagers: per Ante, or per the one required wager), −1 = the wager is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

Tally = dict[str, dict[str, int]]
"""Wager key → outcome key → number of rounds. Only integers, so that the sum over blocks does not depend on
their order or on the number of workers. The outcome keys are those of the wager's `OutcomeRow`s."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One way in which a wager ends. For required wagers of several stages: one row per (net, wagered)."""

    outcome: str
    probability: Fraction | None  # None where the wager is known by simulation only
    net: Fraction  # win per unit, −1 = lost
    wagered: Fraction = Fraction(1)  # total put on the table, in units, in this outcome
    count: int | None = None  # number of equally likely deals, of `WagerAnalysis.cycle`
    pays: str = ""  # as printed


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
    long_run_return: Fraction | None
    break_even_meter: Fraction | None  # dollars


@dataclass(frozen=True, slots=True)
class Comparison:
    """A figure that the Board printed, held against ours."""

    figure: str  # as printed: "98.95% payback"
    ours: str  # ours, to more digits than printed: "98.950157 %"
    reproduced: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """How often a decision is taken under the stated strategy, and when."""

    decision: str
    when: str
    frequency: Fraction


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
    published: tuple[Comparison, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """`python -m games analyze`: every wager of a chapter or of one configuration."""

    chapter: str
    rules_digest: str
    engine: str
    wagers: tuple[WagerAnalysis, ...]

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
    """Wager → (rounds so far, hold, standard error) at growing numbers of rounds, for the plot."""
