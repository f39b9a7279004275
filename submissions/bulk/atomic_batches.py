"""Applying a batch all or nothing: in one transaction, which makes others wait for as short as possible.

Creates and updates are planned before. The transaction compares versions, plans again what has changed, and writes.
Items of other kinds are applied in it one by one: `too_many_together` bounds their number. `LONGEST_S` bounds the time
of all, since a machine can be slow, and webhooks take time for each event.
"""

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from django.conf import settings
from django.db import transaction

from submissions.bulk.batch_rows import batch_of, lock_submissions, open_items, skip_open_items
from submissions.bulk.item_dependencies import ItemDependencies, roots_of
from submissions.bulk.item_results import ActorResolver, answer_item, refuse_item, save_results
from submissions.bulk.item_schema import ITEM_VERBS
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
PAUSES_S = (1.0, 4.0, 16.0)  # between two attempts
MOST_NAMED = 6  # kinds that a refusal counts


def too_many_together(given: Sequence[Mapping[str, Any]]) -> Refusal | None:
    """The refusal of an all-or-nothing batch with more items than can be applied one by one in one transaction.

    The setting is the number of filings; of lighter kinds there may be more, and of several in proportion.
    """
    roots = roots_of((place, item.get("submission")) for place, item in enumerate(given, 1)).values()
    unplanned = unplanned_roots(list(zip(roots, given, strict=True)))
    counts = Counter(str(item.get("action")) for root, item in zip(roots, given, strict=True) if root in unplanned)
    most = settings.BULK_TOGETHER * max(verb.weight for verb in ITEM_VERBS.values())
    weights = {name: ITEM_VERBS[name].weight if name in ITEM_VERBS else 1 for name in counts}
    if sum(weights[name] * count for name, count in counts.items()) <= most:
        return None
    sent = ", ".join(f"{count:,} {name[:40]}" for name, count in counts.most_common(MOST_NAMED))
    return Refusal("too-many-together/count", option="all_or_nothing", sent=sent, allowed=_allowed(most))


def _allowed(most: int) -> str:
    """How many items of each kind there may be, if there are none of another: "25 file or 50 recommend or return"."""
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
    plans: Plans = {}
    for part in parts:
        plans |= plan_items(part, ActorResolver(batch_of(lease)), dependencies)
    with _nothing_collected(), lease.commit():
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
            save_results([*planned, *items] if refused is None else [refused], stored)
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
def _nothing_collected() -> Iterator[None]:
    """Thousands of plans are in memory. Otherwise Python's garbage collector would go through them again and again, and
    others would wait longer.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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
