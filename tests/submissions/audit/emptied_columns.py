"""The optional columns of what is sealed, and how they are emptied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import zip_longest

from django.db import IntegrityError, models, transaction

from submissions.audit.row_seals import SEALED_TABLES
from submissions.models import AccessRecord, Event, Tip

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


def one_of_each_table(columns: list[Column]) -> Iterator[list[Column]]:
    """Yield all columns, at once those of different sealed tables: each table is compared by itself. The chain and the
    security log are not: their columns come one by one.
    """
    of_tables: dict[type[models.Model], list[Column]] = defaultdict(list)
    for model, field in columns:
        of_tables[model].append((model, field))
    yield from ([column] for model in OTHERS for column in of_tables.pop(model))
    yield from ([column for column in group if column] for group in zip_longest(*of_tables.values()))


def empty(columns: Iterable[Column]) -> int:
    """Empty the columns in every row, where the database lets it; the number of rows that had a value."""
    changed = 0
    for model, field in columns:
        value = None if field.null else field.get_default() if isinstance(field, models.JSONField) else ""
        with suppress(IntegrityError), transaction.atomic():
            changed += model._default_manager.exclude(**{field.attname: value}).update(**{field.attname: value})
    return changed
