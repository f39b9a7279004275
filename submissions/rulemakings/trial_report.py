"""The result of a trial as pages, CSV and PDF show it: a line for each wager, with units and denominators.

The wagers are those of each table group. Here is also the request for the PDF, which a job makes and which is stored
for a day.

The key of a PDF names the result and the program that lays it out, so a stored one is never out of date. Not here:
making it (`trial_pdf`, in a worker), who may see it (the view).
"""

from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby

from django.conf import settings
from django.utils.safestring import SafeString

from submissions.core.dates import date_text
from submissions.core.digests import digest, program_digest
from submissions.core.errors import Refusal
from submissions.core.text import counted
from submissions.filings.evidence.charts import dots_svg
from submissions.filings.evidence.computations import ComputationStopped, stored_result
from submissions.jobs.progress import QueuePlace, queue_place
from submissions.models import Computation, Job, Rulemaking
from submissions.rulemakings.trials import ChangeTrial, Trial, TrialRow, WagerTrial, result_digest, trial_digest

MINUS = "\N{MINUS SIGN}"
PAPERS = {"layout": "Layout", "sign": "Payout sign", "guide": "Gaming guide"}
BY_LICENSEE, BY_GAME, BY_CHANGE = "licensee", "game", "change"
ORDERS = {BY_LICENSEE: "Licensee", BY_GAME: "Game", BY_CHANGE: "Change of the hold"}
MOST_IN_A_CHART = 25
COLUMNS = (
    "Rulemaking",
    "Effective",
    "Licensee",
    "Chapter",
    "Game",
    "Version",
    "Table group",
    "Tables",
    "Wager",
    "Paytable",
    "Hold before (%)",
    "Hold after (%)",
    "Change (percentage points)",
    "Hold per",
    "Exact or estimate",
    "Findings that would block",
    "Lines not answered yet",
    "Simulation needed",
    "Papers to update",
)


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
        return [(wager_name(hold), *_sides(hold), points_text(hold.change), hold.per) for hold in self.row.holds]

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
    keyed = sorted(
        ((wager_name(hold), line) for row in change.rows for hold in row.holds for line in _dots(row, hold)),
        key=lambda pair: pair[0],
    )
    charts = []
    for place, (name, lines) in enumerate(groupby(keyed, key=lambda pair: pair[0])):
        rows = list(dict.fromkeys(line for _, line in lines))[:MOST_IN_A_CHART]
        key = f"trial-{change.chapter}-{place}"
        if svg := _chart(rows, name, key):
            charts.append((name, svg))
    return charts


def csv_rows(trial: Trial) -> Iterator[Sequence[str]]:
    """Yield a line for each wager whose hold changes; one without a wager for a table group without such."""
    for line in sorted_lines(trial, BY_LICENSEE):
        holds: Iterable[WagerTrial | None] = line.row.holds or (None,)
        for hold in holds:
            yield (*_about(trial, line), *_hold_cells(hold), *_consequences(line.row))


def percent_text(hold: Fraction | None) -> str:
    """Return the hold as "7.5257 %"; a dash for none."""
    return "–" if hold is None else f"{float(hold * 100):.4f} %".replace("-", MINUS)


def _sides(hold: WagerTrial) -> tuple[str, str]:
    """Return the hold before and after; of an estimate, with “about”."""
    about = "about " if hold.estimated else ""
    before, after = (about + percent_text(side) if side is not None else "–" for side in (hold.before, hold.after))
    return before, after


def points_text(change: Fraction | None) -> str:
    """Return the change as "+1.8907" percentage points; "" for none."""
    return "" if change is None else f"{float(change * 100):+.4f}".replace("-", MINUS)


def wager_name(hold: WagerTrial) -> str:
    parts = [hold.name, hold.spot, hold.paytable]
    return ", ".join(filter(None, parts))


def paper_name(part: str, *, only: bool) -> str:
    return f"{PAPERS[part]}, if it repeats the odds" if only else PAPERS[part]


def _dots(row: TrialRow, hold: WagerTrial) -> list[tuple[str, tuple[float, ...]]]:
    if hold.before is None or hold.after is None:
        return []
    return [(row.licensee, (float(hold.before), float(hold.after)))]


def _chart(rows: list[tuple[str, tuple[float, ...]]], name: str, key: str) -> SafeString:
    """Return the chart of the licensees' holds; one licensee alone is set beside its hold before."""
    if len({holds for _, holds in rows}) == 1 and rows:
        label, (before, after) = rows[0]
        whose = f"{counted(len(rows), 'licensee')}: " if len(rows) > 1 else f"{label}: "
        rows = [(f"{whose}before", (before,)), (f"{whose}after", (after,))]
    return dots_svg(rows, name=name, key=key)


def _about(trial: Trial, line: TrialLine) -> tuple[str, ...]:
    row, change = line.row, line.change
    day = date_text(date.fromisoformat(change.effective))
    return (
        trial.rulemaking, day, row.licensee, change.chapter, change.title, row.receipt, row.group, row.tables,
    )  # fmt: skip


def _hold_cells(hold: WagerTrial | None) -> tuple[str, ...]:
    if hold is None:
        return ("", "", "", "", "", "", "")
    numbers = [
        f"{float(side * 100):.6f}" if side is not None else "" for side in (hold.before, hold.after, hold.change)
    ]
    return (hold.name, hold.paytable, *numbers, hold.per, "estimate" if hold.estimated else "exact")


def _consequences(row: TrialRow) -> tuple[str, ...]:
    papers = [paper_name(paper.part, only=paper.if_odds_repeated) for paper in row.papers]
    return (" ".join(row.findings), " ".join(row.questions), "yes" if row.needs_simulation else "no", "; ".join(papers))


SOURCES = ("submissions/rulemakings", "submissions/documents", "templates/documents", "portal/static/documents")


def stored_trial_pdf(rulemaking: Rulemaking) -> bytes | None:
    """Return the PDF of a tried rulemaking, None until the job of the first call made it; `Refusal` if it failed."""
    try:
        text = stored_result(Job.Kind.TRIAL_PDF, trial_pdf_key(rulemaking), {"rulemaking": rulemaking.pk})
    except ComputationStopped:
        raise Refusal("trial-pdf-not-made", number=rulemaking.number) from None
    return None if text is None else b64decode(text)


def trial_pdf_place(rulemaking: Rulemaking) -> QueuePlace:
    """Return where the PDF that was asked for is in the queue."""
    subject = Computation.objects.values_list("pk", flat=True).get(key=trial_pdf_key(rulemaking))
    return queue_place(Job.Kind.TRIAL_PDF, subject, settings.DRAFT_WORKERS)


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
