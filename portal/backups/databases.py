"""A copy of the database as it was at one moment, while the portal runs, with its figures; and putting a copy back.

One class for each engine with the same methods. SQLite's file is copied by its online backup. PostgreSQL is dumped in
its custom format by `pg_dump`, of the snapshot in which the figures are counted. A restore never deletes: the schema
that was there gets another name, `replaced_…`, which backups leave out.

By the figures a restored database is compared with the one of the backup: rows, migrations, the last event. They are
read by plain SQL, because a backup may be older than the models. Not here: history and documents
(`restored_contents`).
"""

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from portal.backups.archive import BackupRefused, Progress, TableFigures, sync_to_disk

PAGES = 2_000  # copied between two looks at the progress


class SqliteDatabase:
    """The file that the settings name, copied by SQLite's online backup. `vendor`: as Django names it."""

    vendor = "sqlite"

    def __init__(self) -> None:
        self.path = Path(str(connection.settings_dict["NAME"]))

    def copy(self, target: Path, progress: Progress) -> TableFigures:
        """Write the copy to `target`; return the figures of the same moment."""
        if self.is_empty():
            raise BackupRefused(f"There is no database to back up: {self.path} has no table. Run manage.py prepare.")
        with closing(sqlite3.connect(self.path, isolation_level=None)) as source:
            page = int(source.execute("PRAGMA page_size").fetchone()[0])

            def show(status: int, remaining: int, total: int) -> None:
                progress.at((total - remaining) * page, total * page)

            # A read transaction for the whole copy: in WAL mode no writer waits, and none makes the copy begin again.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy, pages=PAGES, progress=show, sleep=0)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file
            source.execute("ROLLBACK")
        sync_to_disk(target)
        return _figures(target)

    def is_empty(self) -> bool:
        if not self.path.exists():
            return True
        with closing(sqlite3.connect(self.path)) as database:
            return not table_names(lambda sql: database.execute(sql).fetchall(), self.vendor)

    def others_connected(self) -> list[str]:
        """Return who else uses it, as far as the engine says."""
        return []  # the lock of `serve` says so

    def put_back(self, source: Path, aside: Path) -> str:
        """Restore from a copy, move aside what was there; return a text that says where, "" if there was nothing."""
        connection.close()
        earlier = [path for path in (Path(f"{self.path}{ending}") for ending in ("", "-wal", "-shm")) if path.exists()]
        empty = self.is_empty()
        for path in earlier:
            if empty:
                path.unlink(missing_ok=True)
            else:
                aside.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.rename(aside / path.name)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, self.path)
        sync_to_disk(self.path.parent)
        return "" if empty else str(aside / self.path.name)

    def figures(self) -> TableFigures:
        return _figures(self.path)


def _figures(path: Path) -> TableFigures:
    with closing(sqlite3.connect(path)) as database:
        return read_figures(lambda sql: database.execute(sql).fetchall(), SqliteDatabase.vendor)


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
        schema = "" if self.is_empty() else f"{REPLACED}{timezone.now():%Y%m%d_%H%M%S}"
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
    """Start the program on our database, with the password in its environment, not among its arguments."""
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
    """Return the newest program of PostgreSQL: a dump of a server needs one that is not older."""
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


Database = SqliteDatabase | PostgresqlDatabase


def present_database() -> Database:
    return SqliteDatabase() if connection.vendor == "sqlite" else PostgresqlDatabase()


Query = Callable[[str], Sequence[tuple[Any, ...]]]
"""One SQL statement → its rows."""

TABLES = {  # vendor → the names of all tables, without views
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
}


def table_names(query: Query, vendor: str) -> list[str]:
    return sorted(name for (name,) in query(TABLES[vendor]))


def read_figures(query: Query, vendor: str) -> TableFigures:
    names = table_names(query, vendor)
    counts = {name: int(query(f'SELECT count(*) FROM "{name}"')[0][0]) for name in names}  # noqa: S608  our own tables
    tip = query("SELECT sequence, link FROM submissions_tip") if "submissions_tip" in counts else []
    return TableFigures(
        tables=counts,
        migrations=tuple(
            f"{app}.{name}" for app, name in query("SELECT app, name FROM django_migrations ORDER BY app, name")
        ),
        tip=(int(tip[0][0]), str(tip[0][1])) if tip else (0, ""),
        running_jobs=int(query("SELECT count(*) FROM submissions_job WHERE state = 'running'")[0][0]),
    )


def figure_problems(expected: TableFigures, actual: TableFigures) -> list[str]:
    """Return a text for each table whose rows are not those of the backup, and for another last event."""
    names = sorted(expected.tables.keys() | actual.tables.keys())
    problems = [
        f"{name}: {actual.tables.get(name, 'no table')} rows; the backup has {expected.tables.get(name, 'no table')}"
        for name in names
        if expected.tables.get(name) != actual.tables.get(name)
    ]
    if expected.tip != actual.tip:
        problems.append(f"the last event is {actual.tip[0]}; the backup has {expected.tip[0]}")
    return problems
