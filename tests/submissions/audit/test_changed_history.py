"""Changes of a whole history by someone who can write to the database: each one is found and named.

Each column of each table, at random, as a security review made them, and optional columns emptied. All read one
history. Without `PORTAL_SOAK` each kind of random change is made twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random

import pytest
from django.db import models
from django.utils import timezone

from submissions.audit.row_seals import SEALED_TABLES, SealedTable
from submissions.audit.row_verification import HistoryReport, verify_history
from submissions.documents import checkpoints
from submissions.models import Person
from submissions.security_log.daily_seals import seal_days, security_log_problems
from tests.soak import SOAK
from tests.submissions.audit.emptied_columns import OTHERS, Column, empty, one_of_each_table, optional_columns
from tests.submissions.audit.random_changes import (
    KINDS,
    Change,
    any_row,
    change_cell,
    delete_row,
    exchange_rows,
    insert_row,
    made_changes,
    names,
    sealed_columns,
)
from tests.submissions.audit.reviewed_changes import CHANGES, EVENTS
from tests.submissions.audit.undo import triggers_lifted, undone
from tests.submissions.security_log.rows import sign_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("changed history"),
    pytest.mark.usefixtures("history"),
    pytest.mark.service("triggers", "JSON", "time", only=True),
]
TIMES = 2_000 if SOAK else 2 * len(KINDS)


def test_each_column_of_each_sealed_table_is_found() -> None:
    """All of a row of each table at once: the report names each."""

    def changed(chance: Random, table: SealedTable) -> list[Change]:
        row = any_row(chance, table.model)
        columns = sealed_columns(table, row)
        return made_changes(*(partial(change_cell, chance, table, row, column) for column in columns))

    assert len(found_in_each_table(changed)) > 250


@pytest.mark.parametrize("kind", [delete_row, insert_row, exchange_rows])
def test_changed_rows_of_each_sealed_table_are_found(kind: Callable[[Random, SealedTable], Change]) -> None:
    found = found_in_each_table(lambda chance, table: made_changes(partial(kind, chance, table)))
    assert len(found) > (15 if kind is exchange_rows else 30)  # not of one row, or of equal ones


def found_in_each_table(changed: Callable[[Random, SealedTable], list[Change]]) -> list[Change]:
    """Return the changes, which are made in one row of each table and verified at once."""
    chance, rows = Random(2026), list(checkpoints.checked_checkpoints()[0])
    with triggers_lifted(), undone():
        changes = [change for table in SEALED_TABLES.values() for change in changed(chance, table)]
        report = verify_history(rows, most=10_000)
    assert [change for change in changes if not names(report, change)] == []
    return changes


def test_random_changes_are_each_found_and_named() -> None:
    assert {name for name, table in SEALED_TABLES.items() if not table.model._default_manager.exists()} == set()
    chance, missed, rows = Random(2026), [], list(checkpoints.checked_checkpoints()[0])
    untouched = verify_history(rows)
    assert (untouched.differences, untouched.broken, untouched.uncovered) == ((), None, ())
    made = 0
    with triggers_lifted():
        while made < TIMES:
            with undone():
                for change in made_changes(partial(KINDS[made % len(KINDS)], chance)):
                    missed += [] if names(verify_history(rows, most=1_000), change) else [change]
                    made += 1
    assert missed == []
    assert verify_history(rows).good


def test_each_change_of_a_row_is_found_with_its_column(subtests: pytest.Subtests) -> None:
    """The chain of events is untouched by them."""
    for name, change in CHANGES.items():
        with subtests.test(name):
            named: list[tuple[models.Model, str]] = []
            report = found_after(lambda change=change, named=named: named.append(change()))  # type: ignore[misc]
            (row, column), differences = named[0], report.differences
            assert report.broken is None
            assert (row._meta.db_table, str(row.pk), column) in {
                (one.table, one.key, one.column) for one in differences
            }


def test_each_change_of_the_chain_is_found(subtests: pytest.Subtests) -> None:
    for name, change in EVENTS.items():
        with subtests.test(name):
            assert found_after(change).broken


def found_after(change: Callable[[], object]) -> HistoryReport:
    """The verification of the history after the change, which is then undone."""
    with triggers_lifted(), undone():
        change()
        return verify_history(most=1_000)


def test_emptied_columns_are_found_one_by_one_and_all_together(manager: Person) -> None:
    sign_in(manager, timezone.now() - timedelta(days=1))
    seal_days(timezone.now())
    sign_in(manager)
    assert problems() == []
    columns = list(optional_columns())
    changed = [column for group in one_of_each_table(columns) for column in found_emptied(group)]
    assert len(changed) > 40
    for model in OTHERS:
        found_emptied([column for column in columns if column[0] is model])
    found_emptied([column for column in columns if column[0] not in OTHERS])
    with triggers_lifted(), undone():
        assert empty(columns)
        assert problems()


def found_emptied(columns: list[Column]) -> list[Column]:
    """Return those that had a value: each is named, and no other; a chain is broken. The change is undone."""
    with triggers_lifted(), undone():
        changed = [column for column in columns if empty([column])]
        lines = problems()
    is_chain = columns[0][0] in OTHERS
    assert changed == (changed if is_chain and lines else [column for column in columns if is_named(column, lines)])
    return changed


def is_named(column: Column, lines: list[str]) -> bool:
    model, field = column
    return any(re.match(rf"{model._meta.db_table} \S+, {field.column}: ", line) for line in lines)


def problems() -> list[str]:
    rows, wrong = checkpoints.checked_checkpoints()
    report = verify_history(rows, most=10_000)
    chain = [f"submissions_event {report.broken.sequence}"] if report.broken else []
    return [*filter(None, [wrong]), *chain, *map(str, report.differences), *security_log_problems()]
