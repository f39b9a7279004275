"""A flood of failures fills no disk: few rows, and numbers that add up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
import time_machine
from django.db import connections
from django.db.models import Sum
from django.utils import timezone

from portal.processes.sweeper import run_upkeep
from submissions.models import AccessRecord, FailureCount
from submissions.security_log.records import IN_ALL, PER_SOURCE, record_counts
from tests.submissions.security_log.rows import fail

pytestmark = pytest.mark.service("locks", "constraints")

NOON = datetime(2026, 3, 2, 17, 0, 0, tzinfo=UTC)


def total() -> int:
    return AccessRecord.objects.aggregate(total=Sum("count"))["total"] or 0


@pytest.mark.django_db
def test_flood_from_one_source_is_few_rows_and_one_that_counts_the_others() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert fail("192.0.2.1", 2 * IN_ALL) == PER_SOURCE
        assert record_counts(timezone.now()) == 0  # the minute is not over
        clock.shift(timedelta(minutes=2))
        run_upkeep(timezone.now())  # of the sweeper, each minute
        assert record_counts(timezone.now()) == 0
    last = AccessRecord.objects.latest("pk")
    assert (AccessRecord.objects.count(), total()) == (PER_SOURCE + 1, 2 * IN_ALL)
    assert (last.kind, last.outcome, last.reason) == ("key-refused", "failure", "repeated")
    assert last.count == 2 * IN_ALL - PER_SOURCE
    assert last.details == {"minute": "2026-03-02T12:00-05:00", "source": "192.0.2.1"}
    assert not FailureCount.objects.exists()


@pytest.mark.django_db
def test_addresses_of_one_ipv6_network_are_one_source() -> None:
    with time_machine.travel(NOON, tick=False):
        rows = sum(fail(f"2001:db8::{number:x}") for number in range(1, 60))
        assert rows == PER_SOURCE
        assert fail("2001:db8:0:1::1") == 1


@pytest.mark.django_db
def test_flood_of_one_source_does_not_hide_another_nor_another_kind() -> None:
    with time_machine.travel(NOON, tick=False):
        fail("192.0.2.1", 2 * IN_ALL)
        assert fail("192.0.2.2", 5) == 5
        assert fail("192.0.2.1", 5, AccessRecord.Kind.SIGN_IN_FAILED) == 5


@pytest.mark.django_db
def test_flood_from_many_sources_is_bounded_too() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        rows = sum(fail(f"198.51.{number // 250}.{number % 250}", 2) for number in range(260))
        assert rows == IN_ALL
        assert FailureCount.objects.count() <= IN_ALL + 1
        clock.shift(timedelta(minutes=2))
        record_counts(timezone.now())
    assert (AccessRecord.objects.count(), total()) == (IN_ALL + 1, 520)
    assert AccessRecord.objects.latest("pk").details["source"] == "all together"


@pytest.mark.django_db
def test_next_minute_has_rows_of_its_own() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        fail("192.0.2.1", 100)
        clock.shift(timedelta(minutes=1))
        assert fail("192.0.2.1", 3) == 3


@pytest.mark.django_db(transaction=True)
def test_failures_at_the_same_time_are_counted_each() -> None:
    def work() -> None:
        try:
            fail("192.0.2.1", 25)
        finally:
            connections.close_all()

    with time_machine.travel(NOON, tick=False) as clock:
        threads = [Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        clock.shift(timedelta(minutes=2))
        record_counts(timezone.now())
    assert (AccessRecord.objects.count(), total()) == (PER_SOURCE + 1, 100)
