"""The result of a trial as pages, CSV and PDF show it: a line for each wager of each table group, with its units.

Here is also the request for the PDF. Not here: making it (`trial_pdf`, in a worker), who may see it (the view).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.utils.safestring import SafeString

from submissions.core.dates import date_text
from submissions.core.digests import digest, program_digest
from submissions.core.errors import Refusal
from submissions.core.text import counted
from submissions.filings.evidence.charts import dots_svg
from submissions.layouts.draft_queue import stored_pdf
from submissions.models import Job, Rulemaking
from submissions.rulemakings.trials import (
    ChangeTrial,
    Trial,
    TrialRow,
    WagerTrial,
    result_digest,
    trial_digest,
)

MINUS = "\N{MINUS SIGN}"
PAPERS = {"layout": "Layout", "sign": "Payout sign", "guide": "Gaming guide"}
BY_LICENSEE, BY_GAME, BY_CHANGE = "licensee", "game", "change"
ORDERS = {BY_LICENSEE: "Licensee", BY_GAME: "Game", BY_CHANGE: "Change of the hold"}
MOST_IN_A_CHART = 25
COLUMNS = (
    "Rulemaking", "Effective", "Licensee", "Chapter", "Game", "Version", "Table group", "Tables",
    "Wager", "Paytable", "Hold before (%)", "Hold after (%)", "Change (percentage points)", "Hold per",
    "Exact or estimate", "Findings that would block", "Lines not answered yet", "Simulation needed", "Papers to update",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrialLine:
    """A table group in a table: its row, with its change."""

    change: ChangeTrial
    row: TrialRow

    @property
    def tables(self) -> str:
        return f"{self.row.group}: {self.row.tables}" if self.row.tables else self.row.group

    @property
    def holds(self) -> list[tuple[str, str, str, str, str]]:
        """Return (wager, before, after, change, what the hold is a share of), each with its unit."""
        rows = []
        for hold in self.row.holds:
            form = "about {:.4f} %" if hold.estimated else "{:.4f} %"
            before, after = (_percent(side, form, "–") for side in (hold.before, hold.after))
            rows.append((wager_name(hold), before, after, _percent(hold.change, "{:+.4f}", ""), hold.per))
        return rows

    @property
    def papers(self) -> list[tuple[str, tuple[str, ...]]]:
        return [(paper_name(paper.part, only=paper.if_odds_repeated), paper.why) for paper in self.row.papers]

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Return what would block, and what is not answered yet."""
        return (*self.row.findings, *self.row.questions)

    @property
    def updates(self) -> list[str]:
        """Return what must be made again: the simulation, the papers."""
        return [*(["Simulation"] if self.row.needs_simulation else []), *(name for name, _ in self.papers)]


def sorted_lines(trial: Trial, order: str) -> list[TrialLine]:
    """Return every table group, in one of the `ORDERS`; the affected ones first in that of the change."""
    lines = [TrialLine(change, row) for change, row in trial.rows]
    if order == BY_GAME:
        return sorted(lines, key=lambda line: (line.change.chapter, line.row.licensee))
    if order == BY_CHANGE:
        return sorted(lines, key=lambda line: (-line.row.largest_change, not line.row.effects, line.row.licensee))
    return sorted(lines, key=lambda line: (line.row.licensee, line.change.chapter))


def summary_of(change: ChangeTrial) -> str:
    """Return how many versions and licensees the change affects, with the totals."""
    versions = {row.version for row in change.rows}
    affected = {row.version for row in change.affected}
    if not versions:
        return "No version is in effect or scheduled on that day, so no one is affected."
    if not affected:
        return f"Nothing changes for any of {counted(len(versions), 'version')}."
    return (
        f"{len(affected)} of {counted(len(versions), 'version')} "
        f"at {change.affected_licensees} of {counted(change.licensees, 'licensee')} would be affected."
    )


