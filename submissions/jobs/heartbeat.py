"""A thread beside a long step that extends the job's lease again and again."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, connection

from submissions.core.database_faults import fault_words
from submissions.core.log_context import SELDOM

log = logging.getLogger(__name__)


@contextmanager
def heartbeat(job_id: int, extend: Callable[[], None], lost: type[Exception]) -> Iterator[None]:
    """Call `extend` every quarter of a lease, until the block ends or it raises `lost`."""
    stop = Event()

    def beat() -> None:
        while not stop.wait(settings.JOB_LEASE.total_seconds() / 4):
            try:
                extend()
            except lost:
                break
            except DatabaseError as error:
                log.warning("job %s: heartbeat missed, %s", job_id, fault_words(error), extra=SELDOM)
        connection.close()

    Thread(target=beat, name=f"heart-of-job-{job_id}", daemon=True).start()
    try:
        yield
    finally:
        stop.set()
