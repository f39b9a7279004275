"""The security log cannot be changed unnoticed, and is deleted only when it is old."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from portal.processes.sweeper import DUTIES
from submissions.core import append_only
from submissions.models import AccessRecord, Event, Person
from submissions.security_log.daily_seals import delete_old_records, seal_days, security_log_problems
from submissions.security_log.records import has_valid_mac
from tests.submissions.security_log.rows import sign_in

pytestmark = pytest.mark.service("triggers", "time")

TABLE = "submissions_accessrecord"
CHANGES = (  # SQL, and the day of the row that it changes
    ("UPDATE {table} SET address = '203.0.113.9' WHERE id = {sealed}", "sealed"),
    ("UPDATE {table} SET kind = 'sign-out' WHERE id = {sealed}", "sealed"),
    ("UPDATE {table} SET person_id = NULL WHERE id = {sealed}", "sealed"),
    ("UPDATE {table} SET mac = '' , reason = 'x' WHERE id = {sealed}", "sealed"),
    ("UPDATE {table} SET mac = '' WHERE id = {sealed}", "code"),
    ("DELETE FROM {table} WHERE id = {sealed}", "sealed"),
    ("UPDATE {table} SET outcome = 'failure' WHERE id = {newest}", "newest"),
    ("UPDATE {table} SET count = 7 WHERE id = {newest}", "newest"),
)


@pytest.fixture
def written(manager: Person, preparer: Person) -> tuple[AccessRecord, AccessRecord]:
    """Two rows of yesterday and one of today; yesterday's first row and today's."""
    now = timezone.now()
    first = sign_in(manager, now - timedelta(days=1))
    sign_in(preparer, now - timedelta(days=1))
    newest = sign_in(manager)
    assert seal_days(now) == 1
    return first, newest


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_sweeper_seals_before_the_check_of_the_history_and_deletes(manager: Person, settings: Any) -> None:
    settings.SECURITY_LOG_DAYS = 91
    now = noon()
    for days in (120, 1, 0):
        sign_in(manager, now - timedelta(days=days))
    assert (DUTIES["security log"].do(now), DUTIES["old security log"].do(now)) == (2, 1)
    assert DUTIES["security log"].start < DUTIES["history"].start


def test_day_is_sealed_once_with_the_number_of_its_rows(written: tuple[AccessRecord, AccessRecord]) -> None:
    event = Event.objects.get(verb="security-log-sealed")
    yesterday = timezone.localdate() - timedelta(days=1)
    assert (event.after["day"], event.after["records"]) == (yesterday.isoformat(), 2)
    assert seal_days(timezone.now()) == 0
    assert list(security_log_problems()) == []


def test_row_as_it_was_written_has_a_valid_code(written: tuple[AccessRecord, AccessRecord], settings: Any) -> None:
    first, _ = written
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another secret key of more than forty characters"
    assert not has_valid_mac(AccessRecord.objects.get(pk=first.pk))
    settings.SECRET_KEY_FALLBACKS = [old]
    assert has_valid_mac(AccessRecord.objects.get(pk=first.pk))


@pytest.mark.parametrize(("statement", "which"), CHANGES)
def test_changed_row_is_found(written: tuple[AccessRecord, AccessRecord], statement: str, which: str) -> None:
    first, newest = written
    append_only.drop(connection, (TABLE,))
    sql(statement.format(table=TABLE, sealed=first.pk, newest=newest.pk))
    problems = list(security_log_problems())
    day = f"security log of {timezone.localdate(first.at)}"
    where = {"sealed": day, "code": f"record {first.pk}", "newest": f"record {newest.pk}"}
    assert problems
    assert where[which] in problems[0]


def test_inserted_and_moved_rows_are_found(written: tuple[AccessRecord, AccessRecord]) -> None:
    first, newest = written
    append_only.drop(connection, (TABLE,))
    copy = AccessRecord.objects.get(pk=newest.pk)
    copy.pk, copy.reference = None, "0" * 32
    copy.save(force_insert=True)
    assert [f"record {copy.pk}" in problem for problem in security_log_problems()] == [True]
    AccessRecord.objects.filter(pk=copy.pk).update(at=first.at)
    assert f"security log of {timezone.localdate(first.at)}: the 3 records" in next(security_log_problems())


def test_verify_history_names_the_changed_day(written: tuple[AccessRecord, AccessRecord]) -> None:
    first, _ = written
    append_only.drop(connection, (TABLE,))
    sql(f"UPDATE {TABLE} SET address = '' WHERE id = {first.pk}")  # noqa: S608  our own table
    errors = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("verify_history", stdout=StringIO(), stderr=errors)
    assert end.value.code == 1
    assert f"security log of {timezone.localdate(first.at)}, record {first.pk}" in errors.getvalue()


@pytest.mark.parametrize("statement", ["UPDATE {table} SET count = 2", "DELETE FROM {table}"])
def test_database_refuses_to_change_or_delete_what_is_young(manager: Person, statement: str) -> None:
    sign_in(manager)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        sql(statement.format(table=TABLE))


def noon() -> datetime:
    """Today at noon: some days before an instant close to midnight are of another date where clocks were changed."""
    return timezone.localtime().replace(hour=12, minute=0, second=0, microsecond=0)


def test_old_days_are_deleted_their_seals_stay_and_all_is_still_in_order(manager: Person, settings: Any) -> None:
    settings.SECURITY_LOG_DAYS = 91
    now = noon()
    for days in (200, 92, 91, 1):
        sign_in(manager, now - timedelta(days=days))
    assert delete_old_records(now) == 0  # nothing that is not sealed
    seal_days(now)
    assert delete_old_records(now) == 2
    assert [(timezone.localdate(now) - timezone.localdate(row.at)).days for row in AccessRecord.objects.all()] == [
        1,
        91,
    ]
    assert delete_old_records(now) == 0
    assert list(security_log_problems()) == []
    assert Event.objects.filter(verb="security-log-sealed").count() == 4
    deleted = Event.objects.get(verb="security-log-deleted").after
    assert deleted == {"through": (timezone.localdate(now) - timedelta(days=92)).isoformat(), "records": 2}


def test_row_put_into_a_deleted_day_is_found(manager: Person, settings: Any) -> None:
    settings.SECURITY_LOG_DAYS = 91
    now = noon()
    sign_in(manager, now - timedelta(days=200))
    seal_days(now)
    delete_old_records(now)
    sign_in(manager, now - timedelta(days=200))
    assert "the 1 records are not the 0" in next(security_log_problems())


def test_days_that_were_missed_are_sealed_one_by_one(manager: Person) -> None:
    now: datetime = timezone.now()
    for days in (5, 3, 3, 0):
        sign_in(manager, now - timedelta(days=days))
    assert seal_days(now) == 2
    assert [event.after["records"] for event in Event.objects.filter(verb="security-log-sealed")] == [1, 2]
