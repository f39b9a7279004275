"""What is needed every minute, by whichever sweeper comes first: documents that are due to be verified again
are started, results of files from the public are deleted after a day, failures that the security log only counted
get their row, and changes of the last hour their checkpoint.

All may be called at any moment by several sweepers. Not here: how they are verified (`submissions.verification`).
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from submissions.security_log.records import record_counts

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=1)


@dataclass(slots=True)
class VerificationUpkeep:
    """Remembers when the next turn is; the first one is a minute after the start."""

    next_at: datetime

    @classmethod
    def begin(cls) -> "VerificationUpkeep":
        return cls(timezone.now() + EVERY)

    def turn(self) -> None:
        """Do what is due. What fails is logged and tried again a minute later."""
        now = timezone.now()
        if now < self.next_at:
            return
        self.next_at = now + EVERY
        try:
            run_upkeep(now)
        except Exception:
            log.exception("upkeep: not done, tried again in a minute")


def run_upkeep(now: datetime) -> None:
    if written := record_counts(now):
        log.info("security log: %s rows for failures that were only counted", written)
    from submissions.documents import checkpoints  # Start-up cost: 1 s, not at the start
    from submissions.verification import reverification, verification_queue  # Start-up cost: the same

    if changed := verification_queue.delete_old_files(now):
        log.info("verification: %s old files and results deleted", changed)
    if started := reverification.start_due_reverifications(now):
        log.info("verification: %s documents are verified again", started)
    if checkpoint := checkpoints.make_hourly_checkpoint(now):
        log.info("history: checkpoint at event %s", checkpoint.sequence)
