"""The figures by which a restored database is compared with the one of the backup: rows, migrations, the last event.

They are read by plain SQL, because a backup may be older than the models. Not here: history and documents
(`restored_contents`).
"""

from collections.abc import Callable, Sequence
from typing import Any

from portal.backups.manifest import TableFigures

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
    """A text for each table whose rows are not those of the backup, and for another last event."""
    names = sorted(expected.tables.keys() | actual.tables.keys())
    problems = [
        f"{name}: {actual.tables.get(name, 'no table')} rows; the backup has {expected.tables.get(name, 'no table')}"
        for name in names
        if expected.tables.get(name) != actual.tables.get(name)
    ]
    if expected.tip != actual.tip:
        problems.append(f"the last event is {actual.tip[0]}; the backup has {expected.tip[0]}")
    return problems
