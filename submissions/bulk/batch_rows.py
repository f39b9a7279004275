"""The rows of a batch that a worker reads and writes: the batch, its open items, the submissions that it changes."""

import time
from collections.abc import Iterable

from django.db import connection
from django.utils import timezone

from submissions.bulk.item_dependencies import ItemDependencies
from submissions.jobs import leases
from submissions.models import Batch, Item
from submissions.permissions import visible_to

YIELD_S = 0.1  # pause between two transactions in which others get the database
OPEN = (Item.State.PENDING, Item.State.PASSED)


def batch_of(lease: leases.Lease) -> Batch:
    """The batch of the job, as it is now."""
    rows = Batch.objects.select_related("organization", "by__organization", "signer__organization", "credential")
    return rows.get(pk=lease.job.subject)


def open_items(batch: Batch, *, keep: bool) -> list[Item]:
    """The items without a result; to apply (`keep`), also those that were only checked."""
    return list(batch.items.filter(state__in=OPEN if keep else (Item.State.PENDING,)))


def skip_open_items(batch: Batch) -> None:
    """Of an all-or-nothing batch in which an item was refused: the others are not applied."""
    batch.items.filter(state__in=OPEN).update(
        state=Item.State.UNDONE,
        status=424,
        code="others-refused",
        message="Nothing was done, because other items were refused and the batch is all or nothing.",
        fix="Correct those items, and send all items again.",
        at=timezone.now(),
    )


def end_batch(batch: Batch) -> None:
    """Each item has its result."""
    batch.state, batch.finished_at = Batch.State.DONE, timezone.now()
    batch.save(update_fields=["state", "finished_at"])


def lock_submissions(batch: Batch, items: Iterable[Item], dependencies: ItemDependencies) -> None:
    """Lock all submissions of the items, in one order and before the first item.

    A process that has written history must not wait for a submission whose holder waits for the history: a deadlock.
    """
    numbers = {dependencies.number_of(item) for item in items}
    rows = visible_to(batch.by).filter(number__in=numbers).order_by("pk").values_list("pk", flat=True)
    list(rows.select_for_update(no_key=True, of=("self",)))


def yield_lock() -> None:
    """SQLite has no queue: a waiting process tries ten times a second. PostgreSQL has one."""
    if connection.vendor == "sqlite":
        time.sleep(YIELD_S)
