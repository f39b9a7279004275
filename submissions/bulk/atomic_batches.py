"""Applying a batch all or nothing: in one transaction, which makes others wait for as short as possible.

Creates and updates are planned before. The transaction compares versions, plans again what has changed, and writes.
Items of other kinds are applied in it one by one: `too_many_together` bounds their number. `LONGEST_S` bounds the time
of all, since a machine can be slow, and webhooks take time for each event.
"""

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from django.conf import settings
from django.db import transaction

from submissions.bulk.batch_rows import batch_of, lock_submissions, open_items, skip_open_items
from submissions.bulk.item_dependencies import ItemDependencies, roots_of
from submissions.bulk.item_results import ActorResolver, answer_item, refuse_item, save_results
from submissions.bulk.planned_items import (
    Plans,
    plan_items,
    planned_parts,
    refresh_plans,
    unplanned_roots,
    write_plans,
)
from submissions.core.errors import Refusal
from submissions.jobs import leases
from submissions.models import Batch, Item

LONGEST_S = 1.5  # nobody's save may wait longer than two seconds
ATTEMPTS, PAUSE_S = 3, 1.0


def too_many_together(given: Sequence[Mapping[str, Any]]) -> Refusal | None:
    """The refusal of an all-or-nothing batch with more items than can be applied one by one in one transaction."""
    roots = roots_of((place, item.get("submission")) for place, item in enumerate(given, 1)).values()
    unplanned = unplanned_roots(list(zip(roots, given, strict=True)))
    count, most = sum(root in unplanned for root in roots), settings.BULK_TOGETHER
    if count <= most:
        return None
    return Refusal("too-many-together/count", option="all_or_nothing", count=count, most=most)


def apply_all_or_nothing(lease: leases.Lease, batch: Batch) -> None:
    """Apply all, after each was checked by itself; the first refused item undoes everything.

    If that takes too long, everything is undone as well, and tried again a little later. The last time, it is refused.
    """
    for left in reversed(range(ATTEMPTS)):
        if _is_answered(lease, batch, last=not left):
            return
        time.sleep(PAUSE_S)


class _TooLong(Exception):
    """Others have waited for long enough."""


def _is_answered(lease: leases.Lease, batch: Batch, *, last: bool) -> bool:
    """Apply all items, or refuse them; False if it took too long, and this is not the last attempt."""
    dependencies = ItemDependencies(batch)
    parts, chains = planned_parts(open_items(batch, keep=True), dependencies)
    planned, items = list(chain.from_iterable(parts)), list(chain.from_iterable(chains))
    lease.beat(0, batch.total, "In progress, all items together")
    plans: Plans = {}
    for part in parts:
        plans |= plan_items(part, ActorResolver(batch_of(lease)), dependencies)
    with _present_objects_not_collected(), lease.commit():
        in_time = _deadline()
        if not batch.items.filter(state=Item.State.REFUSED).exists():
            actors = ActorResolver(batch_of(lease))
            lock_submissions(batch, [*planned, *items], dependencies)
            try:
                with transaction.atomic():
                    refused = _first_refused_plan(plans, planned, actors, dependencies, in_time) if planned else None
                    refused = refused or _first_refused(items, actors, dependencies, in_time)
                    transaction.set_rollback(refused is not None)
            except _TooLong:
                if not last:
                    return False
                refused = [*planned, *items][0]
                refuse_item(refused, Refusal("too-many-together/seconds", option="all_or_nothing", seconds=LONGEST_S))
            save_results([*planned, *items] if refused is None else [refused])
        skip_open_items(batch)
        lease.beat(batch.total, batch.total)
    return True


def _deadline() -> Callable[[], None]:
    """Raises `_TooLong` when it is called too late."""
    until = time.monotonic() + LONGEST_S

    def in_time() -> None:
        if time.monotonic() > until:
            raise _TooLong

    return in_time


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
    plans: Plans, items: list[Item], actors: ActorResolver, dependencies: ItemDependencies, in_time: Callable[[], None]
) -> Item | None:
    """Write the plans of these items, if none is refused as its submission is now."""
    plans = refresh_plans(plans, items, actors, dependencies, in_time)
    refused = next((item for item in items if item.state == Item.State.REFUSED), None)
    if refused is None:
        write_plans(plans, items, dependencies, in_time)
    return refused


def _first_refused(
    items: Iterable[Item], actors: ActorResolver, dependencies: ItemDependencies, in_time: Callable[[], None]
) -> Item | None:
    """Apply the items one by one, until one is refused."""
    for item in items:
        in_time()
        answer_item(item, actors, dependencies)
        if item.state == Item.State.REFUSED:
            return item
    return None
