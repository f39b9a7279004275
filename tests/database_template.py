"""The migrated database that tests copy: SQLite's is kept in pytest's cache until the product or a package changes.

To migrate takes some seconds, in which the other processes of the run wait.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = (ROOT / "submissions", ROOT / "portal")


def create_test_database(connection: BaseDatabaseWrapper, config: pytest.Config) -> str:
    """Create the database; return its name."""
    cache = getattr(config, "cache", None)  # there is none with `-p no:cacheprovider`
    if connection.vendor != "sqlite" or cache is None:
        return _migrate(connection)
    folder = cache.mkdir("migrated-database")
    template, name = folder / f"{_digest()}.sqlite3", connection.settings_dict["TEST"]["NAME"]
    try:
        shutil.copy(template, name)
    except FileNotFoundError:
        _migrate(connection)
        connection.close()  # what it wrote is in one file then
        for earlier in folder.iterdir():
            earlier.unlink(missing_ok=True)
        partial = folder / f"{os.getpid()}.partial"
        shutil.copy(name, partial)
        partial.rename(template)  # whole, or not there
    connection.settings_dict["NAME"] = name
    return str(name)


def _migrate(connection: BaseDatabaseWrapper) -> str:
    return str(connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False))


def _digest() -> str:
    """Return the digest of everything that a migration, a model or a trigger is made from, of the packages and the day.

    Of the day, because `make moments` shifts the clock, and no row may be younger than the present.
    """
    paths = sorted(path for folder in PRODUCT for path in folder.rglob("*.py"))
    sources = [f"{path.relative_to(ROOT)}".encode() + path.read_bytes() for path in paths]
    sources += [(ROOT / "requirements.txt").read_bytes(), f"{datetime.now(UTC):%F}".encode()]
    return hashlib.sha256(b"".join(hashlib.sha256(source).digest() for source in sources)).hexdigest()
