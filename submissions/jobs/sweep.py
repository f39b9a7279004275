"""Jobs whose worker is gone: sweepers make them due again every few seconds, and wake workers for those that are due.

The broker never has more wake-ups than jobs are due: only the difference is sent. Not here: the loop
(`portal.processes.sweeper`), how a job is taken and run (`leases`).
"""

import logging
from collections import Counter
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db.models import Count, F, Q

from submissions.jobs import clock, queues
from submissions.jobs.leases import ENDED, LONGEST_PAUSE, LONGEST_REST, settle_all
from submissions.jobs.queues import PLACES, UNKNOWN
from submissions.models import Job, SweepTurn

log = logging.getLogger(__name__)

WRONG_CLOCK = timedelta(minutes=5)  # a time further ahead than any that we set was written by a wrong clock
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def take_turn() -> bool:
    """Return whether this sweeper sweeps now: of all sweepers of all machines, one does in each interval."""
    row = SweepTurn.objects.filter(pk=1, at__lte=clock.now(-settings.SWEEP_EVERY / 2))
    if row.update(at=clock.now()):
        return True
    _, is_first = SweepTurn.objects.get_or_create(pk=1, defaults={"at": LONG_AGO})
    return is_first and bool(row.update(at=clock.now()))


def sweep_due_jobs() -> int:
    """Make due what a dead worker left, and wake workers; returns how many wake-ups were sent."""
    _correct_impossible_times()
    _release_expired_leases()
    settle_all()
    return queues.send_missing_wake_ups(_due_jobs_by_queue())


def _release_expired_leases() -> None:
    """Make jobs with an expired lease due; the fence stays, so that a worker that was only slow may go on."""
    expired = Q(lease_until__isnull=True) | Q(lease_until__lte=clock.now())
    if count := Job.objects.filter(expired, state=Job.State.RUNNING).update(state=Job.State.DUE):
        log.warning("%s jobs of workers that gave no sign of life are due again", count)


def _due_jobs_by_queue() -> Counter[str]:
    """Return the number of due jobs by queue; those of an earlier version get their present place first."""
    due = Job.objects.filter(state=Job.State.DUE, not_before__lte=clock.now())
    counts: Counter[str] = Counter()
    for kind, queue, urgency, count in (
        due.order_by().values_list("kind", "queue", "urgency").annotate(count=Count("pk"))
    ):
        place = PLACES.get(kind, UNKNOWN)
        if (queue, urgency) != (place.queue, place.urgency):
            open_jobs = Job.objects.exclude(state__in=ENDED).filter(kind=kind)
            open_jobs.update(queue=place.queue, urgency=place.urgency)
        counts[place.queue] += count
    return counts


def _correct_impossible_times() -> None:
    """Make due now what reaches further ahead than we ever set: the clock that counts was wrong once."""
    leased = Job.objects.filter(state=Job.State.RUNNING)
    leased.filter(lease_until__gt=clock.now(settings.JOB_LEASE + WRONG_CLOCK)).update(lease_until=clock.now())
    is_webhook = Q(kind=Job.Kind.WEBHOOK)
    too_late = Q(is_webhook, not_before__gt=clock.now(LONGEST_REST + WRONG_CLOCK)) | Q(
        ~is_webhook, not_before__gt=clock.now(LONGEST_PAUSE + WRONG_CLOCK)
    )
    Job.objects.filter(too_late, state=Job.State.DUE).update(not_before=clock.now())


def release_leases() -> int:
    """Make every job that was running due again, at once; how many. A worker of before has a fence that is too old."""
    released = {"state": Job.State.DUE, "lease_until": None, "fence": F("fence") + 1, "not_before": clock.now()}
    return Job.objects.filter(state=Job.State.RUNNING).update(**released)
