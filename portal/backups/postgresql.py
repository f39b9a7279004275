"""PostgreSQL: a dump in its custom format by `pg_dump`, of the snapshot in which the figures are counted.

A restore never deletes: the schema that was there gets another name, `replaced_…`, which backups leave out.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from portal.backups.errors import BackupRefused
from portal.backups.manifest import TableFigures
from portal.backups.progress import Progress
from portal.backups.table_figures import read_figures, table_names

PROGRAMS = Path("/usr/lib/postgresql")  # where Debian has those of each version
REPLACED = "replaced_"  # prefix of a schema that a restore moved aside
LOOK = 0.2  # seconds between two looks at the size of the dump


class PostgresqlDatabase:
    vendor = "postgresql"

    def copy(self, target: Path, progress: Progress) -> TableFigures:
        if self.is_empty():
            raise BackupRefused("There is no database to back up: it has no table. Run manage.py prepare.")
        with transaction.atomic():
            _query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            _query("SET LOCAL idle_in_transaction_session_timeout = 0")  # it waits for pg_dump
            ((snapshot,),) = _query("SELECT pg_export_snapshot()")
            ((size,),) = _query("SELECT pg_database_size(current_database())")
            options = (f"--snapshot={snapshot}", "--compress=0", f"--exclude-schema={REPLACED}*", f"--file={target}")
            with _started("pg_dump", "--format=custom", "--no-owner", "--no-privileges", *options) as process:
                while process.poll() is None:
                    time.sleep(LOOK)
                    progress.at(target.stat().st_size if target.exists() else 0, int(size))
                _refuse_failure("pg_dump", process)
            progress.at(target.stat().st_size)
            return read_figures(_query, self.vendor)

    def is_empty(self) -> bool:
        return not table_names(_query, self.vendor)

    def others_connected(self) -> list[str]:
        rows = _query(
            "SELECT coalesce(nullif(application_name, ''), 'unnamed'), coalesce(host(client_addr), 'this machine') "
            "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        return [f"{name} on {address}" for name, address in rows]

    def put_back(self, source: Path, aside: Path) -> str:
        schema = "" if self.is_empty() else f"{REPLACED}{_moment(timezone.now())}"
        if schema:
            with transaction.atomic():
                _query(f'ALTER SCHEMA public RENAME TO "{schema}"')
                _query("CREATE SCHEMA public")
        connection.close()
        options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(source))
        try:
            with _started("pg_restore", *options) as process:
                process.wait()
                _refuse_failure("pg_restore", process)
        except BackupRefused:
            if schema:
                with transaction.atomic():
                    _query("DROP SCHEMA public CASCADE")
                    _query(f'ALTER SCHEMA "{schema}" RENAME TO public')
            raise
        _query("ANALYZE")
        return f"schema {schema} of the database" if schema else ""

    def figures(self) -> TableFigures:
        return read_figures(_query, self.vendor)


def _query(statement: str) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def _started(program: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The program on our database. The password is passed in its environment, not among its arguments."""
    given = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = {name: str(given[key]) for name, key in names.items() if given.get(key)}
    database = ("--dbname", str(given["NAME"])) if program == "pg_restore" else ()
    with subprocess.Popen(
        [_program(program), "--no-password", *database, *options],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def _program(name: str) -> str:
    """The newest one: a dump of a server needs a program that is not older."""
    versions = sorted(PROGRAMS.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    if versions:
        return str(versions[-1])
    if path := shutil.which(name):
        return path
    raise BackupRefused(
        f"{name} is missing on this machine. Install PostgreSQL's client: apt-get install postgresql-client"
    )


def _refuse_failure(program: str, process: "subprocess.Popen[str]") -> None:
    said = process.stderr.read().strip() if process.stderr else ""
    if process.returncode:
        raise BackupRefused(f"{program} ended with status {process.returncode}: {said}")


def _moment(now: datetime) -> str:
    return f"{now:%Y%m%d_%H%M%S}"
