"""Wake-ups: messages that say "a job of this queue is due", sent to the workers through Celery.

A wake-up is bound to no job: the worker that gets it takes the most urgent due job of the queue from the table
(`leases.claim_due`). One that is lost, late or one too many does no harm. Not here: which jobs are due (`sweep`).
"""

import logging
from collections.abc import Mapping

from celery import current_app

from submissions.core.log_context import SELDOM

log = logging.getLogger(__name__)

TASK = "submissions.run_job"


def send(queue: str, count: int = 1, job_id: int | None = None) -> int:
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


def fill(due: Mapping[str, int]) -> int:
    """Send what is missing until each queue has as many wake-ups as jobs are due; returns how many were sent."""
    try:
        missing = {queue: count - length(queue) for queue, count in due.items()}
    except Exception as error:  # likewise
        log.warning("the broker does not answer (%s). Jobs wait; they are sent when it is back.", error, extra=SELDOM)
        return 0
    return sum(send(queue, count) for queue, count in missing.items() if count > 0)


def length(queue: str) -> int:
    """How many wake-ups wait in the broker. Raises an error of the broker's client if it does not answer."""
    with current_app.connection_or_acquire() as connection:
        try:
            return int(connection.default_channel.queue_declare(queue=queue, passive=True).message_count)
        except connection.channel_errors:  # Redis does not know an empty queue
            return 0
