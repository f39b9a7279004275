"""The needs of a process that serves: database, tables, broker, keys, space on the disk, static files.

Each check looks at the real thing and takes at most a few seconds. Not here: how the work goes on (`work_checks`), who
asks (`web.probes`, `manage.py status`, the page of the operators).
"""

import logging
import os
import shutil
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from submissions.core.database_faults import READ_ONLY, database_folder, disk_fault, is_read_only
from submissions.documents.seal_conditions import CLOCK_TOLERANCE, clock_difference_words
from submissions.jobs import clock

log = logging.getLogger(__name__)
MIB = 1024 * 1024
LEAST_FREE = MIB  # bytes, for SQLite's next changes
BROKER_WAIT = 3  # seconds
SPILLED_ROWS = 20_000  # half a MiB, which PostgreSQL writes to a file that it deletes at once
CLOCK_FIX = "Set the clock of the machine, and start its time service (NTP). Until then it seals no document."
DATABASE_DISK = "database disk"
MANIFEST = "staticfiles.json"  # in the folder of static files: the list of their names


@dataclass(frozen=True, slots=True)
class Check:
    """A check and its result: the value met, the limit, and what to do if it is wrong."""

    name: str
    is_good: bool
    value: str
    limit: str = ""
    fix: str = ""


def check_database() -> Check:
    """Check whether the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        fix = "Start the database, or correct DATABASE_URL. Jobs continue by themselves."
        return Check("database", False, f"does not answer ({_first_line(error)})", "answers", fix)
    return Check("database", True, "answers", "answers")


def check_database_disk() -> Check:
    """Check whether the database can store something: PostgreSQL writes a file, SQLite's folder is looked at."""
    fix = "Make room on the database's disk, or enlarge it. What was refused can be sent again; jobs continue."
    if connection.vendor == "sqlite":
        folder = database_folder()
        free, read_only = shutil.disk_usage(folder).free, is_read_only(folder)
        value = READ_ONLY if read_only else f"{free // MIB:,} MiB free"
        return Check(DATABASE_DISK, not read_only and free >= LEAST_FREE, value, "takes data", fix)
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute("SELECT count(*) FROM generate_series(1, %s)", [SPILLED_ROWS])
            cursor.execute("SHOW transaction_read_only")
            if cursor.fetchone() == ("on",):
                standby = "Connect to the primary server (DATABASE_URL), or end its default_transaction_read_only."
                return Check(DATABASE_DISK, False, "the server takes no changes", "takes data", standby)
    except DatabaseError as error:
        return Check(DATABASE_DISK, False, disk_fault(error) or _first_line(error), "takes data", fix)
    return Check(DATABASE_DISK, True, "takes data", "takes data", fix)


def check_clock() -> Check:
    """Check whether the clock of this machine agrees with the database's."""
    difference, limit = clock.difference(), f"a difference of {CLOCK_TOLERANCE.total_seconds():.0f} seconds or less"
    return Check("clock", abs(difference) <= CLOCK_TOLERANCE, clock_difference_words(difference), limit, CLOCK_FIX)


def check_migrations() -> Check:
    """Check whether the tables are those of this version of the portal."""
    try:
        applied = applied_migrations()
    except DatabaseError as error:
        return Check("migrations", False, f"not known ({_first_line(error)})", "0 missing", "See database.")
    missing = _known_migrations() - applied
    if unknown := foreign_migrations(applied):
        fix = "Run the version of the portal that made this database."
        return Check("migrations", False, f"{unknown[0]} is of another version", "0 missing", fix)
    names = ", ".join(sorted(f"{app}.{name}" for app, name in missing)[:3])
    value = f"{len(missing)} missing: {names}" if missing else "0 missing"
    return Check("migrations", not missing, value, "0 missing", "Run manage.py prepare on this machine.")


def foreign_migrations(applied: Set[tuple[str, str]]) -> list[str]:
    """Return the applied migrations of the portal that this version does not know."""
    return sorted(f"{app}.{name}" for app, name in applied - _known_migrations() if app == "submissions")


def applied_migrations() -> Set[tuple[str, str]]:
    return MigrationRecorder(connection).applied_migrations().keys()


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Return all migrations of the installed apps; they change only with the program."""
    return frozenset(MigrationLoader(None).graph.nodes)


def check_broker() -> Check:
    """Check whether the broker takes messages."""
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_WAIT)
            broker.default_channel.close()
    except Exception as error:  # of the broker's client, which has many
        fix = "Start the broker, or correct REDIS_URL. Jobs are sent when it is back."
        return Check("broker", False, f"does not answer ({_first_line(error)})", "answers", fix)
    return Check("broker", True, "answers", "answers")


def check_keys() -> Check:
    """Check whether this process can read the keys that the settings name, or those of the demonstration."""
    unreadable = [str(path) for path in _key_files() if not os.access(path, os.R_OK)]
    value = f"not readable: {', '.join(unreadable)}" if unreadable else "readable"
    return Check("keys", not unreadable, value, "readable", "Name files that this user can read; see docs/settings.md.")


def _key_files() -> list[Path]:
    """Return the files of the keys; without a PKCS#12 file the demonstration makes them when it first needs them."""
    if settings.SIGNING_PKCS12 or not settings.SIGNS:
        seal = (settings.SIGNING_PKCS12, settings.SIGNING_PASSPHRASE_FILE) if settings.SIGNS else ()
        return [Path(path) for path in (*seal, settings.SIGNING_ROOT, settings.SIGNING_SEALS)]
    return [path for path in (Path(settings.KEYS),) if path.exists()]


def check_disk() -> Check:
    """Check whether there is enough space in `PORTAL_VAR`."""
    free, limit, read_only = disk_free(), settings.DISK_FREE, is_read_only(Path(settings.VAR))
    words = READ_ONLY if read_only else f"{free // MIB:,} MiB free"
    fix = "Repair the disk, and mount it writable." if read_only else "Free space in PORTAL_VAR, or enlarge the disk."
    return Check("disk", not read_only and free >= limit, words, f"{limit // MIB:,} MiB or more", fix)


def disk_free() -> int:
    """Return the bytes that are free where `PORTAL_VAR` is."""
    return shutil.disk_usage(settings.VAR).free


def check_static_files() -> Check:
    """Check whether this machine has the collected static files."""
    is_there = (Path(settings.STATIC_ROOT) / MANIFEST).exists()
    value = "collected" if is_there else "not collected"
    return Check("static files", is_there, value, "collected", "Run manage.py prepare on this machine.")


def readiness_checks() -> list[Check]:
    """Return all that this machine needs to answer requests; without a database, its tables are not looked at."""
    database = check_database()
    of_tables: list[Callable[[], Check]] = [check_migrations, check_database_disk] if database.is_good else []
    further = (*of_tables, check_broker, check_keys, check_disk, check_static_files)
    return [database, *(check() for check in further)]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
