"""The jobs of a batch: checking its items, or applying them. Each item gets its result once.

An item's effect and its result are one transaction: when a worker is killed, no item is applied without a result or has
a result without being applied, and the next worker continues with the rest. A check does the same and rolls back.

Items of the same submission are applied in their order. A step of a filing is refused after an earlier item of the same
submission was refused, and so is an item that refers to a refused one.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import chain

from submissions.bulk.atomic_batches import apply_all_or_nothing
from submissions.bulk.batch_rows import batch_of, end_batch, lock_submissions, open_items, skip_open_items, yield_lock
from submissions.bulk.item_dependencies import ItemDependencies
from submissions.bulk.item_results import ActorResolver, answer_item, check_items, mark_as_checked, save_results
from submissions.bulk.planned_items import plan_items, planned_parts, refresh_plans, write_plans
from submissions.jobs import leases
from submissions.models import Batch, Item, Job

TRANSACTION_BUDGET_S = 0.2  # others may have to wait this long for the database
MOST_CHAINS = 50  # locked in one transaction
SHARE_AFTER_S = 1.0  # then other short jobs that are due come first


def check_batch(lease: leases.Lease) -> None:
    """Write what each item would result in; then wait for the confirmation, or end."""
    batch = batch_of(lease)
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
                skip_open_items(batch)
            end_batch(batch)


def apply_batch(lease: leases.Lease) -> None:
    """Apply the open items."""
    batch = batch_of(lease)
    if batch.state != Batch.State.RUNNING:
        return
    if batch.atomic:
        _process(lease, batch, keep=False)  # those that were not checked before the confirmation
        apply_all_or_nothing(lease, batch)
    else:
        _process(lease, batch, keep=True)
    with lease.commit():
        end_batch(batch)


def _process(lease: leases.Lease, batch: Batch, *, keep: bool) -> None:
    """Answer the open items, and apply them (`keep`) or only check them. Others get the database in between."""
    dependencies = ItemDependencies(batch)
    parts, chains = planned_parts(open_items(batch, keep=keep), dependencies)
    done = batch.total - sum(map(len, parts)) - sum(map(len, chains))
    words = "In progress" if keep else "Being checked"
    for part in parts:
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
            actors = ActorResolver(batch_of(lease))
            results = list(_slice(runs[position : position + MOST_CHAINS], actors, dependencies, keep=keep))
            save_results(chain.from_iterable(results))
            position, done = position + len(results), done + sum(map(len, results))
            lease.beat(done, batch.total, words)
        yield_lock()
        if position < len(runs):
            lease.give_way(share_after=SHARE_AFTER_S)


def _process_planned(lease: leases.Lease, items: list[Item], dependencies: ItemDependencies, *, keep: bool) -> None:
    """Plan these items without a lock, and then write them, or only their results, in one short transaction."""
    plans = plan_items(items, ActorResolver(batch_of(lease)), dependencies)
    if not keep:
        mark_as_checked(items)
    with lease.commit():
        if keep:
            actors = ActorResolver(batch_of(lease))
            lock_submissions(actors.batch, items, dependencies)
            write_plans(refresh_plans(plans, items, actors, dependencies), items, dependencies)
        save_results(items)


def _slice(
    runs: Sequence[list[Item]], actors: ActorResolver, dependencies: ItemDependencies, *, keep: bool
) -> Iterator[list[Item]]:
    until = time.monotonic() + TRANSACTION_BUDGET_S
    lock_submissions(actors.batch, chain.from_iterable(runs), dependencies)
    for items in runs:
        if keep:
            answer_item(items[0], actors, dependencies)
        else:
            check_items(items, actors, dependencies)
        yield items
        if time.monotonic() > until:
            return


EXECUTORS: dict[str, leases.Executor] = {Job.Kind.CHECK: check_batch, Job.Kind.BULK: apply_batch}
