"""Django's cache for counters: numbers and lists of numbers, as JSON in rows (`CachedValue`).

It is in the database, so that every process and machine counts together, also while the broker is away. Django's own
caches of this kind store pickles, which run code when they are read; a row that is not numbers is not in this cache.
"""

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from submissions.models import CachedValue

NO_NUMBERS = "This cache stores numbers only."


class CounterCache(BaseCache):
    """The name in `CACHES`. Above `MAX_ENTRIES`, expired entries are deleted, then the third that expires first."""

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.most = int(params.get("OPTIONS", {}).get("MAX_ENTRIES", 300))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        row = CachedValue.objects.filter(pk=self._key(key, version), expires_at__gt=timezone.now()).first()
        value = _decoded(row.value) if row else None
        return default if value is None else value

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        row = CachedValue(key=self._key(key, version), value=_encoded(value), expires_at=self._end(timeout))
        CachedValue.objects.bulk_create(
            [row], update_conflicts=True, update_fields=["value", "expires_at"], unique_fields=["key"]
        )
        self._cull()

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store the value unless there is one; of several callers at once, one is first. A text is stored as True.

        django-allauth adds "y" for a used code of an authenticator app: only that it is there counts.
        """
        value = True if isinstance(value, str) else value
        row = CachedValue(key=self._key(key, version), value=_encoded(value), expires_at=self._end(timeout))
        expired = CachedValue.objects.filter(pk=row.key, expires_at__lte=timezone.now())
        if expired.update(value=row.value, expires_at=row.expires_at):
            return True
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            return False
        return True

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        rows = CachedValue.objects.filter(pk=self._key(key, version), expires_at__gt=timezone.now())
        return bool(rows.update(expires_at=self._end(timeout)))

    def delete(self, key: str, version: int | None = None) -> bool:
        count, _ = CachedValue.objects.filter(pk=self._key(key, version)).delete()
        return bool(count)

    def clear(self) -> None:
        CachedValue.objects.all().delete()

    def _key(self, key: str, version: int | None) -> str:
        return str(self.make_and_validate_key(key, version=version))

    def _end(self, timeout: Any) -> datetime:
        end = self.get_backend_timeout(timeout)
        return datetime.max.replace(tzinfo=UTC) if end is None else datetime.fromtimestamp(end, UTC)

    def _cull(self) -> None:
        rows = CachedValue.objects.order_by("expires_at")
        with suppress(DatabaseError), transaction.atomic():  # another process may be doing the same
            if rows.count() > self.most:
                rows.filter(expires_at__lte=timezone.now()).delete()
            if (count := rows.count()) > self.most:
                last = rows.values_list("expires_at", flat=True)[count // 3]
                rows.filter(expires_at__lte=last).delete()


def _encoded(value: Any) -> str:
    if not _is_numbers(value):
        raise TypeError(NO_NUMBERS)
    return json.dumps(value)


def _decoded(text: str) -> Any:
    """The numbers; None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if _is_numbers(value) else None


def _is_numbers(value: Any) -> bool:
    return all(isinstance(each, int | float) for each in (value if isinstance(value, list) else [value]))
