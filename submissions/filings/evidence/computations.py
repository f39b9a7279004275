"""Results that pages show and no filing contains: computed by jobs, stored as exact JSON (`games.maths.export`).

The exact figures of a chapter's paytables have one result for each rules digest, engine and set of those answers that
change figures (`changes_figures` in the chapter's data). `warm_analyses` computes those of unanswered lines at start;
the first page that shows a missing one enqueues its job. The holds that payout notes change have one for each digest of
the rules and of the errata and engine. Not here: replayed rounds (`simulations`), the notes (`games.rules.errata`).
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games.maths.export import exact_data, exact_reader, to_json
from games.maths.published import Printed, printed
from games.maths.results import Analysis, WagerAnalysis
from games.rules.model import Answers, Chapter, Judgment, Paytable
from games.runs.engine import ENGINE, analyze
from games.runs.errata import GENERAL, ErrataReport, NoteHolds, complete, compute_holds, notes_of
from games.runs.used_figures import FigureTable, in_use, relevant_answers
from submissions.core.database_faults import disk_fault
from submissions.core.digests import digest
from submissions.core.log_context import SELDOM
from submissions.jobs import leases
from submissions.models import Computation, Job
from submissions.rules import chapter_on

log = logging.getLogger(__name__)

STORED_FOR = timedelta(days=1)  # of what can be made again at any time
NOT_FOR_LONG = (Job.Kind.REPLAY, Job.Kind.DRAFT, Job.Kind.TRIAL_PDF, Job.Kind.EXPORT)


class ComputationStopped(Exception):
    """The job failed; the operator finds the reason in the log and can run it again."""


def stored_result(kind: Job.Kind, key: str, arguments: Mapping[str, object]) -> Any | None:
    """Return the result, or None until a job, which the first call enqueues, has computed it.

    Raises `ComputationStopped`. A page that only reads is shown without the result while no job can be stored.
    """
    row = Computation.objects.filter(key=key).values_list("pk", "result").first()
    if row is None:
        try:
            with transaction.atomic():
                defaults = {"kind": kind, "arguments": arguments}
                leases.enqueue(kind, Computation.objects.get_or_create(key=key, defaults=defaults)[0].pk)
        except DatabaseError as error:
            if connection.in_atomic_block or not (fault := disk_fault(error)):
                raise
            log.warning("nothing is computed, %s", fault, extra=SELDOM)
        return None
    pk, result = row
    if result is None and Job.objects.filter(kind=kind, subject=pk, state__in=leases.STOPPED).exists():
        raise ComputationStopped(key)
    return result


def run_computation(lease: leases.Lease, compute: Callable[[Computation], Any]) -> None:
    """Store the result of `compute`, unless there is one."""
    row = Computation.objects.get(pk=lease.job.subject)
    if row.result is None:
        result = compute(row)
        with lease.commit():
            Computation.objects.filter(pk=row.pk).update(result=result)


def _refuse_other_key(row: Computation, key: str) -> None:
    """Refuse what a version of the portal with other rules or errata asked for."""
    if row.key != key:
        raise LookupError(f"{row.key} was asked for, the data here are {key}")


def delete_old_results(now: datetime) -> int:
    """Delete replayed rounds, drafts and exports that are older than a day, with their jobs; return how many."""
    old = Computation.objects.filter(kind__in=NOT_FOR_LONG, created_at__lt=now - STORED_FOR)
    with transaction.atomic():
        Job.objects.filter(kind__in=NOT_FOR_LONG, subject__in=old.values("pk")).delete()
        return old.delete()[0]


_read_wagers = exact_reader(tuple[WagerAnalysis, ...])


def figures_of(chapter: Chapter, answers: Answers) -> FigureTable | None:
    """Return every paytable of every wager, with the other answers as they are; None until they are computed."""
    relevant = relevant_answers(chapter, answers)
    try:
        wagers = stored_result(Job.Kind.ANALYZE, _figures_key(chapter, relevant), _arguments(chapter, relevant))
    except ComputationStopped:
        return {}
    return None if wagers is None else _by_key(wagers)


def compute_figures(chapter: Chapter, answers: Answers | None = None) -> FigureTable:
    """Compute and store the figures at once."""
    relevant = relevant_answers(chapter, answers or {})
    wagers = _analyze(chapter, relevant)
    values = {"kind": Job.Kind.ANALYZE, "arguments": _arguments(chapter, relevant), "result": wagers}
    Computation.objects.update_or_create(key=_figures_key(chapter, relevant), defaults=values)
    return _by_key(wagers)


def has_figures(chapter: Chapter) -> bool:
    return Computation.objects.filter(key=_figures_key(chapter, {}), result__isnull=False).exists()


def analysis_in_use(chapter: Chapter, judgment: Judgment, answers: Answers, figures: FigureTable) -> dict[str, Any]:
    """Return those analyses in the form in which a filing's are stored."""
    rows = in_use(chapter, judgment, answers, figures)
    return to_json(Analysis(chapter.number, chapter.digest, ENGINE, rows))


