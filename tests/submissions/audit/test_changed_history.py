"""Changes of a whole history by someone who can write to the database: each one is found and named.

At random, as a security review made them, and optional columns emptied. All read one history. Without `PORTAL_SOAK` a
tenth of the random changes are made.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.db import IntegrityError, models
from django.utils import timezone

from submissions.audit.row_seals import SEALED_TABLES
from submissions.audit.row_verification import HistoryReport, verify_history
from submissions.documents import checkpoints
from submissions.models import Person
from submissions.security_log.daily_seals import seal_days, security_log_problems
from tests.soak import SOAK
from tests.submissions.audit.emptied_columns import Column, empty, optional_columns
from tests.submissions.audit.random_changes import KINDS, change_checkpoint, names
from tests.submissions.audit.reviewed_changes import CHANGES, EVENTS
from tests.submissions.audit.undo import triggers_lifted, undone
from tests.submissions.security_log.rows import sign_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("changed history"),
    pytest.mark.usefixtures("history"),
    pytest.mark.service("triggers", "JSON", "time"),
]
TIMES = 2_000 if SOAK else 200


def test_random_changes_are_each_found_and_named() -> None:
    assert {name for name, table in SEALED_TABLES.items() if not table.model._default_manager.exists()} == set()
    chance, missed, rows = Random(2026), [], list(checkpoints.checked_checkpoints()[0])
    untouched = verify_history(rows)
    assert (untouched.differences, untouched.broken, untouched.uncovered) == ((), None, ())
    made = 0
    with triggers_lifted():
        while made < TIMES:
            try:
                with undone():
                    kind = change_checkpoint if made % 100 == 99 else chance.choice(KINDS)
                    change = kind(chance)
                    if not names(verify_history(rows, most=1_000), change):
                        missed.append((kind.__name__, change))
                    made += 1
            except (IntegrityError, StopIteration):  # the database itself refuses some
                pass
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


def test_emptied_columns_are_found_one_by_one_and_all_together(manager: Person, subtests: pytest.Subtests) -> None:
    sign_in(manager, timezone.now() - timedelta(days=1))
    seal_days(timezone.now())
    sign_in(manager)
    assert problems() == []
    columns, tried = list(optional_columns()), 0
    for model, field in columns:
        with subtests.test(f"{model.__name__}.{field.column}"):
            changed, found = emptied([(model, field)])
            tried += bool(changed)
            assert bool(found) == bool(changed)
    assert tried > 40
    for model in {model for model, _ in columns}:
        with subtests.test(f"all of {model.__name__}"):
            changed, found = emptied([column for column in columns if column[0] is model])
            assert bool(found) == bool(changed)
    assert emptied(columns)[1]


def emptied(columns: list[Column]) -> tuple[int, list[str]]:
    """Return how many rows changed, and what is named; the change is undone."""
    with triggers_lifted(), undone():
        changed = empty(columns)
        found = problems() if changed else []
    return changed, found


def problems() -> list[str]:
    rows, wrong = checkpoints.checked_checkpoints()
    report = verify_history(rows)
    chain = [f"submissions_event {report.broken.sequence}"] if report.broken else []
    return [*filter(None, [wrong]), *chain, *map(str, report.differences), *security_log_problems()]
