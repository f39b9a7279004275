"""Sentences and plural rules of pages that no dataclass of a single view has: plain functions, filters in templates.

Not here: how figures, ages, sections and states are written (`submissions.web.formatting`).
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.dateformat import format as format_date

from games.maths.results import WagerAnalysis
from games.rules.model import Finding
from submissions.bulk.batch_results import BatchProgress
from submissions.core.dates import date_text
from submissions.core.text import counted
from submissions.filings.compliance import Breach
from submissions.filings.diff import FilingDiff, HoldDiff
from submissions.filings.offered_wagers import OfferedGroup
from submissions.filings.orders.waived_findings import WaivedFinding, WaiverReference
from submissions.filings.review.comments import Threads
from submissions.jobs.progress import Progress, QueuePlace
from submissions.layouts.document_status import DocumentSubject
from submissions.models import Batch
from submissions.web.formatting import number, percent

BATCH_LOOKS = {Batch.State.DONE: "good", Batch.State.UNCONFIRMED: "returned"}  # as other statuses look


def queue_words(place: QueuePlace, noun: str) -> str:
    """Return the place in a queue: "2 files are ahead of it. It takes about 20 seconds."."""
    first = "It is next in line."
    if place.ahead:
        first = f"{counted(place.ahead, noun)} {'is' if place.ahead == 1 else 'are'} ahead of it."
    return f"{first} It takes about {duration(place.left)}." if place.left else first


def duration(time: timedelta) -> str:
    """Return the time as "1 second", "20 seconds" or "3 minutes"."""
    seconds = round(time.total_seconds())
    return counted(max(1, seconds), "second") if seconds < 90 else counted(round(seconds / 60), "minute")


def by_line(act: Any, words: str) -> str:
    """Return the words, then who did it and when, as “Returned by Analyst One, Nov 22, 2026, 2:05 p.m.”."""
    return f"{words} {act.by.name}, {moment(act.at, 'M j, Y, g:i a')}"


def moment(at: datetime, style: str) -> str:
    """Return a moment in Eastern Time, in the style of the template filter `date`."""
    return format_date(timezone.localtime(at), style)


def document_name(about: DocumentSubject) -> str:
    """Return which sealed document a file is: "payout sign of Blackjack for Casino East, tables 1-4"."""
    if not about.is_paper:
        return f"Rules Submission {about.receipt}"
    tables = f", {about.tables}" if about.tables else ""
    return f"{about.kind.lower()} of {about.game} for {about.licensee}{tables}"


def where_played(group: OfferedGroup) -> str:
    """Return the tables and the pit of a table group, after its name: ": tables 3, 7-9, Pit 2"."""
    several = "," in group.tables or "-" in group.tables
    tables = f": {'tables' if several else 'table'} {group.tables}" if group.tables else ""
    return f"{tables}, {group.pit}" if group.pit else tables


def hold_sentence(analysis: WagerAnalysis) -> str:
    """Return what is known of a wager without a choice of paytables: its hold and its volatility."""
    paytable = f" ({analysis.paytable})" if analysis.paytable else ""
    estimate = ", estimated by simulation" if analysis.method == "estimate" else ""
    return (
        f"Theoretical hold: {percent(analysis.hold)} of all money wagered{paytable}{estimate}; "
        f"volatility index (95 %) {number(analysis.volatility(95), 2)}. "
    )


def any_estimated(holds: Iterable[HoldDiff]) -> bool:
    """Return whether one of the changes of holds comes from estimates."""
    return any(hold.estimated for hold in holds)


def differing_lines(diff: FilingDiff) -> str:
    """Return how many lines differ, and at which tables."""
    lines = f"{counted(diff.count, 'line')} {'differs' if diff.count == 1 else 'differ'}"
    if len(diff.parts) > 1:
        return f"{lines}, at {len(diff.parts)} sets of tables"
    return f"{lines}: {diff.parts[0].tables}" if diff.parts else lines


def breach_sentence(breach: Breach, coming: bool) -> str:
    """Return since when, or from when, a version does not comply."""
    if breach.since is None:
        return f"Does not comply since the rules of chapter {breach.term.version.chapter} changed."
    return f"{'Will not comply from' if coming else 'Has not complied since'} {format_date(breach.since, 'F j, Y')}."


def severity_word(finding: Finding | Mapping[str, Any]) -> str:
    """Return how serious a finding is, judged now or frozen: what a waiver covers is waived."""
    if isinstance(finding, Mapping):
        severity, waived = finding["severity"], bool(finding.get("waiver"))
    else:
        severity, waived = finding.severity, isinstance(finding, WaivedFinding)
    if waived:
        return "Waived"
    return {"blocking": "Must be resolved", "warning": "Warning"}.get(severity, "Note")


def line_anchor(finding: Finding, shown_keys: frozenset[str]) -> str:
    """Return the id on a checklist page where a finding is in full: of its line, or of the findings on the whole."""
    key = finding.line_among(shown_keys)
    return f"line-{key}" if key else "findings-of-all"


def waived_until(waiver: WaiverReference | Mapping[str, Any]) -> str:
    """Return the last day of a finding's waiver, judged now or frozen: "until March 1, 2026"; "until it is ended"."""
    last_day = waiver.last_day if isinstance(waiver, WaiverReference) else waiver["last_day"]
    return f"until {date_text(date.fromisoformat(last_day))}" if last_day else "until it is ended"


