"""Results that pages show and no filing contains: computed by jobs, stored as exact JSON (`games.runs.exact_json`).

A page shows the stored result or tries again later. Not here: what is computed (`analysis_cache`, `replayed_rounds`),
how jobs are run (`jobs.leases`).
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction

from submissions.core.database_faults import disk_fault
from submissions.core.log_context import SELDOM
from submissions.jobs import leases
from submissions.models import Computation, Job

log = logging.getLogger(__name__)

STORED_FOR = timedelta(
    days=1
)  # what can be made again at any time: a replayed round, a draft, a trial as PDF, an export
NOT_FOR_LONG = (Job.Kind.REPLAY, Job.Kind.DRAFT, Job.Kind.TRIAL_PDF, Job.Kind.EXPORT)


class ComputationStopped(Exception):
    """The job failed; the operator finds the reason in the log and can run it again."""


def stored_result(kind: Job.Kind, key: str, arguments: Mapping[str, object]) -> Any | None:
    """The result, or None until a job, which the first call enqueues, has computed it. Raises `ComputationStopped`.

    A page that only reads is shown without the result while no job can be stored.
    """
    row = Computation.objects.filter(key=key).values_list("pk", "result").first()
    if row is None:
        try:
            with transaction.atomic():
                defaults = {"kind": kind, "arguments": arguments}
                leases.enqueue(kind, Computation.objects.get_or_create(key=key, defaults=defaults)[0].pk)
        except DatabaseError as error:
            if connection.in_atomic_block or not (fault := disk_fault(error)):
                raise
            log.warning("nothing is computed, %s", fault, extra=SELDOM)
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
    """Delete replayed rounds, drafts and exports that are older than a day, with their jobs; returns how many."""
    old = Computation.objects.filter(kind__in=NOT_FOR_LONG, created_at__lt=now - STORED_FOR)
    with transaction.atomic():
        Job.objects.filter(kind__in=NOT_FOR_LONG, subject__in=old.values("pk")).delete()
        return old.delete()[0]
