"""Optional columns of what is sealed, emptied: one by one, all of a table, and all of all tables together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from submissions.audit.row_seals import SEALED_TABLES
from submissions.audit.row_verification import verify_history
from submissions.documents import checkpoints
from submissions.models import AccessRecord, Event, Person, Tip, append_only
from submissions.security_log.daily_seals import seal_days, security_log_problems
from tests.submissions.audit.test_row_verification import Undo, history  # noqa: F401  pytest finds fixtures by name
from tests.submissions.security_log.rows import sign_in
from tests.submissions.signed_documents import _demo_keys, key_folder  # noqa: F401  pytest finds fixtures by name

OTHERS = (Event, Tip, AccessRecord)
CODES = ("mac",)  # must have a value, and can be emptied all the same
Column = tuple[type[models.Model], models.Field]  # type: ignore[type-arg]


def is_optional(field: models.Field) -> bool:  # type: ignore[type-arg]
    is_text = isinstance(field, models.CharField | models.TextField | models.JSONField)
    return field.null or (field.blank and is_text) or field.attname in CODES


def optional_columns() -> Iterator[Column]:
    for table in SEALED_TABLES.values():
        fields = map(table.model._meta.get_field, table.columns.values())
        yield from ((table.model, field) for field in fields if is_optional(field))
    for model in OTHERS:
        yield from ((model, field) for field in model._meta.concrete_fields if is_optional(field))


def empty(columns: Iterable[Column]) -> int:
    """Empty the columns in every row, where the database lets it; the number of rows that had a value."""
    changed = 0
    for model, field in columns:
        value = None if field.null else field.get_default() if isinstance(field, models.JSONField) else ""
        with suppress(IntegrityError), transaction.atomic():
            changed += model._default_manager.exclude(**{field.attname: value}).update(**{field.attname: value})
    return changed


def problems() -> list[str]:
    rows, wrong = checkpoints.checked_checkpoints()
    report = verify_history(rows)
    chain = [f"submissions_event {report.broken.sequence}"] if report.broken else []
    return [*filter(None, [wrong]), *chain, *map(str, report.differences), *security_log_problems()]


def found_after(columns: list[Column]) -> tuple[int, list[str]]:
    """Return how many rows changed, and what is named; the change is undone."""
    append_only.drop(connection)
    result: tuple[int, list[str]] = (0, [])
    try:
        with suppress(Undo), transaction.atomic():
            result = (changed := empty(columns)), problems() if changed else []
            raise Undo
    finally:
        append_only.create(connection)
    return result


@pytest.mark.slow
def test_emptied_columns_are_found_one_by_one_and_all_together(
    history: None,  # noqa: F811
    manager: Person,
    subtests: pytest.Subtests,
) -> None:
    sign_in(manager, timezone.now() - timedelta(days=1))
    seal_days(timezone.now())
    sign_in(manager)
    assert problems() == []
    columns, tried = list(optional_columns()), 0
    for model, field in columns:
        with subtests.test(f"{model.__name__}.{field.column}"):
            changed, found = found_after([(model, field)])
            tried += bool(changed)
            assert bool(found) == bool(changed)
    assert tried > 40
    for model in {model for model, _ in columns}:
        with subtests.test(f"all of {model.__name__}"):
            changed, found = found_after([column for column in columns if column[0] is model])
            assert bool(found) == bool(changed)
    assert found_after(columns)[1]