def charts_of(change: ChangeTrial) -> list[tuple[str, SafeString]]:
    """Return (wager, chart) of the holds before and after at each licensee; none where all are alike."""
    dots: dict[str, dict[tuple[str, tuple[float, ...]], None]] = {}  # each once, in order
    for row in change.rows:
        for hold in row.holds:
            if hold.before is not None and hold.after is not None:
                dot = (row.licensee, (float(hold.before), float(hold.after)))
                dots.setdefault(wager_name(hold), {})[dot] = None
    charts = [
        (name, _chart(list(dots[name])[:MOST_IN_A_CHART], name, f"trial-{change.chapter}-{place}"))
        for place, name in enumerate(sorted(dots))
    ]
    return [(name, svg) for name, svg in charts if svg]


def csv_rows(trial: Trial) -> Iterator[Sequence[str]]:
    """Yield a line for each wager whose hold changes; one without a wager for a table group without such."""
    for line in sorted_lines(trial, BY_LICENSEE):
        row, change = line.row, line.change
        day = date_text(date.fromisoformat(change.effective))
        head = (
            trial.rulemaking, day, row.licensee, change.chapter, change.title, row.receipt, row.group, row.tables,
        )  # fmt: skip
        papers = "; ".join(name for name, _ in line.papers)
        simulation = "yes" if row.needs_simulation else "no"
        for hold in row.holds or (None,):
            yield (*head, *_hold_cells(hold), " ".join(row.findings), " ".join(row.questions), simulation, papers)


def _percent(share: Fraction | None, form: str, none: str) -> str:
    """Return a share in percent with a true minus, in this form; `none` if there is no share."""
    return none if share is None else form.format(float(share * 100)).replace("-", MINUS)


def wager_name(hold: WagerTrial) -> str:
    parts = [hold.name, hold.spot, hold.paytable]
    return ", ".join(filter(None, parts))


def paper_name(part: str, *, only: bool) -> str:
    return f"{PAPERS[part]}, if it repeats the odds" if only else PAPERS[part]


def _chart(rows: list[tuple[str, tuple[float, ...]]], name: str, key: str) -> SafeString:
    """Return the chart of the licensees' holds; one licensee alone is set beside its hold before."""
    if len({holds for _, holds in rows}) == 1:
        label, (before, after) = rows[0]
        whose = f"{counted(len(rows), 'licensee')}: " if len(rows) > 1 else f"{label}: "
        rows = [(f"{whose}before", (before,)), (f"{whose}after", (after,))]
    return dots_svg(rows, name=name, key=key)


def _hold_cells(hold: WagerTrial | None) -> tuple[str, ...]:
    if hold is None:
        return ("",) * 7
    numbers = [
        f"{float(side * 100):.6f}" if side is not None else "" for side in (hold.before, hold.after, hold.change)
    ]
    return (hold.name, hold.paytable, *numbers, hold.per, "estimate" if hold.estimated else "exact")


SOURCES = ("submissions/rulemakings", "submissions/documents", "templates/documents", "portal/static/documents")


def stored_trial_pdf(rulemaking: Rulemaking, key: str) -> bytes | None:
    """Return the PDF with this `trial_pdf_key`, None until the job of the first call made it; refused if it failed."""
    not_made = Refusal("trial-pdf-not-made", number=rulemaking.number)
    return stored_pdf(Job.Kind.TRIAL_PDF, key, {"rulemaking": rulemaking.pk}, not_made)


def trial_pdf_key(rulemaking: Rulemaking) -> str:
    """Return the key that names the PDF by everything that it shows."""
    sha256_of_trial = rulemaking.trial_sha256 or trial_digest(rulemaking)
    shown = {
        "result": result_digest(rulemaking, sha256_of_trial),
        "title": rulemaking.title,
        "source": rulemaking.source,
        "program": program_digest(SOURCES),
    }
    return f"trial-pdf:{rulemaking.number}:{digest(shown)}"
