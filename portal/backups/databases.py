"""A copy of the database as it was at one moment, while the portal runs, with its figures; and putting a copy back.

One class for each engine with the same methods: `SqliteDatabase` here, `PostgresqlDatabase` in `postgresql`.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

from django.db import connection

from portal.backups.errors import BackupRefused
from portal.backups.manifest import TableFigures
from portal.backups.portal_files import sync_to_disk
from portal.backups.postgresql import PostgresqlDatabase
from portal.backups.progress import Progress
from portal.backups.table_figures import read_figures, table_names

PAGES = 2_000  # copied between two looks at the progress


class Database(Protocol):
    """`vendor`: as Django names it."""

    vendor: str

    def copy(self, target: Path, progress: Progress) -> TableFigures:
        """Write the copy to `target`; the figures of the same moment."""

    def is_empty(self) -> bool:
        """Whether it has no table."""

    def others_connected(self) -> list[str]:
        """Who else uses it, as far as the engine says."""

    def put_back(self, source: Path, aside: Path) -> str:
        """Restore from a copy. What was there is moved aside; a text that says where, "" if there was nothing."""

    def figures(self) -> TableFigures: ...


def present_database() -> Database:
    return SqliteDatabase() if connection.vendor == "sqlite" else PostgresqlDatabase()


class SqliteDatabase:
    """The file that the settings name, copied by SQLite's online backup."""

    vendor = "sqlite"

    def __init__(self) -> None:
        self.path = Path(str(connection.settings_dict["NAME"]))

    def copy(self, target: Path, progress: Progress) -> TableFigures:
        if self.is_empty():
            raise BackupRefused(f"There is no database to back up: {self.path} has no table. Run manage.py prepare.")
        with closing(sqlite3.connect(self.path, isolation_level=None)) as source:
            page = int(source.execute("PRAGMA page_size").fetchone()[0])
            # A read transaction for the whole copy: in WAL mode no writer waits, and none makes the copy begin again.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy, pages=PAGES, progress=_shown(progress, page), sleep=0)
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
        return []  # the lock of `serve` says so

    def put_back(self, source: Path, aside: Path) -> str:
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


def _shown(progress: Progress, page: int) -> Callable[[int, int, int], None]:
    def show(status: int, remaining: int, total: int) -> None:
        progress.at((total - remaining) * page, total * page)

    return show
