"""A job divided into parts: jobs of their own, which all workers share. The last one to end makes the whole due again.

The rows of the parts name the whole job as their `parent`. While they are open, its state is `divided`; it is then run
once more to put the results together. If a part stops, so does the whole. `settle` may be called at any moment by any
process; a call that was missed is made up by the sweeper. Not here: what a part is (`filings.evidence.simulations`).
"""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from submissions.jobs import clock, queues
from submissions.jobs.queues import PLACES
from submissions.models import Job

STOPPED = (Job.State.FAILED, Job.State.ERRORED)


def enqueue_parts(parent: Job, kind: Job.Kind, subjects: Sequence[int]) -> None:
    """Create a job for each subject, in the caller's transaction; those that ended are run again."""
    place = PLACES[kind]
    rows = [
        Job(
            kind=kind,
            subject=subject,
            parent=parent,
            not_before=clock.now(),
            queue=place.queue,
            urgency=place.urgency,
            request_id=parent.request_id,
        )
        for subject in subjects
    ]
    Job.objects.bulk_create(rows, ignore_conflicts=True)
    parts = Job.objects.filter(kind=kind, parent=parent, subject__in=subjects)
    parts.filter(state__in=(Job.State.DONE, *STOPPED)).update(
        state=Job.State.DUE, attempts=0, fence=F("fence") + 1, not_before=clock.now(), finished_at=None
    )
    transaction.on_commit(lambda: queues.send_wake_ups(parts.filter(state=Job.State.DUE)))


def settle(parent_id: int) -> None:
    """Make the divided job due if all parts are done; if one stopped, stop it with that part's message."""
    parts, parent = Job.objects.filter(parent=parent_id), Job.objects.filter(pk=parent_id, state=Job.State.DIVIDED)
    stopped = parts.filter(state__in=STOPPED).order_by("pk").first()
    if stopped:
        parent.update(state=stopped.state, message=stopped.message, finished_at=clock.now())
    elif not parts.exclude(state=Job.State.DONE).exists() and parent.update(state=Job.State.DUE):  # keeps its age
        transaction.on_commit(partial(queues.send_wake_ups, [Job.objects.get(pk=parent_id)]))


def settle_all() -> None:
    """Settle every divided job that has no open part or one that stopped."""
    parts = Job.objects.filter(parent=OuterRef("pk"))
    no_open_part = ~Exists(parts.exclude(state=Job.State.DONE))
    one_stopped = Exists(parts.filter(state__in=STOPPED))
    divided = Job.objects.filter(Q(no_open_part) | Q(one_stopped), state=Job.State.DIVIDED)
    for job_id in divided.values_list("pk", flat=True):
        settle(job_id)
