"""The jobs of a batch: checking its items, or applying them. Each item gets its result once.

An item's effect and its result are one transaction: when a worker is killed, no item is applied without a result or has
a result without being applied, and the next worker continues with the rest. A check does the same and rolls back.

Items of the same submission are applied in their order. A step of a filing is refused after an earlier item of the same
submission was refused, and so is an item that refers to a refused one.
"""

import gc
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from django.db import connection, transaction
from django.utils import timezone

from submissions.bulk.item_dependencies import ItemDependencies
from submissions.bulk.item_results import ActorResolver, answer_item, check_items, mark_as_checked, save_results
from submissions.bulk.planned_updates import Plans, can_be_planned, plan_updates, refresh_plans, write_plans
from submissions.jobs import leases
from submissions.models import Batch, Item, Job
from submissions.permissions import visible_to

TRANSACTION_BUDGET_S = 0.2  # others may have to wait this long for the database
MOST_CHAINS = 50  # locked in one transaction
MOST_PLANNED = 100  # updates at a time: planning them, without a lock, takes longer than writing them, with one
YIELD_S = 0.1  # pause between two transactions in which others get the database
SHARE_AFTER_S = 1.0  # then other short jobs that are due come first
OPEN = (Item.State.PENDING, Item.State.PASSED)


def check_batch(lease: leases.Lease) -> None:
    """Write what each item would result in; then wait for the confirmation, or end."""
    batch = _batch_of(lease)
    if batch.state != Batch.State.CHECKING:
        return
    _process(lease, batch, keep=False)
    refused = batch.items.filter(state=Item.State.REFUSED).exists()
    with lease.commit():
        passed = batch.items.filter(state=Item.State.PASSED).exists()
        if batch.needs_confirmation and passed and not (batch.atomic and refused):
            batch.state = Batch.State.UNCONFIRMED
            batch.save(update_fields=["state"])
        else:
            if batch.atomic and batch.mode == Batch.Mode.LIVE:
                _skip_open_items(batch)
            _end(batch)


def apply_batch(lease: leases.Lease) -> None:
    """Apply the open items."""
    batch = _batch_of(lease)
    if batch.state != Batch.State.RUNNING:
        return
    if batch.atomic:
        _process(lease, batch, keep=False)  # those that were not checked before the confirmation
        _apply_all_or_nothing(lease, batch)
    else:
        _process(lease, batch, keep=True)
    with lease.commit():
        _end(batch)


def _batch_of(lease: leases.Lease) -> Batch:
    rows = Batch.objects.select_related("organization", "by__organization", "signer__organization", "credential")
    return rows.get(pk=lease.job.subject)


def _process(lease: leases.Lease, batch: Batch, *, keep: bool) -> None:
    """Answer the open items, and apply them (`keep`) or only check them. Others get the database in between."""
    dependencies = ItemDependencies(batch)
    planned, chains = _split(dependencies.chains(_open_items(batch, keep=keep)))
    done = batch.total - len(planned) - sum(map(len, chains))
    words = "In progress" if keep else "Being checked"
    for part in _parts(planned):
        _process_planned(lease, part, dependencies, keep=keep)
        done += len(part)
        lease.beat(done, batch.total, words)
        if done < batch.total:
            lease.give_way(share_after=SHARE_AFTER_S)
    # Applied one by one; checked items are rolled back with those that build on them.
    runs = [[item] for item in chain.from_iterable(chains)] if keep else chains
    position = 0
    while position < len(runs):
        with lease.commit():
            actors = ActorResolver(_batch_of(lease))
            results = list(_slice(runs[position : position + MOST_CHAINS], actors, dependencies, keep=keep))
            save_results(chain.from_iterable(results))
            position, done = position + len(results), done + sum(map(len, results))
            lease.beat(done, batch.total, words)
        _yield_lock()
        if position < len(runs):
            lease.give_way(share_after=SHARE_AFTER_S)


def _process_planned(lease: leases.Lease, items: list[Item], dependencies: ItemDependencies, *, keep: bool) -> None:
    """Plan these updates without a lock, and then write them, or only their results, in one short transaction."""
    plans = plan_updates(items, ActorResolver(_batch_of(lease)), dependencies)
    if not keep:
        mark_as_checked(items)
    with lease.commit():
        if keep:
            actors = ActorResolver(_batch_of(lease))
            _lock_submissions(actors.batch, items, dependencies)
            write_plans(refresh_plans(plans, items, actors, dependencies))
        save_results(items)