def rounds_dealt(progress: Progress) -> str:
    """Return how far a simulation is."""
    total = f": {progress.done:,} of {progress.total:,} rounds" if progress.total else ""
    left = f", {progress.left}" if progress.left else ""
    return f"{progress.words}{total}{left}"


def items_done(progress: Progress) -> str:
    """Return how far a bulk update is."""
    if not progress.total:
        return progress.words
    colon = "" if progress.words.endswith(".") else ":"
    left = f", {progress.left}" if progress.left else ""
    return f"{progress.words}{colon} {progress.done:,} of {progress.total:,} items{left}."


def rows_done(progress: Progress) -> str:
    """Return how far an export is: "Writing rows: 2,500 of 7,140 rows, a few seconds left."."""
    if progress.stopped or not progress.total:
        return progress.words
    left = f", {progress.left}" if progress.left else ""
    return f"{progress.words.rstrip('.')}: {progress.done:,} of {progress.total:,} rows{left}."


def verdict_class(progress: Progress | None, passed: bool) -> str:
    """Return the class of the verdict on a simulation; neither good nor bad while it runs."""
    if progress:
        return "verdict verdict--bad" if progress.stopped else "verdict"
    return "verdict verdict--good" if passed else "verdict verdict--bad"


def outcome_class(state: BatchProgress) -> str:
    """Return the class of the verdict on a bulk update: good once everything is done, bad if nothing can be."""
    counts = state.counts
    if state.batch.state == Batch.State.DONE and not counts["refused"] and not counts["undone"]:
        return "verdict verdict--good"
    bad = counts["refused"] and not counts["passed"] and not counts["done"]
    return "verdict verdict--bad" if bad else "verdict"


def batch_look(state: str) -> str:
    """Return the class of the badge of a bulk update in this state."""
    return BATCH_LOOKS.get(Batch.State(state), "filed")


def other_threads(threads: Threads, at_regulator: bool) -> str:
    """Return the words after the open threads: ", 3 resolved; 2 not sent yet"; the unsent are for the Board only."""
    settled = f", {len(threads.settled)} resolved" if threads.settled else ""
    unsent = f"; {len(threads.unsent)} not sent yet" if at_regulator and threads.unsent else ""
    return settled + unsent


FILTERS = (
    any_estimated,
    batch_look,
    breach_sentence,
    by_line,
    counted,
    differing_lines,
    document_name,
    hold_sentence,
    items_done,
    line_anchor,
    other_threads,
    outcome_class,
    rounds_dealt,
    rows_done,
    severity_word,
    verdict_class,
    waived_until,
    where_played,
)
