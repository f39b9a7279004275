"""The exact figures of a chapter's paytables under given answers, computed once by a job: no page waits for them.

There is one result for each rules digest, engine and set of those answers that change figures (`changes_figures` in the
chapter's data), so changed rules are computed again, and no page shows the figures of other answers.
`warm_analyses` computes those of unanswered lines at start; the first page that shows a missing one enqueues its job.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from games.maths.results import WagerAnalysis
from games.rules.asked_lines import asked_lines, sound_answers
from games.rules.model import Answers, Chapter, Judgment, Paytable
from games.runs.engine import ENGINE, analyze
from games.runs.exact_json import reader, to_data
from submissions.core.canonical_json import digest
from submissions.evidence.computations import ComputationStopped, run_computation, stored_result
from submissions.jobs.leases import Lease
from submissions.models import Computation, Job
from submissions.rules.effective_rules import chapter_on

FigureTable = Mapping[tuple[str, str], WagerAnalysis]
"""(key of a wager's analysis, paytable) → it; empty if the computation failed."""

_read_wagers = reader(tuple[WagerAnalysis, ...])


def figures_of(chapter: Chapter, answers: Answers) -> FigureTable | None:
    """Every paytable of every wager, with the other answers as they are; None until they are computed."""
    relevant = relevant_answers(chapter, answers)
    try:
        wagers = stored_result(Job.Kind.ANALYZE, _key(chapter, relevant), _arguments(chapter, relevant))
    except ComputationStopped:
        return {}
    return None if wagers is None else _by_key(wagers)


def compute_figures(chapter: Chapter, answers: Answers | None = None) -> FigureTable:
    """Compute and store at once."""
    relevant = relevant_answers(chapter, answers or {})
    wagers = _analyze(chapter, relevant)
    values = {"kind": Job.Kind.ANALYZE, "arguments": _arguments(chapter, relevant), "result": wagers}
    Computation.objects.update_or_create(key=_key(chapter, relevant), defaults=values)
    return _by_key(wagers)


def has_figures(chapter: Chapter) -> bool:
    return Computation.objects.filter(key=_key(chapter, {}), result__isnull=False).exists()


def relevant_answers(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """The sound answers to lines that are asked and change figures; a line without one counts as not answered."""
    sound = sound_answers(chapter, answers)
    asked_keys = set(asked_lines(chapter, sound))
    keys = (option.key for option in chapter.options if option.changes_figures)
    return {key: sound[key] for key in keys if key in asked_keys and key in sound}


def in_use(chapter: Chapter, judgment: Judgment, answers: Answers, figures: FigureTable) -> tuple[WagerAnalysis, ...]:
    """The analyses of the wagers that the answers offer, each with its paytable in use."""
    way = answers.get("house_way")
    parts = {wager.key: wager.part_of or wager.key for wager in chapter.wagers}
    rows = []
    for row in figures.values():
        whole = parts[row.wager]
        own = judgment.paytables.get(row.wager)
        of_parts = {name for wager, name in judgment.paytables.items() if parts[wager] == whole}
        if whole in judgment.offered and row.paytable in (("", own) if own else ("", way, *of_parts)):
            rows.append(row)
    return tuple(rows)


def figures_of_paytable(chapter: Chapter, table: Paytable, figures: FigureTable) -> FigureTable:
    """The analyses that a paytable decides: of its wager, or of the one that its wager is a part of.

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


def run_analysis(lease: Lease) -> None:
    """The job. A job that another version of the portal enqueued is left to that version."""

    def compute(row: Computation) -> Any:
        chapter, answers = _chapter_of(row.arguments), row.arguments.get("answers", {})
        if row.key != _key(chapter, answers):
            raise LookupError(f"{row.key} was asked for, the rules here are {_key(chapter, answers)}")
        return _analyze(chapter, answers)

    run_computation(lease, compute)


def _analyze(chapter: Chapter, relevant: Answers) -> Any:
    """With every wager offered and every paytable left open."""
    offered = {wager.offered_by: True for wager in chapter.wagers if wager.offered_by}
    return to_data(analyze(chapter, {**offered, **relevant} if relevant else None).wagers)


def _arguments(chapter: Chapter, relevant: Answers) -> dict[str, Any]:
    """`on`: the first day on which the chapter is as it is."""
    return {"chapter": chapter.number, "on": _first_day(chapter).isoformat(), "answers": dict(relevant)}


def _chapter_of(arguments: Mapping[str, Any]) -> Chapter:
    """The chapter on the day that the arguments say; on its first, for those of an older version of the portal."""
    return chapter_on(arguments["chapter"], date.fromisoformat(arguments.get("on", date.min.isoformat())))


def _first_day(chapter: Chapter) -> date:
    return chapter.begins or date.min


def _by_key(wagers: Any) -> FigureTable:
    return {(row.key, row.paytable): row for row in _read_wagers(wagers)}


def _key(chapter: Chapter, relevant: Answers) -> str:
    under = digest(relevant)[:32] if relevant else "unanswered"
    return f"analysis:{chapter.number}:{chapter.digest}:{ENGINE}:{under}"