def figures_of_paytable(chapter: Chapter, table: Paytable, figures: FigureTable) -> FigureTable:
    """Return the analyses that a paytable decides: of its wager, or of the one that its wager is a part of.

    A part has no analysis of its own: the Bad Beat Bonus of § 682a.12(c) changes the hold of the Ante Wager. The only
    paytable of a wager decides all of them.
    """
    wager = chapter.wager(table.wager)
    is_only = len(chapter.tables_of(table.wager)) == 1
    return {
        key: row
        for key, row in figures.items()
        if row.wager in (wager.key, wager.part_of) and (is_only or row.paytable in ("", table.name))
    }


def run_analysis(lease: leases.Lease) -> None:
    """Run the job; leave one that another version of the portal enqueued to that version."""

    def compute(row: Computation) -> Any:
        first_day = date.fromisoformat(row.arguments.get("on", date.min.isoformat()))  # an older version stored none
        chapter, answers = chapter_on(row.arguments["chapter"], first_day), row.arguments.get("answers", {})
        _refuse_other_key(row, _figures_key(chapter, answers))
        return _analyze(chapter, answers)

    run_computation(lease, compute)


def _analyze(chapter: Chapter, relevant: Answers) -> Any:
    """Analyze the chapter with every wager offered and every paytable left open."""
    offered = {wager.offered_by: True for wager in chapter.wagers if wager.offered_by}
    return exact_data(analyze(chapter, {**offered, **relevant} if relevant else None).wagers)


def _arguments(chapter: Chapter, relevant: Answers) -> dict[str, Any]:
    """Return the arguments; `on`: the first day on which the chapter is as it is."""
    on = (chapter.begins or date.min).isoformat()
    return {"chapter": chapter.number, "on": on, "answers": dict(relevant)}


def _by_key(wagers: Any) -> FigureTable:
    return {(row.key, row.paytable): row for row in _read_wagers(wagers)}


def _figures_key(chapter: Chapter, relevant: Answers) -> str:
    under = digest(relevant)[:32] if relevant else "unanswered"
    return f"analysis:{chapter.number}:{chapter.digest}:{ENGINE}:{under}"


_read_holds = exact_reader(tuple[NoteHolds, ...])


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A report with what is computed of it. `computing`: a hold or a verdict is still to come; `stopped`: none will."""

    report: ErrataReport
    computing: bool = False
    stopped: bool = False


def stored_report(number: str) -> StoredReport:
    """Return the report at once and enqueue what is missing; `RuleError` where the errata are missing or do not fit."""
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


def run_errata_holds(lease: leases.Lease) -> None:
    """Run the job; leave one that another version of the portal enqueued to that version."""

    def compute(row: Computation) -> Any:
        report = notes_of(row.arguments["chapter"])
        _refuse_other_key(row, _report_key(report))
        return exact_data(compute_holds(report.number))

    run_computation(lease, compute)


def _stored_holds(report: ErrataReport) -> tuple[NoteHolds, ...] | None:
    if not any(row.note.states_holds for row in report.notes):
        return ()
    result = stored_result(Job.Kind.ERRATA_HOLDS, _report_key(report), {"chapter": report.number})
    return None if result is None else _read_holds(result)


def _stored_figures(chapter: Chapter) -> list[Printed] | None:
    """Return the printed figures with their verdicts; None until the exact figures are computed."""
    if not chapter.published:
        return []
    figures = figures_of(chapter, {})
    return None if figures is None else printed(chapter, list(figures.values()))


def _report_key(report: ErrataReport) -> str:
    return f"errata:{report.number}:{report.rules_digest}:{report.errata_digest[:32]}:{ENGINE}"
