"""Batches for tests: sent by a program or by a person, and worked on as a worker does it, in this process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, transaction

from submissions.bulk import batch_worker, intake, planned_items
from submissions.bulk.items import ItemDependencies
from submissions.jobs import leases
from submissions.models import Batch, Credential, Event, Item, Job, Person
from submissions.tasks import run_task

Sending = Person | Credential
BATCH_JOBS = (Job.Kind.CHECK, Job.Kind.BULK)


def send(by: Sending, *items: object, mode: str = "live", atomic: bool = False, **given: Any) -> Batch:
    """Take the items in. `form="csv"`: their answers are text; `needs_confirmation`: as an upload on a page."""
    form = given.pop("form", "json")
    parcel = intake.Upload(items, form, sha256(json.dumps(items).encode()).hexdigest())
    if isinstance(by, Credential):
        return intake.accept_upload(by.service_account, parcel, mode=mode, atomic=atomic, credential=by, **given)
    return intake.accept_upload(by, parcel, mode=mode, atomic=atomic, **given)


def work(batch: Batch) -> Batch:
    """What the workers would do with it now."""
    for job in Job.objects.filter(subject=batch.pk, kind__in=BATCH_JOBS).exclude(state__in=leases.ENDED):
        run_task(job)
    batch.refresh_from_db()
    return batch


def sent(by: Sending, *items: object, **given: Any) -> Batch:
    """Taken in and worked on; it may wait for its confirmation now."""
    return work(send(by, *items, **given))


def confirmed(by: Person, batch: Batch) -> Batch:
    return work(intake.confirm_batch(by, batch, attested=True))


def item(batch: Batch, place: int = 1) -> Item:
    found: Item = batch.items.get(place=place)
    return found


def outcomes(batch: Batch) -> list[tuple[str, str]]:
    """Of each item in its order, its state and the code that says why."""
    return list(batch.items.values_list("state", "code"))


def counted(batch: Batch) -> Counter[str]:
    return Counter(batch.items.values_list("state", flat=True))


def happened() -> Counter[str]:
    """What the history has so far, by verb."""
    return Counter(Event.objects.values_list("verb", flat=True))


def last_attempt(batch: Batch) -> Job:
    """The job that works on the batch has one attempt left."""
    job = Job.objects.filter(subject=batch.pk, kind__in=BATCH_JOBS).latest("pk")
    Job.objects.filter(pk=job.pk).update(attempts=settings.JOB_ATTEMPTS - 1)
    return job


def unplanned(items: Sequence[Item], dependencies: ItemDependencies) -> tuple[list[list[Item]], list[list[Item]]]:
    """In place of `planned_parts`: every item is applied by its handler, as one that is sent alone."""
    return [], dependencies.chains(items)


def replace_step(monkeypatch: pytest.MonkeyPatch, name: str, step: Callable[..., object]) -> None:
    """Take this in place of a step of planned items, of batches of both kinds."""
    monkeypatch.setattr(batch_worker, name, step)


@contextmanager
def undone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Undo at its end what was written and replaced within: the next case begins with the same rows."""
    with monkeypatch.context() as replaced, transaction.atomic():
        yield replaced
        transaction.set_rollback(True)


@contextmanager
def worker_that_dies_after_writing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Within, a worker stops after it wrote the plans and before the end of their transaction."""
    write = planned_items.Plans.write

    def write_and_die(*given: Any) -> None:
        write(*given)
        raise OperationalError("the machine stops")

    with monkeypatch.context() as trouble:
        trouble.setattr(planned_items.Plans, "write", write_and_die)
        yield
