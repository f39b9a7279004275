"""The queues of jobs: the queue, the urgency and the Celery task of each kind, and the wake-ups for workers.

Each queue has worker processes of its own, so that what waits in one delays nothing in another. A wake-up is a Celery
message with the number of a job. The worker runs that job if it is due and no other of its queue is more urgent, else
the most urgent one (`next_job`), so that a wake-up that is lost, late or one too many does no harm. A job that runs is
not interrupted, but long ones give way between two steps (`leases.Lease.give_way`).
"""

import logging
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from celery import current_app
from django.db.models import QuerySet, Subquery

from submissions.core.log_context import SELDOM
from submissions.jobs import clock
from submissions.models import Job

SHORT, LONG, OUTBOUND, VERIFICATION, DRAFTS = "short", "long", "outbound", "verification", "drafts"
QUEUES = (SHORT, LONG, OUTBOUND, VERIFICATION, DRAFTS)


class Place(NamedTuple):
    """Where jobs of a kind wait, and the task of `submissions.tasks` that runs them. `urgency`: 0 comes first."""

    queue: str
    urgency: int
    task: str


PLACES: Mapping[str, Place] = {
    # Short: someone waits for it. Batches of thousands of items give way every second.
    Job.Kind.CHECK: Place(SHORT, 1, "check_batch"),
    Job.Kind.BULK: Place(SHORT, 1, "apply_batch"),
    Job.Kind.DOCUMENT: Place(SHORT, 1, "sign_document"),
    Job.Kind.PAPERS: Place(SHORT, 1, "sign_papers"),
    # Outbound: waits for the machines of others, which may not answer.
    Job.Kind.MAIL: Place(OUTBOUND, 0, "send_mail"),
    Job.Kind.WEBHOOK: Place(OUTBOUND, 1, "deliver_webhook"),
    # Long: computes for seconds to minutes. First what a page waits for.
    Job.Kind.ANALYZE: Place(LONG, 0, "analyze_chapter"),
    Job.Kind.REPLAY: Place(LONG, 0, "replay_round"),
    Job.Kind.INSPECT: Place(LONG, 0, "inspect_drawing"),
    Job.Kind.ERRATA_HOLDS: Place(LONG, 1, "compute_errata_holds"),
    Job.Kind.RULE_EFFECTS: Place(LONG, 1, "find_rule_effects"),
    Job.Kind.SIMULATE: Place(LONG, 2, "simulate_filing"),
    Job.Kind.DEAL: Place(LONG, 2, "deal_part"),
    Job.Kind.TRIAL: Place(LONG, 2, "run_trial"),
    # Files and drafts that visitors and people ask for: neither simulations nor signing wait for them.
    Job.Kind.VERIFY: Place(VERIFICATION, 0, "verify_file"),
    Job.Kind.REVERIFY: Place(VERIFICATION, 1, "verify_document_again"),
    Job.Kind.DRAFT: Place(DRAFTS, 0, "print_draft"),
    Job.Kind.TRIAL_PDF: Place(DRAFTS, 0, "print_trial"),
    Job.Kind.EXPORT: Place(DRAFTS, 1, "export_table"),
}
UNKNOWN = Place(LONG, 2, "stop_unknown_job")  # of a kind that this version does not have

log = logging.getLogger(__name__)


def task_name(kind: str) -> str:
    """Return the name of the Celery task that runs jobs of this kind."""
    return f"submissions.tasks.{PLACES.get(kind, UNKNOWN).task}"


def due_jobs(queue: str | Subquery) -> QuerySet[Job]:
    """Return the jobs that may be taken now, the most urgent first and of those the oldest."""
    due = Job.objects.filter(state=Job.State.DUE, queue=queue, not_before__lte=clock.now())
    return due.order_by("urgency", "not_before", "pk")


def next_job(job_id: int) -> Job | None:
    """Return this job if it is due and none of its queue is more urgent, else the most urgent due job of its queue."""
    due = due_jobs(Subquery(Job.objects.filter(pk=job_id).values("queue")))
    first = due.first()
    if first is None or first.pk == job_id:
        return first
    return due.filter(pk=job_id, urgency=first.urgency).first() or first


def send_wake_ups(jobs: Iterable[Job]) -> int:
    """Send a wake-up for each job over one connection; return how many. Without a broker, the sweeper does it later."""
    sent = 0
    try:
        with current_app.producer_or_acquire() as producer:
            for job in jobs:
                current_app.send_task(task_name(job.kind), args=(job.pk,), queue=job.queue, producer=producer)
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
    return sum(send_wake_ups(due_jobs(queue)[:count]) for queue, count in missing.items() if count > 0)


def waiting_wake_ups(queue: str) -> int:
    """Return the number of wake-ups that wait in the broker; raise an error of its client if it does not answer."""
    with current_app.connection_or_acquire() as connection:
        try:
            return int(connection.default_channel.queue_declare(queue=queue, passive=True).message_count)
        except connection.channel_errors:  # Redis does not know an empty queue
            return 0
