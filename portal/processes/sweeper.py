"""The sweeper's loop: every few seconds what is due and was not taken up is sent to the workers again.

And once a day what is done once a day (`daily`), every minute what verification needs (`verification_upkeep`).
"""

import logging
import signal
from threading import Event

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, close_old_connections

from portal.processes.daily import Daily
from portal.processes.verification_upkeep import VerificationUpkeep
from submissions.jobs import leases
from submissions.transparency import publishing

log = logging.getLogger(__name__)


def loop() -> None:
    """Until SIGTERM or SIGINT. A database that does not answer is tried again at the next turn."""
    stop, daily, upkeep = Event(), Daily(), VerificationUpkeep.begin()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.wait(settings.SWEEP_EVERY.total_seconds()):
        close_old_connections()
        try:
            if sent := leases.sweep_due_jobs():
                log.info("sent %s job%s again", sent, "s" if sent > 1 else "")
            daily.turn()
            publishing.publish()
            upkeep.turn()
        except DatabaseError as error:
            log.warning("the database does not answer (%s)", error)
        except ImproperlyConfigured as error:  # the log's key; everything else goes on
            log.error("public log: nothing is published (%s)", error)
