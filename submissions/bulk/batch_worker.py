"""The jobs of a batch: checking its items, or applying them. Each item gets its result once.

An item's effect and its result are one transaction: when a worker is killed, no item is applied without a result or has
a result without being applied, and the next worker continues with the rest. A check does the same and rolls back.
Items of the same submission are applied in their order. A step of a filing is refused after an earlier item of the same
submission was refused, and so is an item that refers to a refused one.

An all-or-nothing batch is applied in one transaction, which makes others wait for as short as possible. Creates and
updates are planned before. The transaction compares versions, plans all again if one has changed, and writes. Items of
other kinds are applied in it one by one: `too_many_together` bounds their number. `LONGEST_S` bounds the time of all,
since a machine can be slow, and webhooks take time for each event.
"""

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from submissions.bulk.item_handlers import (
    ActorResolver,
    answer_item,
    check_items,
    mark_as_checked,
    refuse_item,
    save_results,
)
from submissions.bulk.items import ITEM_VERBS, ItemDependencies, roots_of
from submissions.bulk.planned_items import Plans, current_plans, plan_items, planned_parts, unplanned_roots
from submissions.core.errors import Refusal
from submissions.jobs import leases
from submissions.models import Batch, Item
from submissions.permissions import visible_to

YIELD_S = 0.1  # pause between two transactions in which others get the database
OPEN_STATES = (Item.State.PENDING, Item.State.PASSED)


def batch_of(lease: leases.Lease) -> Batch:
    """Return the batch of the job, as it is now."""
    rows = Batch.objects.select_related("organization", "by__organization", "signer__organization", "credential")
    return rows.get(pk=lease.job.subject)


def open_items(batch: Batch, *, keep: bool) -> list[Item]:
    """Return the items without a result; to apply (`keep`), also those that were only checked."""
    return list(batch.items.filter(state__in=OPEN_STATES if keep else (Item.State.PENDING,)))


def skip_open_items(batch: Batch) -> None:
    """Mark the other items of an all-or-nothing batch as not applied, after one was refused."""
    batch.items.filter(state__in=OPEN_STATES).update(
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


LONGEST_S = 1.5  # nobody's save may wait longer than two seconds
PAUSES_S = (1.0, 4.0, 16.0)  # between two attempts
MOST_NAMED_KINDS = 6  # kinds that a refusal counts


def too_many_together(given: Sequence[Mapping[str, Any]]) -> Refusal | None:
    """Return the refusal of an all-or-nothing batch with more items than can be applied one by one in one transaction.

    The setting is the number of filings; of lighter kinds there may be more, and of several in proportion.
    """
    roots = roots_of((place, item.get("submission")) for place, item in enumerate(given, 1)).values()
    unplanned = unplanned_roots(list(zip(roots, given, strict=True)))
    counts = Counter(str(item.get("action")) for root, item in zip(roots, given, strict=True) if root in unplanned)
    most = settings.BULK_TOGETHER * max(verb.weight for verb in ITEM_VERBS.values())
    weights = {name: ITEM_VERBS[name].weight if name in ITEM_VERBS else 1 for name in counts}
    if sum(weights[name] * count for name, count in counts.items()) <= most:
        return None
    sent = ", ".join(f"{count:,} {name[:40]}" for name, count in counts.most_common(MOST_NAMED_KINDS))
    return Refusal("too-many-together/count", option="all_or_nothing", sent=sent, allowed=_allowed(most))


def _allowed(most: int) -> str:
    """Return how many items of each kind there may be alone: "25 file or 50 recommend or return"."""
    heavy = sorted({verb.weight for verb in ITEM_VERBS.values()} - {1}, reverse=True)
    names = [(weight, [name for name, verb in ITEM_VERBS.items() if verb.weight == weight]) for weight in heavy]
    return ", ".join(
        [f"{most // weight:,} {' or '.join(same)}" for weight, same in names] + [f"or {most:,} other items"]
    )


def apply_all_or_nothing(lease: leases.Lease, batch: Batch) -> None:
    """Apply all, after each was checked by itself; the first refused item undoes everything.

    If that takes too long, everything is undone as well, and tried again a little later. The last time, it is refused.
    """
    for pause in PAUSES_S:
        if _is_answered(lease, batch):
            return
        time.sleep(pause)
    _is_answered(lease, batch, last=True)


class _TooLong(Exception):
    """Others have waited for long enough."""


def _is_answered(lease: leases.Lease, batch: Batch, *, last: bool = False) -> bool:
    """Apply all items, or refuse them; False if it took too long, and this is not the last attempt."""
    dependencies = ItemDependencies(batch)
    parts, chains = planned_parts(open_items(batch, keep=True), dependencies)
    planned, items = list(chain.from_iterable(parts)), list(chain.from_iterable(chains))
    stored = {item.place: item.changes for item in (*planned, *items)}
    lease.beat(0, batch.total, "In progress, all items together")
    plans = plan_items(planned, ActorResolver(batch_of(lease)), dependencies)
    with _nothing_collected(), lease.commit():
        in_time = _deadline()
        if not batch.items.filter(state=Item.State.REFUSED).exists():
            actors = ActorResolver(batch_of(lease))
            lock_submissions(batch, [*planned, *items], dependencies)
            try:
                with transaction.atomic():
                    refused = _first_refused(plans, items, actors, in_time)
                    transaction.set_rollback(refused is not None)
            except _TooLong:
                if not last:
                    return False
                refused = [*planned, *items][0]
                refuse_item(refused, Refusal("too-many-together/seconds", option="all_or_nothing", seconds=LONGEST_S))
            save_results([*planned, *items] if refused is None else [refused], stored)
        skip_open_items(batch)
        lease.beat(batch.total, batch.total)
    return True


def _deadline() -> Callable[[], None]:
    """Return a function that raises `_TooLong` when it is called too late."""
    until = time.monotonic() + LONGEST_S

    def in_time() -> None:
        if time.monotonic() > until:
            raise _TooLong

    return in_time


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Turn Python's garbage collector off while thousands of plans are in memory.

    Otherwise it would go through them again and again, and others would wait longer.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _first_refused(
    plans: Plans, items: Iterable[Item], actors: ActorResolver, in_time: Callable[[], None]
) -> Item | None:
    """Write the plans, if no item is refused as its submission is now; then apply the items, until one is refused."""
    if plans.items:
        plans = current_plans(plans, actors, in_time)
        refused = next((item for item in plans.items if item.state == Item.State.REFUSED), None)
        if refused:
            return refused
        plans.write(in_time)
    for item in items:
        in_time()
        answer_item(item, actors, plans.dependencies)
        if item.state == Item.State.REFUSED:
            return item
    return None


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
            current_plans(plans, actors).write()
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
