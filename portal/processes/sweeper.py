"""The sweeper's loop: every few seconds workers are woken for jobs that are due and that no message announces.

And once a day what is done once a day (`daily`), every minute what verification needs (`verification_upkeep`); after
each turn it reports that it works (`watch`).
"""

import logging
import signal
from threading import Event

from django.conf import settings
from django.db import DatabaseError, close_old_connections

from portal.processes.daily import Daily
from portal.processes.verification_upkeep import VerificationUpkeep
from portal.processes.watch import Watch
from submissions.core.database_faults import fault_words
from submissions.core.log_context import SELDOM
from submissions.jobs import sweep
from submissions.operations.process_reports import SWEEPER

log = logging.getLogger(__name__)


def loop() -> None:
    """Until SIGTERM or SIGINT. A database that does not answer is tried again at the next turn."""
    stop, daily, upkeep, watch = Event(), Daily(), VerificationUpkeep.begin(), Watch.begin(SWEEPER)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.wait(settings.SWEEP_EVERY.total_seconds()):
        close_old_connections()
        try:
            if sweep.take_turn() and (sent := sweep.sweep_due_jobs()):
                log.info("sent %s wake-up%s", sent, "s" if sent > 1 else "")
            daily.turn()
            upkeep.turn()
            watch.turn()
        except DatabaseError as error:
            log.warning("nothing is swept, %s", fault_words(error), extra=SELDOM)
    watch.end()
