"""What a trial of a rulemaking finds, as records that are stored as exact JSON (`games.runs.exact_json`).

One `ChangeTrial` for each change, with a `TrialRow` for each table group of each approved version. A hold is a fraction
of the money wagered. Not here: computing it (`trial`), the job (`trial_job`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.runs.exact_json import reader

PER_TOTAL, PER_WAGER = "total wagered", "wager"


@dataclass(frozen=True, slots=True)
class WagerTrial:
    """A wager's theoretical hold before and after; None on the side where it is not offered or cannot be computed."""

    wager: str
    name: str
    paytable: str
    spot: str
    before: Fraction | None
    after: Fraction | None
    estimated: bool
    per: str  # what the hold is a share of

    @property
    def change(self) -> Fraction | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class PaperChange:
    """Layout, payout sign or gaming guide that must be updated, with the reasons. `if_odds_repeated`: a layout that
    prints no odds need not."""

    part: str
    why: tuple[str, ...]
    if_odds_repeated: bool


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One table group of one approved version: what the change means for it."""

    version: int  # primary key
    receipt: str
    submission: str
    licensee: str
    slug: str
    group: str
    tables: str
    holds: tuple[WagerTrial, ...]
    findings: tuple[str, ...]  # that would block
    questions: tuple[str, ...]  # lines that are not answered yet
    papers: tuple[PaperChange, ...]

    @property
    def needs_simulation(self) -> bool:
        """The simulation of the version no longer shows what its wagers pay."""
        return bool(self.holds)

    @property
    def effects(self) -> tuple[str, ...]:
        """The kinds of effect; none if nothing changes for these tables."""
        kinds = [("hold", self.holds), ("findings", self.findings), ("questions", self.questions)]
        return (
            *(kind for kind, rows in kinds if rows),
            *(paper.part for paper in self.papers if not paper.if_odds_repeated),
        )

    @property
    def largest_change(self) -> Fraction:
        """Of the hold of any wager, for sorting."""
        return max((abs(hold.change) for hold in self.holds if hold.change is not None), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """What changes in the chapter, as `games.rules.chapter_diff` says it."""

    kind: str
    citation: str
    subject: str
    part: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangeTrial:
    """One change. `computed`: distinct configurations whose figures were computed; `problem`: why some were not."""

    chapter: str
    title: str
    effective: str  # ISO
    differences: tuple[DifferenceRow, ...]
    rows: tuple[TrialRow, ...]
    computed: int
    problem: str

    @property
    def affected(self) -> tuple[TrialRow, ...]:
        return tuple(row for row in self.rows if row.effects)

    @property
    def licensees(self) -> int:
        return len({row.slug for row in self.rows})

    @property
    def affected_licensees(self) -> int:
        return len({row.slug for row in self.affected})


@dataclass(frozen=True, slots=True)
class Trial:
    """The whole rulemaking."""

    rulemaking: str
    changes: tuple[ChangeTrial, ...]

    @property
    def rows(self) -> tuple[tuple[ChangeTrial, TrialRow], ...]:
        return tuple((change, row) for change in self.changes for row in change.rows)


to_trial: Callable[[Any], Trial] = reader(Trial)
