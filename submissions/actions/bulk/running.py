"""What a worker does with a batch: it checks the items, or carries them out; each is answered once.

An item's effect and its answer are one transaction, so a worker that is killed leaves no item done without its answer,
nor answered without being done; the next one goes on with those that wait. Checking does the same and takes it back.

Items that name the same submission are done one after the other, in their order. A step of a filing is not taken once
an earlier item of the same submission was refused; nor is anything done with what an item did not make.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from games.rules.export import finding_data
from submissions.access.programs import signers_of
from submissions.actions import jobs, sandboxes
from submissions.actions.bulk.doing import Doer, Done, do
from submissions.actions.bulk.shapes import VERBS, Sent, read
from submissions.actions.bulk.standing import Standings
from submissions.errors import Forbidden, Refusal
from submissions.models import Batch, Item, Job, Person

log = logging.getLogger(__name__)

SLICE = 0.2  # seconds for which others may have to wait for the database
OPEN = (Item.State.WAITING, Item.State.PASSED)
KEPT = ("state", "status", "code", "message", "fix", "section", "option", "findings", "made", "changes", "at")
NOBODY = "Have an administrator give somebody the role that takes this step, with a second factor."


def check(lease: jobs.Lease) -> None:
    """Say of each item what would become of it; then wait for the confirmation, or end."""
    batch = _of(lease)
    if batch.state != Batch.State.CHECKING:
        return
    _in_slices(lease, batch, keep=False)
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
    if ended := _credential_ended(batch):
        _refuse_all(lease, batch, ended)
    elif batch.together:
        _together(lease, batch)
    else:
        _in_slices(lease, batch, keep=True)
    with lease.commit():
        _end(batch)


def _of(lease: jobs.Lease) -> Batch:
    rows = Batch.objects.select_related("organisation", "by__organisation", "signer__organisation", "credential")
    return rows.get(pk=lease.job.subject)


def _in_slices(lease: jobs.Lease, batch: Batch, *, keep: bool) -> None:
    """Submission by submission, as many in one transaction as fit into a slice of time."""
    standings = Standings(batch)
    left = standings.chains(_open(batch, keep=keep))
    done = batch.total - sum(map(len, left))
    runs = iter(left)
    while True:
        lease.beat(done, batch.total, "Being carried out" if keep else "Being checked")
        with lease.commit():
            answered = list(chain.from_iterable(_slice(runs, batch, standings, keep=keep)))
            Item.objects.bulk_update(answered, KEPT, batch_size=100)
        if not answered:
            return
        done += len(answered)


def _slice(runs: Iterator[list[Item]], batch: Batch, standings: Standings, *, keep: bool) -> Iterator[list[Item]]:
    until = time.monotonic() + SLICE
    for items in runs:
        if keep:
            _answer_each(items, batch, standings)
        else:
            _try_each(items, batch, standings)
        yield items
        if time.monotonic() > until:
            return


def _try_each(items: Sequence[Item], batch: Batch, standings: Standings) -> None:
    """Do them, note the answers, and take back what was done."""
    with transaction.atomic():
        _answer_each(items, batch, standings)
        transaction.set_rollback(True)
    for item in items:
        if item.state == Item.State.DONE:  # what it made is gone again
            item.state = Item.State.PASSED
            item.made = {name: value for name, value in item.made.items() if name == "seen"}


def _together(lease: jobs.Lease, batch: Batch) -> None:
    """All in one transaction, once each was checked by itself; the first that is refused takes back everything."""
    items = _open(batch, keep=False)
    if items:  # not checked before it was confirmed
        _in_slices(lease, batch, keep=False)
    if batch.items.filter(state=Item.State.REFUSED).exists():
        with lease.commit():
            _leave_the_rest(batch)
        return
    standings = Standings(batch)
    items = list(chain.from_iterable(standings.chains(_open(batch, keep=True))))
    lease.beat(0, batch.total, "Being carried out, all together")
    with lease.commit():
        with transaction.atomic():
            refused = next(_refused(items, batch, standings), None)
            transaction.set_rollback(refused is not None)
        if refused is not None:
            Item.objects.bulk_update([refused], KEPT)
            _leave_the_rest(batch)
        else:
            Item.objects.bulk_update(items, KEPT, batch_size=100)


def _refused(items: Iterable[Item], batch: Batch, standings: Standings) -> Iterator[Item]:
    for item in items:
        _answer_each([item], batch, standings)
        if item.state == Item.State.REFUSED:
            yield item


def _answer_each(items: Sequence[Item], batch: Batch, standings: Standings) -> None:
    """Do each, and write its answer into it."""
    for item in items:
        try:
            with transaction.atomic():
                done = _do(item, batch, standings)
        except Refusal as refusal:
            _refuse(item, refusal)
        except (DataError, IntegrityError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            log.exception("%s, item %s", batch.number, item.place)
            _refuse(item, _fault())
        else:
            _note(item, done)
        standings.note(item)


def _do(item: Item, batch: Batch, standings: Standings) -> Done:
    sent = read(item.given)
    number = standings.submission_of(item, sent)
    doer = Doer(_doer(batch, sent), typed=batch.form != "json", seen=item.made.get("seen", {}))
    return do(doer, sent, number)


def _doer(batch: Batch, sent: Sent) -> Person:
    """Who does it: of a step, the person who confirmed it; before that, whoever would have to, without a signature."""
    if not VERBS[sent.verb].signed:
        return batch.by
    if batch.signer:
        return batch.signer
    if not batch.organisation.is_live:
        return sandboxes.signer_of(batch.organisation)
    signers = signers_of(batch.organisation)
    found: Person | None = signers.filter(pk=batch.by.pk).first() or signers.first()
    if found is None:
        raise Forbidden("nobody-signs", f"Nobody at {batch.organisation} may confirm it.", fix=NOBODY)
    return found


def _note(item: Item, done: Done) -> None:
    item.state, item.status, item.at = Item.State.DONE, 200, timezone.now()
    item.made, item.changes = done.made, done.changes
    item.code = item.message = item.fix = item.section = item.option = ""
    item.findings = []


def _refuse(item: Item, refusal: Refusal) -> None:
    item.state, item.status, item.at = Item.State.REFUSED, refusal.status, timezone.now()
    item.code, item.message, item.fix = refusal.code[:60], refusal.message, refusal.fix
    item.section, item.option = refusal.citation[:200], refusal.option[:60]
    item.findings = [finding_data(finding) for finding in refusal.findings]
    item.made, item.changes = {}, []


def _fault() -> Refusal:
    fault = Refusal("our-fault", "The portal failed.", fix="It is logged. Try again, or tell its operator.")
    fault.status = 500
    return fault


def _open(batch: Batch, *, keep: bool) -> list[Item]:
    """What is to be done: everything that is not answered; to carry out, what was only checked too."""
    states = OPEN if keep else (Item.State.WAITING,)
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


def _credential_ended(batch: Batch) -> Refusal | None:
    """A revoked credential does nothing more, unless a person has confirmed what it sent."""
    if batch.signer or batch.credential is None or batch.credential.revoked_at is None:
        return None
    return Refusal(
        "credential-revoked", f"“{batch.credential.name}” was revoked.", fix="Send it again with another credential."
    )


def _refuse_all(lease: jobs.Lease, batch: Batch, refusal: Refusal) -> None:
    items = _open(batch, keep=True)
    for item in items:
        _refuse(item, refusal)
    with lease.commit():
        Item.objects.bulk_update(items, KEPT, batch_size=100)


def _end(batch: Batch) -> None:
    batch.state, batch.finished_at = Batch.State.DONE, timezone.now()
    batch.save(update_fields=["state", "finished_at"])


EXECUTORS: dict[str, jobs.Executor] = {Job.Kind.CHECK: check, Job.Kind.BULK: carry_out}
