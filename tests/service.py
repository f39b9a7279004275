"""The choice of the tests that run on PostgreSQL and Redis: those that a database or a broker can make different.

A test module says what it touches: `pytestmark = pytest.mark.service("locks", "JSON")`. Tests that commit
(`django_db(transaction=True)`) are always run again. They run on the embedded defaults, too, except tests of the whole
portal (`browser`, `processes`) and long ones with `only=True`.
"""

from __future__ import annotations

import pytest

TOUCHES = {
    "broker": "Redis: messages to workers, the limits of requests",
    "constraints": "what the database refuses, and how it says so",
    "JSON": "queries into JSON, and what is read back from it",
    "locks": "two that write at once; rows and tables that are locked",
    "migrations": "schema, indexes, views and triggers as they are created",
    "queries": "order, comparison and grouping of text and days; how many queries, and how long they take",
    "time": "the clock of the database, days and their zone",
    "transactions": "what a failure undoes, and what others see before a commit",
    "triggers": "rows that may not be changed or deleted",
    "views": "what is in effect on a day",
}


def depends_on_services(item: pytest.Item) -> bool:
    """Whether another database or broker could make this test fail."""
    if item.get_closest_marker("service") is not None:
        return True
    database = item.get_closest_marker("django_db")
    is_system = item.get_closest_marker("browser") or item.get_closest_marker("processes")
    return database is not None and bool(database.kwargs.get("transaction")) and not is_system
