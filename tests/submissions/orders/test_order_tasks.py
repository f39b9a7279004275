"""What ends soon: whose task it is, from when, and the one notice of it."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from submissions.filings.orders.order_entry import end_order, enter_order
from submissions.filings.orders.order_tasks import order_tasks_of, remind
from submissions.models import Event, Notice, Organization, Person
from tests.submissions.approved import Cast
from tests.submissions.orders.orders import chapter_order, content, waiver

pytestmark = pytest.mark.service("queries", "time")

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture(autouse=True)
def _days(settings: object, casino: Organization) -> None:
    settings.ORDER_NOTICE_DAYS = 10


def days_left(person: Person) -> list[int]:
    return [task.days_left for task in order_tasks_of(person)]


@pytest.mark.parametrize(("days", "is_task"), [(0, True), (10, True), (11, False), (-1, False)])
def test_task_begins_some_days_before_the_last_day(
    director: Person, manager: Person, today: date, days: int, is_task: bool
) -> None:
    waiver(director, first_day=today - 20 * DAY, last_day=today + days * DAY)
    assert days_left(manager) == ([days] if is_task else [])


def test_tasks_are_those_of_the_manager_and_the_board(
    director: Person, analyst: Person, manager: Person, preparer: Person, reader: Person, stranger: Person, today: date
) -> None:
    waiver(director, last_day=today + 3 * DAY)
    found = {one.name: days_left(one) for one in (director, analyst, manager, preparer, reader, stranger)}
    assert found == {
        "Director One": [3], "Analyst One": [3], "Manager East": [3], "Preparer East": [], "Reader East": [],
        "Manager West": [],
    }  # fmt: skip


def test_order_that_was_ended_or_replaced_has_its_new_end(director: Person, manager: Person, today: date) -> None:
    ended, replaced = waiver(director), waiver(director, last_day=today + DAY)
    end_order(director, ended, from_day=today + 5 * DAY, reason="The rack is there.")
    enter_order(director, content(last_day=today + 7 * DAY), replaces=replaced)
    assert days_left(manager) == [4, 7]


def test_order_for_all_concerns_who_has_a_version_of_its_chapter(
    director: Person, analyst: Person, manager: Person, stranger: Person, today: date
) -> None:
    Cast(manager, analyst, director, computes=False).version("581")
    chapter_order(director, "581", last_day=today + 6 * DAY)
    assert (days_left(manager), days_left(stranger), days_left(analyst)) == ([6], [], [6])


def test_last_day_is_that_of_pennsylvania(director: Person, manager: Person) -> None:
    waiver(director, first_day=date(2026, 3, 1), last_day=date(2026, 3, 7))
    with time_machine.travel(datetime.fromisoformat("2026-03-08T04:59:00+00:00"), tick=False):
        assert days_left(manager) == [0]
    with time_machine.travel(datetime.fromisoformat("2026-03-08T05:01:00+00:00"), tick=False):
        assert days_left(manager) == []


def test_notice_of_an_end_is_sent_once(
    director: Person, analyst: Person, manager: Person, preparer: Person, stranger: Person, today: date
) -> None:
    order = waiver(director, last_day=today + 10 * DAY)
    Notice.objects.all().delete()
    assert [remind(timezone.now()) for _ in range(3)] == [1, 0, 0]
    assert Event.objects.filter(verb="order-ending").count() == 1
    notices = Notice.objects.order_by("person")
    assert {notice.person for notice in notices} == {director, analyst, manager, preparer}
    assert all(order.number in notice.words for notice in notices)


def test_another_last_day_is_another_notice(director: Person, today: date) -> None:
    order = waiver(director, last_day=today + 10 * DAY)
    assert remind(timezone.now()) == 1
    end_order(director, order, from_day=today + 3 * DAY, reason="The rack is there.")
    assert remind(timezone.now()) == 1


def test_notice_comes_when_the_day_comes(director: Person, today: date) -> None:
    waiver(director, last_day=today + 12 * DAY)
    assert remind(timezone.now()) == 0
    assert remind(timezone.now() + 2 * DAY) == 1


def test_entering_and_ending_notify_licensee_and_board(
    director: Person, analyst: Person, manager: Person, stranger: Person, today: date
) -> None:
    order = waiver(director, last_day=today + 90 * DAY)
    end_order(director, order, from_day=today + DAY, reason="The rack is there.")
    words = [notice.words for notice in Notice.objects.filter(person=manager).order_by("pk")]
    assert words[0].startswith(f"Director One entered Waiver {order.number} (12-2026): Casino East, ")
    assert words[1].startswith(f"Director One ended: Waiver {order.number} (12-2026)")
    assert {notice.person for notice in Notice.objects.all()} == {analyst, manager}
