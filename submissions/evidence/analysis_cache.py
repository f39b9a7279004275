"""The exact figures of a chapter's paytables, computed once by a job: no page waits for an analysis.

There is one result for each rules digest and engine, so changed rules are computed again. `warm_analyses` computes all
at start; the first page that shows a missing one enqueues its job.
"""

from collections.abc import Mapping
from typing import Any

from games import registry
from games.maths.results import WagerAnalysis
from games.rules.model import Chapter
from games.runs.engine import ENGINE, analyze
from submissions.evidence.computations import ComputationStopped, reader, run_computation, stored_result, to_data
from submissions.jobs.leases import Lease
from submissions.models import Computation, Job

FigureTable = Mapping[tuple[str, str], WagerAnalysis]
"""(key of a wager's analysis, paytable) → it; empty if the computation failed."""

_read_wagers = reader(tuple[WagerAnalysis, ...])


def default_figures(chapter: Chapter) -> FigureTable | None:
    """Every paytable of every wager; None until they are computed."""
    try:
        wagers = stored_result(Job.Kind.ANALYZE, _key(chapter), {"chapter": chapter.number})
    except ComputationStopped:
        return {}
    return None if wagers is None else _by_key(wagers)


def compute_figures(chapter: Chapter) -> FigureTable:
    """Compute and store at once."""
    wagers = _analyze(chapter)
    values = {"kind": Job.Kind.ANALYZE, "arguments": {"chapter": chapter.number}, "result": wagers}
    Computation.objects.update_or_create(key=_key(chapter), defaults=values)
    return _by_key(wagers)


def has_figures(chapter: Chapter) -> bool:
    return Computation.objects.filter(key=_key(chapter), result__isnull=False).exists()


def run_analysis(lease: Lease) -> None:
    """The job. A job that another version of the portal enqueued is left to that version."""

    def compute(row: Computation) -> Any:
        chapter = registry.chapter(row.arguments["chapter"])
        if row.key != _key(chapter):
            raise LookupError(f"{row.key} was asked for, the rules here are {_key(chapter)}")
        return _analyze(chapter)

    run_computation(lease, compute)


def _analyze(chapter: Chapter) -> Any:
    return to_data(analyze(chapter, None).wagers)


def _by_key(wagers: Any) -> FigureTable:
    return {(row.key, row.paytable): row for row in _read_wagers(wagers)}


def _key(chapter: Chapter) -> str:
    return f"analysis:{chapter.number}:{chapter.digest}:{ENGINE}"
