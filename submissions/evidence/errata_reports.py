"""The errata report of a chapter with its holds and verdicts, as far as they are computed: no page waits for them.

The holds that payout notes change are computed by a job, once for each digest of the rules and of the errata and each
engine; the verdicts on printed figures follow from the exact figures (`analysis_cache`). Not here: the notes
(`games.rules.errata`).
"""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from games.maths.published import Printed, printed
from games.rules.model import Chapter
from games.runs.engine import ENGINE
from games.runs.errata import GENERAL, ErrataReport, complete, notes_of
from games.runs.errata_holds import NoteHolds, compute_holds
from games.runs.exact_json import reader, to_data
from submissions.evidence import analysis_cache
from submissions.evidence.computations import ComputationStopped, run_computation, stored_result
from submissions.jobs.leases import Lease
from submissions.models import Computation, Job
from submissions.rules.effective_rules import chapter_on

_read_holds = reader(tuple[NoteHolds, ...])


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A report with what is computed of it. `computing`: a hold or a verdict is still to come; `stopped`: none will."""

    report: ErrataReport
    computing: bool = False
    stopped: bool = False


def stored_report(number: str) -> StoredReport:
    """The report without waiting; what is missing is enqueued. `RuleError` where the errata are missing or do not fit
    the chapter."""
    report = notes_of(number)
    if number == GENERAL:
        return StoredReport(report)
    chapter = chapter_on(number, timezone.localdate())
    try:
        holds = _stored_holds(report)
    except ComputationStopped:
        return StoredReport(complete(report, (), _stored_figures(chapter) or ()), stopped=True)
    figures = _stored_figures(chapter)
    return StoredReport(complete(report, holds or (), figures or ()), computing=holds is None or figures is None)


def run_holds(lease: Lease) -> None:
    """The job. One that another version of the portal enqueued is left to that version."""

    def compute(row: Computation) -> Any:
        report = notes_of(row.arguments["chapter"])
        if row.key != _key(report):
            raise LookupError(f"{row.key} was asked for, the errata here are {_key(report)}")
        return to_data(compute_holds(report.number))

    run_computation(lease, compute)


def _stored_holds(report: ErrataReport) -> tuple[NoteHolds, ...] | None:
    if not any(row.note.states_holds for row in report.notes):
        return ()
    result = stored_result(Job.Kind.ERRATA_HOLDS, _key(report), {"chapter": report.number})
    return None if result is None else _read_holds(result)


def _stored_figures(chapter: Chapter) -> list[Printed] | None:
    """The printed figures with their verdicts; None until the exact figures are computed."""
    if not chapter.published:
        return []
    figures = analysis_cache.figures_of(chapter, {})
    return None if figures is None else printed(chapter, list(figures.values()))


def _key(report: ErrataReport) -> str:
    return f"errata:{report.number}:{report.rules_digest}:{report.errata_digest[:32]}:{ENGINE}"
