"""Back ends of Django's with one difference each: static files, the cache for counters, sessions.

Static files have names that carry a digest of their content. `manage.py prepare` collects and compresses them; before
it did, the plain names count. Serving them is WhiteNoise's.

Counters are numbers and lists of numbers, as JSON in rows, so that every process and machine counts together, also
while the broker is away. Django's own caches of this kind store pickles, which run code when they are read.

A session that cannot be saved after a view has answered, because a disk is full or read-only, has lost a message or a
confirmation at most, so the answer is sent all the same. Signing in, which needs a new session, fails.
"""

import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone
from whitenoise.storage import CompressedManifestStaticFilesStorage

from submissions.core.database_faults import disk_fault
from submissions.core.log_context import SELDOM
from submissions.models import CachedValue

# What no page uses: sources, their maps, icons by the thousand, styles of documents, the pages of frameworks.
UNUSED = (
    "scss", "theme", "components", "uswds.css", "uswds.js", "uswds-init.js", "*.map", "*.ttf",
    "material-icons*", "uswds-icons", "public-sans", "documents", "ext", "htm*-4*", "rest_framework",
    "redoc", "oauth2-redirect.*", "swagger-ui-standalone-preset.js", "favicon-32x32.png",
)  # fmt: skip
COLLECTED = ".collected"  # in the folder of static files: the digest of what they were made from


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """The storage of `STORAGES["staticfiles"]`."""

    # Maps of sources are not collected, so what refers to them stays as it is.
    patterns = tuple(
        (files, tuple(pattern for pattern in references if "sourceMappingURL" not in str(pattern)))
        for files, references in HashedFilesMixin.patterns
    )

    def stored_name(self, name: str) -> str:
        """Return the name with the digest; once there is a list of names, a file that is not in it is an error."""
        return str(super().stored_name(name)) if self.hashed_files else name


def collect() -> None:
    """Collect, name and compress the static files, if they are others than those collected last."""
    made, now = settings.STATIC_ROOT / COLLECTED, sources_digest()
    if made.exists() and made.read_text() == now:
        return
    made.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=list(UNUSED))
    made.write_text(now)


def sources_digest() -> str:
    """Return the digest of names and contents of all that is collected, and of this module, which says how."""
    sources = sha256(Path(__file__).read_bytes())
    for name, path in sorted(_sources()):
        sources.update(f"\n{name} ".encode() + sha256(path.read_bytes()).digest())
    return sources.hexdigest()


def _sources() -> Iterator[tuple[str, Path]]:
    for finder in finders.get_finders():
        storage: Any
        for name, storage in finder.list(list(UNUSED)):
            yield f"{getattr(storage, 'prefix', None) or ''}/{name}", Path(storage.path(name))


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
        """Store the value unless there is one; of several callers, one is first. A text (allauth's "y") is True."""
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
        raise TypeError("This cache stores numbers only.")
    return json.dumps(value)


def _decoded(text: str) -> Any:
    """Return the numbers; None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if _is_numbers(value) else None


def _is_numbers(value: Any) -> bool:
    return all(isinstance(each, int | float) for each in (value if isinstance(value, list) else [value]))


log = logging.getLogger(__name__)


class SessionStore(db.SessionStore):
    """The name that Django asks for in `SESSION_ENGINE`."""

    def save(self, must_create: bool = False) -> Any:
        try:
            super().save(must_create)
        except UpdateError as error:
            if not (fault := disk_fault(error)):
                raise
            log.warning("sessions are not saved, %s", fault, extra=SELDOM)
