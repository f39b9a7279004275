"""What became of a batch, for both doors: how many items stand where, its progress, each item's answer as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from submissions.actions.bulk.doing import UNTOLD
from submissions.models import Batch, Item, Job
from submissions.progress import Progress
from submissions.spreadsheets import lines

MADE = ("submission", "version", "group", "configuration_version", "remark", "receipt", "sha256")
COLUMNS = (
    "place", "row", "action", "submission", "state", "status", "code", "message", "section", "fix", "option",
    "findings", "changes", *(f"made.{name}" for name in MADE),
)  # fmt: skip
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a batch stands. `counts`: how many of its items are in each state; `progress`: None once it has ended."""

    batch: Batch
    counts: dict[str, int]
    progress: Progress | None


def standings(batches: Sequence[Batch]) -> list[Standing]:
    """Where each of these batches stands."""
    counted = Item.objects.filter(batch__in=batches).order_by().values_list("batch", "state")
    counts = {(batch, state): many for batch, state, many in counted.annotate(many=Count("pk"))}
    jobs = Job.objects.filter(kind__in=list(_JOBS.values()), subject__in=[batch.pk for batch in batches])
    by_kind = {(job.kind, job.subject): job for job in jobs}
    return [
        Standing(
            batch,
            {state: counts.get((batch.pk, state), 0) for state in Item.State.values},
            _progress(batch, by_kind),
        )
        for batch in batches
    ]


def made(item: Item) -> dict[str, Any]:
    """What an item came to, as it is told."""
    return {name: value for name, value in item.made.items() if name not in UNTOLD}


def table(batch: Batch) -> Iterator[str]:
    """Every item and its answer as CSV, line by line."""
    return lines(COLUMNS, map(_cells, batch.items.iterator(AT_ONCE)))


_JOBS = {Batch.State.CHECKING: Job.Kind.CHECK, Batch.State.RUNNING: Job.Kind.BULK}


def _progress(batch: Batch, jobs: dict[tuple[str, int], Job]) -> Progress | None:
    kind = _JOBS.get(Batch.State(batch.state))
    job = jobs.get((kind, batch.pk)) if kind else None
    return Progress.of([job]) if job else None


def _cells(item: Item) -> tuple[str, ...]:
    """In the order of the columns; findings and changes a line each."""
    return (
        str(item.place),
        item.row,
        item.action,
        item.submission,
        item.state,
        str(item.status or ""),
        item.code,
        item.message,
        item.section,
        item.fix,
        item.option,
        _lines(f"{one['message']} {one['fix']} [{one['citation']}]" for one in item.findings),
        _lines(f"{one['question']} {one['before']} → {one['after']}" for one in item.changes),
        *(str(item.made.get(name, "")) for name in MADE),
    )


def _lines(told: Iterable[str]) -> str:
    return "\n".join(told)
