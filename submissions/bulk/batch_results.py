"""The results of a batch, for pages and API: item counts by state, its progress, each item's result as CSV."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from submissions.bulk.item_answers import UNREPORTED
from submissions.core.csv_export import csv_lines
from submissions.jobs.progress import Progress
from submissions.models import Batch, Item, Job

RESULT_NAMES = ("submission", "version", "group", "configuration_version", "remark", "receipt", "sha256")
COLUMNS = (
    "place", "row", "action", "submission", "state", "status", "code", "message", "section", "fix", "option",
    "findings", "changes", *(f"made.{name}" for name in RESULT_NAMES),
)  # fmt: skip
ITEMS_AT_A_TIME = 500
JOBS = {Batch.State.CHECKING: Job.Kind.CHECK, Batch.State.RUNNING: Job.Kind.BULK}


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """The state of a batch: `counts` of its items by state; `progress` is None while no job works on it."""

    batch: Batch
    counts: dict[str, int]
    progress: Progress | None


def batch_progress(batches: Sequence[Batch]) -> list[BatchProgress]:
    """The state of each of these batches, in two queries."""
    rows = Item.objects.filter(batch__in=batches).order_by().values_list("batch", "state")
    counts = {(batch, state): count for batch, state, count in rows.annotate(count=Count("pk"))}
    jobs = Job.objects.filter(kind__in=list(JOBS.values()), subject__in=[batch.pk for batch in batches])
    by_kind = {(job.kind, job.subject): job for job in jobs}
    progress = []
    for batch in batches:
        job = by_kind.get((JOBS.get(Batch.State(batch.state), ""), batch.pk))
        by_state = {state: counts.get((batch.pk, state), 0) for state in Item.State.values}
        progress.append(BatchProgress(batch, by_state, Progress.of([job]) if job else None))
    return progress


def reported_result(item: Item) -> dict[str, Any]:
    """The numbers and versions that an item resulted in, without those that are only for the portal."""
    return {name: value for name, value in item.made.items() if name not in UNREPORTED}


def changes_in_words(item: Item) -> str:
    """What the item changes, a line each."""
    return "\n".join(f"{row['question']} {row['before']} → {row['after']}" for row in item.changes)


def result_table(batch: Batch) -> Iterator[str]:
    """Every item and its result as CSV, line by line."""
    return csv_lines(COLUMNS, map(_cells, batch.items.iterator(ITEMS_AT_A_TIME)))


def _cells(item: Item) -> tuple[str, ...]:
    """In the order of the columns; findings have a line each."""
    findings = (f"{row['message']} {row['fix']} [{row['citation']}]" for row in item.findings)
    return (
        str(item.place), item.row, item.action, item.submission, item.state, str(item.status or ""), item.code,
        item.message, item.section, item.fix, item.option, "\n".join(findings), changes_in_words(item),
        *(str(item.made.get(name, "")) for name in RESULT_NAMES),
    )  # fmt: skip
