"""What a worker does with a batch: it checks the items, or carries them out; each is answered once.

An item's effect and its answer are one transaction, so a worker that is killed leaves no item done without its answer,
nor answered without being done; the next one goes on with those that wait. Checking does the same and takes it back.

Items that name the same submission are done one after the other, in their order. A step of a filing is not taken once
an earlier item of the same submission was refused; nor is anything done with what an item did not make.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from django.db import connection, transaction
from django.utils import timezone

from submissions.access import visible_to
from submissions.actions import jobs
from submissions.actions.bulk.answering import Doers, answer, keep, try_out
from submissions.actions.bulk.standing import Standings
from submissions.models import Batch, Item, Job

SLICE = 0.2  # seconds for which others may have to wait for the database
HELD = 50  # chains at most that are held for a slice
PAUSE = 0.1  # seconds between two slices in which they come to it
OPEN = (Item.State.WAITING, Item.State.PASSED)


def check(lease: jobs.Lease) -> None:
    """Say of each item what would become of it; then wait for the confirmation, or end."""
    batch = _of(lease)
    if batch.state != Batch.State.CHECKING:
        return
    _in_slices(lease, batch, kept=False)
    refused = batch.items.filter(state=Item.State.REFUSED).exists()
    with lease.commit():
        if batch.asks and not (batch.together and refused) and batch.items.filter(state=Item.State.PASSED).exists():
            batch.state = Batch.State.WAITING
            batch.save(update_fields=["state"])
        else:
            if batch.together and batch.mode == Batch.Mode.LIVE:
                _leave_the_rest(batch)
            _end(batch)


def carry_out(lease: jobs.Lease) -> None:
    """Do what waits."""
    batch = _of(lease)
    if batch.state != Batch.State.RUNNING:
        return
    if batch.together:
        _in_slices(lease, batch, kept=False)  # what was not checked before it was confirmed
        _together(lease, batch)
    else:
        _in_slices(lease, batch, kept=True)
    with lease.commit():
        _end(batch)


def _of(lease: jobs.Lease) -> Batch:
    rows = Batch.objects.select_related("organisation", "by__organisation", "signer__organisation", "credential")
    return rows.get(pk=lease.job.subject)


def _in_slices(lease: jobs.Lease, batch: Batch, *, kept: bool) -> None:
    """As many in one transaction as fit into a slice of time; others come in between two of them.

    What is kept is done item by item. What is taken back is taken back with all that its submission's items built on.
    """
    standings = Standings(batch)
    chains = standings.chains(_open(batch, kept=kept))
    runs = [[item] for item in chain.from_iterable(chains)] if kept else chains
    done, at = batch.total - sum(map(len, chains)), 0
    while at < len(runs):
        with lease.commit():
            answered = list(_slice(runs[at : at + HELD], Doers(_of(lease)), standings, kept=kept))
            keep(chain.from_iterable(answered))
            at, done = at + len(answered), done + sum(map(len, answered))
            lease.beat(done, batch.total, "Being carried out" if kept else "Being checked")
        _let_others_in()


def _slice(runs: Sequence[list[Item]], doers: Doers, standings: Standings, *, kept: bool) -> Iterator[list[Item]]:
    until = time.monotonic() + SLICE
    _hold(doers.batch, chain.from_iterable(runs), standings)
    for items in runs:
        if kept:
            answer(items[0], doers, standings)
        else:
            try_out(items, doers, standings)
        yield items
        if time.monotonic() > until:
            return


def _together(lease: jobs.Lease, batch: Batch) -> None:
    """All in one transaction, after each was checked by itself; the first that is refused takes back everything."""
    standings = Standings(batch)
    items = list(chain.from_iterable(standings.chains(_open(batch, kept=True))))
    lease.beat(0, batch.total, "Being carried out, all together")
    with lease.commit():
        if not batch.items.filter(state=Item.State.REFUSED).exists():
            doers = Doers(_of(lease))
            _hold(batch, items, standings)
            with transaction.atomic():
                refused = _first_refused(items, doers, standings)
                transaction.set_rollback(refused is not None)
            keep(items if refused is None else [refused])
        _leave_the_rest(batch)
        lease.beat(batch.total, batch.total)


def _first_refused(items: Iterable[Item], doers: Doers, standings: Standings) -> Item | None:
    for item in items:
        answer(item, doers, standings)
        if item.state == Item.State.REFUSED:
            return item
    return None


def _hold(batch: Batch, items: Iterable[Item], standings: Standings) -> None:
    """The submissions that they name, all before the first is done and in one order, as everybody does: whoever has
    written history must not wait for a submission that is held by somebody who waits for the history."""
    named = {standings.number_of(item) for item in items}
    rows = visible_to(batch.by).filter(number__in=named).order_by("pk").values_list("pk", flat=True)
    list(rows.select_for_update(no_key=True, of=("self",)))


def _let_others_in() -> None:
    """SQLite has no queue: who waits for it asks ten times a second. PostgreSQL has one."""
    if connection.vendor == "sqlite":
        time.sleep(PAUSE)


def _open(batch: Batch, *, kept: bool) -> list[Item]:
    """What is to be done: everything that is not answered; to carry out, what was only checked too."""
    states = OPEN if kept else (Item.State.WAITING,)
    return list(batch.items.filter(state__in=states))


def _leave_the_rest(batch: Batch) -> None:
    batch.items.filter(state__in=OPEN).update(
        state=Item.State.UNDONE,
        status=424,
        code="others-refused",
        message="Nothing was done: other items were refused, and all or nothing was asked for.",
        fix="Mend those, and send all of them again.",
        at=timezone.now(),
    )


def _end(batch: Batch) -> None:
    batch.state, batch.finished_at = Batch.State.DONE, timezone.now()
    batch.save(update_fields=["state", "finished_at"])


EXECUTORS: dict[str, jobs.Executor] = {Job.Kind.CHECK: check, Job.Kind.BULK: carry_out}
