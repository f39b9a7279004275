"""Errors of a full or read-only disk, as SQLite and the system really raise them, and what a page makes of them."""

from __future__ import annotations

import html
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import RequestFactory

from submissions.core.database_faults import FULL, READ_ONLY, disk_fault, storage_refusal
from submissions.web.error_pages import server_error

pytestmark = pytest.mark.service("transactions")

WORDS = "Which tables are “these”, and why?\nTwo lines."


def error_of(database: sqlite3.Connection, pragma: str) -> sqlite3.Error:
    """What SQLite raises for a change under this pragma."""
    with closing(database):
        database.execute("CREATE TABLE notes (text)")
        database.execute(pragma)
        with pytest.raises(sqlite3.Error) as raised:
            database.execute("INSERT INTO notes VALUES (zeroblob(400000))")
    return raised.value


def caused_by(error: Exception) -> OperationalError:
    """As Django passes it on."""
    outer = OperationalError(str(error))
    outer.__cause__ = error
    return outer


def test_sqlite_without_room_is_a_full_disk() -> None:
    error = caused_by(error_of(sqlite3.connect(":memory:"), "PRAGMA max_page_count = 4"))
    assert disk_fault(error) == FULL
    refusal = storage_refusal(error)
    assert refusal is not None
    assert (refusal.status, refusal.code, refusal.retry_after) == (507, "disk-full", 60)


def test_sqlite_that_may_not_write_is_read_only() -> None:
    error = caused_by(error_of(sqlite3.connect(":memory:"), "PRAGMA query_only = ON"))
    assert disk_fault(error) == READ_ONLY


def test_file_of_the_system_without_room_is_a_full_disk() -> None:
    with pytest.raises(OSError, match="No space") as raised, Path("/dev/full").open("wb", buffering=0) as file:
        file.write(b"x")
    assert disk_fault(raised.value) == FULL


@pytest.mark.parametrize(
    "error", [OperationalError("database is locked"), OSError("of the network"), ValueError(), None]
)
def test_other_errors_are_none(error: Exception | None) -> None:
    assert disk_fault(error) == ""


@pytest.mark.django_db
def test_postgresql_that_takes_no_changes_is_read_only() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("asks PostgreSQL")
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        with pytest.raises(DatabaseError, match="read-only") as raised:
            cursor.execute("CREATE TABLE notes (text text)")
    assert disk_fault(raised.value) == READ_ONLY


def page_after(path: str, sent: dict[str, str]) -> str:
    """The page of a form that could not be stored."""
    request = RequestFactory().post(path, sent)
    try:
        raise caused_by(error_of(sqlite3.connect(":memory:"), "PRAGMA max_page_count = 4"))
    except OperationalError:
        return server_error(request).content.decode()


PRIVATE = "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----"  # entered by mistake


def test_page_keeps_what_was_entered_but_no_secret() -> None:
    entered = {"text": WORDS, "version": "3", "confirm_password": "hush hush", "public_key": PRIVATE}
    page = page_after("/submissions/RS-1/file/?group=2", entered)
    assert 'action="/submissions/RS-1/file/?group=2"' in page
    assert WORDS in html.unescape(page)
    assert 'name="version" value="3"' in page
    assert "hush" not in page
    assert "MIGHAgEA" not in page
    assert "<script" not in page_after("/", {"text": "<script>alert(1) </script>"})


@pytest.mark.parametrize("path", ["/accounts/login/", "/invitations/secret/"])
def test_page_of_a_sign_in_keeps_nothing(path: str) -> None:
    assert "of mine" not in page_after(path, {"login": "some one of mine"})
