"""The clock of jobs: the database's, so that machines whose clocks differ agree when a lease ends.

Not here: the times that people read (filed, approved, sent), which are those of the process that writes them; what a
process with a wrong clock must not do (`documents.seal_conditions`).
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models.expressions import Combinable
from django.db.models.functions import Now
from django.utils import timezone

ZERO = timedelta(0)


def now(ahead: timedelta = ZERO) -> datetime | Combinable:
    """Return the present time plus `ahead`, for a filter or an update; on PostgreSQL the server computes it.

    SQLite is a file of this machine, so its clock is this process's. So it is wherever `JOB_CLOCK` is "process":
    in tests that travel in time.
    """
    return timezone.now() + ahead if _uses_own() else Now() + ahead


def difference() -> timedelta:
    """Return how far the clock of this process is ahead of the database's; negative if it is behind."""
    if _uses_own():
        return ZERO
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        of_database: datetime = cursor.fetchone()[0]
    return before + (timezone.now() - before) / 2 - of_database


def _uses_own() -> bool:
    return connection.vendor == "sqlite" or settings.JOB_CLOCK == "process"