def _split(chains: Iterable[list[Item]]) -> tuple[list[Item], list[list[Item]]]:
    """The items that can be planned, and the other chains."""
    planned: list[Item] = []
    rest: list[list[Item]] = []
    for items in chains:
        if can_be_planned(items):
            planned += items
        else:
            rest.append(items)
    return planned, rest


def _parts(items: list[Item]) -> Iterator[list[Item]]:
    return (items[start : start + MOST_PLANNED] for start in range(0, len(items), MOST_PLANNED))


def _slice(
    runs: Sequence[list[Item]], actors: ActorResolver, dependencies: ItemDependencies, *, keep: bool
) -> Iterator[list[Item]]:
    until = time.monotonic() + TRANSACTION_BUDGET_S
    _lock_submissions(actors.batch, chain.from_iterable(runs), dependencies)
    for items in runs:
        if keep:
            answer_item(items[0], actors, dependencies)
        else:
            check_items(items, actors, dependencies)
        yield items
        if time.monotonic() > until:
            return


def _apply_all_or_nothing(lease: leases.Lease, batch: Batch) -> None:
    """All in one transaction, after each was checked by itself; the first refused item undoes everything.

    Updates are planned before. The transaction compares versions, plans again what has changed, and writes, so that
    others do not wait for long.
    """
    dependencies = ItemDependencies(batch)
    planned, chains = _split(dependencies.chains(_open_items(batch, keep=True)))
    items = list(chain.from_iterable(chains))
    lease.beat(0, batch.total, "In progress, all items together")
    plans: Plans = {}
    for part in _parts(planned):
        plans |= plan_updates(part, ActorResolver(_batch_of(lease)), dependencies)
    with _present_objects_not_collected(), lease.commit():
        if not batch.items.filter(state=Item.State.REFUSED).exists():
            actors = ActorResolver(_batch_of(lease))
            _lock_submissions(batch, [*planned, *items], dependencies)
            with transaction.atomic():
                refused = _first_refused_plan(plans, planned, actors, dependencies)
                refused = refused or _first_refused(items, actors, dependencies)
                transaction.set_rollback(refused is not None)
            save_results([*planned, *items] if refused is None else [refused])
        _skip_open_items(batch)
        lease.beat(batch.total, batch.total)


@contextmanager
def _present_objects_not_collected() -> Iterator[None]:
    """Thousands of plans are in memory. Otherwise Python's garbage collector would go through them again and again, and
    others would wait longer.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _first_refused_plan(
    plans: Plans, items: list[Item], actors: ActorResolver, dependencies: ItemDependencies
) -> Item | None:
    """Write the plans of these items, if none is refused as its submission is now."""
    plans = refresh_plans(plans, items, actors, dependencies)
    refused = next((item for item in items if item.state == Item.State.REFUSED), None)
    if refused is None:
        write_plans(plans)
    return refused


def _first_refused(items: Iterable[Item], actors: ActorResolver, dependencies: ItemDependencies) -> Item | None:
    for item in items:
        answer_item(item, actors, dependencies)
        if item.state == Item.State.REFUSED:
            return item
    return None


def _lock_submissions(batch: Batch, items: Iterable[Item], dependencies: ItemDependencies) -> None:
    """Lock all submissions of the items, in one order and before the first item.

    A process that has written history must not wait for a submission whose holder waits for the history: a deadlock.
    """
    numbers = {dependencies.number_of(item) for item in items}
    rows = visible_to(batch.by).filter(number__in=numbers).order_by("pk").values_list("pk", flat=True)
    list(rows.select_for_update(no_key=True, of=("self",)))


def _yield_lock() -> None:
    """SQLite has no queue: a waiting process tries ten times a second. PostgreSQL has one."""
    if connection.vendor == "sqlite":
        time.sleep(YIELD_S)


def _open_items(batch: Batch, *, keep: bool) -> list[Item]:
    """The items without a result; to apply, also those that were only checked."""
    return list(batch.items.filter(state__in=OPEN if keep else (Item.State.PENDING,)))


def _skip_open_items(batch: Batch) -> None:
    batch.items.filter(state__in=OPEN).update(
        state=Item.State.UNDONE,
        status=424,
        code="others-refused",
        message="Nothing was done, because other items were refused and the batch is all or nothing.",
        fix="Correct those items, and send all items again.",
        at=timezone.now(),
    )


def _end(batch: Batch) -> None:
    batch.state, batch.finished_at = Batch.State.DONE, timezone.now()
    batch.save(update_fields=["state", "finished_at"])


EXECUTORS: dict[str, leases.Executor] = {Job.Kind.CHECK: check_batch, Job.Kind.BULK: apply_batch}
