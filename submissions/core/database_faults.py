"""Which errors mean that nothing can be read or stored now, so that the same request or job can be tried again.

The database does not answer, or a disk (the database's or this machine's) is full or became read-only. Not here: what
is answered (`web.error_pages`, `api.framework.problem_details`), what a worker does (`jobs.leases`).
"""

import errno
import os
import shutil
import sqlite3
from pathlib import Path

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection

from submissions.core.errors import Busy, StorageFault

RETRY_AFTER = 5  # seconds
RETRY_DISK_AFTER = 60  # seconds: someone must make room
FULL, READ_ONLY = "the disk is full", "the disk is read-only"
_STOOD_STILL = "25P03"  # how PostgreSQL says that it ended a session that did nothing within a transaction
_OF_PROGRAM = ("no such ", "near ")  # how SQLite begins what other databases call an error of the statement
_SQLITE = {sqlite3.SQLITE_FULL: FULL, sqlite3.SQLITE_READONLY: READ_ONLY}  # by the last byte of the code
_SQLITE_FILES = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)  # also if a disk has no room for its helper files
_HELPER_FILES = 64 * 1024  # bytes
_POSTGRESQL = {"53100": FULL, "25006": READ_ONLY}  # SQLSTATE: disk_full, read_only_sql_transaction
_SYSTEM = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: READ_ONLY}
_TEXTS = {"No space left on device": FULL, "Disk quota exceeded": FULL, "Read-only file system": READ_ONLY}


def is_database_away(error: BaseException | None) -> bool:
    """Return whether the connection failed or was cut, or the database is starting, locked or full."""
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) == _STOOD_STILL
    return isinstance(error, (OperationalError, InterfaceError)) and not str(error).startswith(_OF_PROGRAM)


def disk_fault(error: BaseException | None) -> str:
    """Return `FULL` or `READ_ONLY` if the error, or its cause, says that a disk takes no more; else ""."""
    while error is not None:
        if fault := _fault_of(error):
            return fault
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return ""


def storage_refusal(error: BaseException | None) -> Busy | None:
    """Return the refusal that people and programs get for the error; None for any other error."""
    fault = disk_fault(error)
    if fault == FULL:
        return StorageFault("disk-full", retry_after=RETRY_DISK_AFTER)
    if fault == READ_ONLY:
        return StorageFault("disk-read-only", retry_after=RETRY_DISK_AFTER)
    return Busy("database-away", retry_after=RETRY_AFTER) if is_database_away(error) else None


def fault_words(error: BaseException) -> str:
    """Return the words of a line of the log on an error of the database."""
    return disk_fault(error) or f"the database does not answer ({error})"


def _fault_of(error: BaseException) -> str:
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        return _fault_of_folder() if code in _SQLITE_FILES else _SQLITE.get(code, "")
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0, "")
    state = str(getattr(error, "sqlstate", None) or "")
    if fault := _POSTGRESQL.get(state, ""):
        return fault
    if isinstance(error, DatabaseError) or state:  # PostgreSQL passes on what the system said of a file
        return next((fault for text, fault in _TEXTS.items() if text in str(error)), "")
    return ""


def _fault_of_folder() -> str:
    folder = database_folder()
    if is_read_only(folder):
        return READ_ONLY
    return FULL if shutil.disk_usage(folder).free < _HELPER_FILES else ""


def database_folder() -> Path:
    """Return the folder of SQLite's file."""
    return Path(str(connection.settings_dict["NAME"])).resolve().parent


def is_read_only(folder: Path) -> bool:
    """Return whether the disk that the folder is on takes no writes from anyone."""
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
