"""Results that pages show and no filing contains: computed by jobs, stored as exact JSON.

A page shows the stored result or tries again later. In exact JSON a fraction is the text "a/b" and a tuple a list, so
that nothing is lost; the API's shapes, with percentages, are in `games.maths.export`. Not here: what is computed
(`analysis_cache`, `replayed_rounds`), how jobs are run (`jobs.leases`).
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from django.db import transaction

from submissions.jobs import leases
from submissions.models import Computation, Job

STORED_FOR = timedelta(days=1)  # what can be made again at any time: a replayed round, a draft, a trial as PDF
NOT_FOR_LONG = (Job.Kind.REPLAY, Job.Kind.DRAFT, Job.Kind.TRIAL_PDF)


class ComputationStopped(Exception):
    """The job failed; the operator finds the reason in the log and can run it again."""


def stored_result(kind: Job.Kind, key: str, arguments: Mapping[str, object]) -> Any | None:
    """The result, or None until a job, which the first call enqueues, has computed it. Raises `ComputationStopped`."""
    row = Computation.objects.filter(key=key).values_list("pk", "result").first()
    if row is None:
        with transaction.atomic():
            defaults = {"kind": kind, "arguments": arguments}
            leases.enqueue(kind, Computation.objects.get_or_create(key=key, defaults=defaults)[0].pk)
        return None
    pk, result = row
    if result is None and Job.objects.filter(kind=kind, subject=pk, state__in=leases.STOPPED).exists():
        raise ComputationStopped(key)
    return result


def run_computation(lease: leases.Lease, compute: Callable[[Computation], Any]) -> None:
    """Store the result of `compute`, unless there is one."""
    row = Computation.objects.get(pk=lease.job.subject)
    if row.result is None:
        result = compute(row)
        with lease.commit():
            Computation.objects.filter(pk=row.pk).update(result=result)


def delete_old_results(now: datetime) -> int:
    """Delete replayed rounds and drafts that are older than a day, with their jobs; returns how many."""
    old = Computation.objects.filter(kind__in=NOT_FOR_LONG, created_at__lt=now - STORED_FOR)
    with transaction.atomic():
        Job.objects.filter(kind__in=NOT_FOR_LONG, subject__in=old.values("pk")).delete()
        return old.delete()[0]


def to_data(value: object) -> Any:
    """A dataclass, or a tuple of them, as exact JSON."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [to_data(item) for item in value]
    if is_dataclass(value):
        return {field.name: to_data(getattr(value, field.name)) for field in fields(value)}
    return value


@cache
def reader(shape: Any) -> Callable[[Any], Any]:
    """A function from exact JSON to a value of this type: a dataclass, `tuple[X, ...]`, `X | None` or a plain type."""
    if isinstance(shape, type) and is_dataclass(shape):
        hints = get_type_hints(shape)
        readers = {field.name: reader(hints[field.name]) for field in fields(shape)}
        return lambda data: shape(**{name: read(data[name]) for name, read in readers.items()})
    if get_origin(shape) is tuple:
        item = reader(get_args(shape)[0])
        return lambda data: tuple(map(item, data))
    if get_origin(shape) is UnionType:
        present = reader(get_args(shape)[0])
        return lambda data: None if data is None else present(data)
    return shape if shape in (Fraction, float) else lambda data: data
