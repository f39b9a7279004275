"""The queues of jobs: which kind of job is in which queue, how urgent it is there, and the wake-ups that tell workers.

Each queue has worker processes of its own, so that what waits in one delays nothing in another. Within a queue the most
urgent job that is due is taken first, and the oldest of equally urgent ones. A job that runs is not interrupted, but
long ones give way between two steps (`leases.Lease.give_way`). A wake-up is a message through Celery and is bound to no
job: the worker that gets it takes the most urgent due job of the queue from the table (`leases.claim_due`). One that is
lost, late or one too many does no harm.
"""

import logging
from collections.abc import Mapping
from typing import NamedTuple

from celery import current_app
from django.db.models import QuerySet

from submissions.core.log_context import SELDOM
from submissions.jobs import clock
from submissions.models import Job

SHORT, LONG, OUTBOUND, VERIFICATION, DRAFTS = "short", "long", "outbound", "verification", "drafts"
QUEUES = (SHORT, LONG, OUTBOUND, VERIFICATION, DRAFTS)


class Place(NamedTuple):
    """Where jobs of a kind wait. `urgency`: 0 comes first."""

    queue: str
    urgency: int


PLACES: Mapping[str, Place] = {
    # Short: someone waits for it. Batches of thousands of items give way every second.
    Job.Kind.CHECK: Place(SHORT, 1),
    Job.Kind.BULK: Place(SHORT, 1),
    Job.Kind.DOCUMENT: Place(SHORT, 1),
    Job.Kind.PAPERS: Place(SHORT, 1),
    # Outbound: waits for the machines of others, which may not answer.
    Job.Kind.MAIL: Place(OUTBOUND, 0),
    Job.Kind.WEBHOOK: Place(OUTBOUND, 1),
    # Long: computes for seconds to minutes. First what a page waits for.
    Job.Kind.ANALYZE: Place(LONG, 0),
    Job.Kind.REPLAY: Place(LONG, 0),
    Job.Kind.INSPECT: Place(LONG, 0),
    Job.Kind.ERRATA_HOLDS: Place(LONG, 1),
    Job.Kind.RULE_EFFECTS: Place(LONG, 1),
    Job.Kind.SIMULATE: Place(LONG, 2),
    Job.Kind.DEAL: Place(LONG, 2),
    Job.Kind.TRIAL: Place(LONG, 2),
    # Files and drafts that visitors and people ask for: neither simulations nor signing wait for them.
    Job.Kind.VERIFY: Place(VERIFICATION, 0),
    Job.Kind.REVERIFY: Place(VERIFICATION, 1),
    Job.Kind.DRAFT: Place(DRAFTS, 0),
    Job.Kind.TRIAL_PDF: Place(DRAFTS, 0),
    Job.Kind.EXPORT: Place(DRAFTS, 1),
}
UNKNOWN = Place(LONG, 2)  # of a kind that this version does not have


def due_jobs(queue: str) -> QuerySet[Job]:
    """What may be taken now, the most urgent first and of those the oldest."""
    due = Job.objects.filter(state=Job.State.DUE, queue=queue, not_before__lte=clock.now())
    return due.order_by("urgency", "not_before", "pk")


log = logging.getLogger(__name__)

TASK = "submissions.run_job"


def send_wake_ups(queue: str, count: int = 1, job_id: int | None = None) -> int:
    """Send wake-ups over one connection; returns how many. `job_id` is only for the log of the worker.

    Without a broker the sweeper sends them later: a request does not fail or wait for that.
    """
    sent = 0
    try:
        with current_app.producer_or_acquire() as producer:
            while sent < count:
                current_app.send_task(TASK, args=(queue, job_id), queue=queue, retry=False, producer=producer)
                sent += 1
    except Exception as error:  # of the broker's client, whichever it is
        log.warning("wake-ups are not sent, the broker does not answer (%s). Jobs wait.", error, extra=SELDOM)
    return sent


def send_missing_wake_ups(due: Mapping[str, int]) -> int:
    """Send what is missing until each queue has as many wake-ups as jobs are due; returns how many were sent."""
    try:
        missing = {queue: count - waiting_wake_ups(queue) for queue, count in due.items()}
    except Exception as error:  # likewise
        log.warning("the broker does not answer (%s). Jobs wait; they are sent when it is back.", error, extra=SELDOM)
        return 0
    return sum(send_wake_ups(queue, count) for queue, count in missing.items() if count > 0)


def waiting_wake_ups(queue: str) -> int:
    """How many wake-ups wait in the broker. Raises an error of the broker's client if it does not answer."""
    with current_app.connection_or_acquire() as connection:
        try:
            return int(connection.default_channel.queue_declare(queue=queue, passive=True).message_count)
        except connection.channel_errors:  # Redis does not know an empty queue
            return 0
