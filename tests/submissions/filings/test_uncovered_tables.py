"""Open tables without an approval: which they are on a day, whose task they are, and the one notice of each opening."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from submissions.filings import versions
from submissions.filings.orders.temporary_chapters import chapter_decisions
from submissions.filings.tables.table_status import report_openings, uncovered_tables_of
from submissions.models import Event, Mail, MailPreference, Notice, Person
from tests.submissions.approved import Cast
from tests.submissions.orders.orders import chapter_order
from tests.submissions.table_list.lists import enter
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.service("queries", "views")

DAY = timedelta(days=1)


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def uncovered(person: Person) -> list[tuple[str, str, str]]:
    return [
        (group.licensee.slug, group.chapter, group.tables) for group in uncovered_tables_of(person, chapter_decisions())
    ]


def test_open_tables_of_a_game_that_is_not_in_effect_today(cast: Cast, manager: Person) -> None:
    today = timezone.localdate()
    cast.version("593")
    cast.version("581", from_day=today + DAY)
    enter(manager, ("1", "593"), ("2", "581"), ("3", "581"), ("4", "581", "", "closed"), ("5", "590"), ("6", "590"))
    enter(manager, ("6", "590", "", "removed"))
    enter(manager, ("7", "590"), from_day=today + DAY)
    assert uncovered(manager) == [("east", "581", "2-3"), ("east", "590", "5")]


def test_game_that_was_discontinued_or_whose_chapter_ended_covers_no_table(cast: Cast, director: Person) -> None:
    today = timezone.localdate()
    discontinued = cast.version("593").submission
    cast.version("581")
    enter(cast.manager, ("1", "593"), ("2", "581"))
    assert uncovered(cast.manager) == []
    versions.discontinue(cast.manager, discontinued, from_day=today, reason="No demand.")
    assert uncovered(cast.manager) == [("east", "593", "1")]
    chapter_order(director, "581", last_day=today)
    with time_machine.travel(timezone.now() + DAY, tick=False):
        assert uncovered(cast.manager) == [("east", "581", "2"), ("east", "593", "1")]


def test_task_is_for_those_who_file_and_for_the_reviewers(
    manager: Person, preparer: Person, reader: Person, stranger: Person, analyst: Person, director: Person
) -> None:
    enter(manager, ("1", "590"))
    enter(stranger, ("1", "593"))
    east, west = ("east", "590", "1"), ("west", "593", "1")
    seen = [uncovered(one) for one in (manager, preparer, reader, stranger, analyst, director)]
    assert seen == [[east], [east], [], [west], [east, west], [east, west]]


def test_first_pages_name_the_tables_until_the_game_is_approved(cast: Cast, analyst: Person) -> None:
    enter(cast.manager, ("22", "593"))
    line = "High Roll Dice: table 22 </a>"
    of_licensee, of_board = (browser(one).get(reverse("home")).content.decode() for one in (cast.manager, analyst))
    assert (line in of_licensee, f"Casino East, {line}" in of_board) == (True, True)
    assert "Close it until the Board approves the game" in of_licensee
    assert "You have no open tasks." not in of_licensee
    assert "Tables open without an approval" in of_board
    cast.version("593")
    for person in (cast.manager, analyst):
        assert line not in browser(person).get(reverse("home")).content.decode()


def test_each_opening_is_reported_once_to_those_whose_task_it_is(
    cast: Cast, preparer: Person, reader: Person, stranger: Person, other_director: Person
) -> None:
    Person.objects.filter(pk=preparer.pk).update(mails=MailPreference.EACH)
    enter(cast.manager, ("22", "593"), ("23", "590"))
    assert [report_openings(timezone.now()) for _ in range(3)] == [2, 0, 0]
    events = Event.objects.filter(verb="tables-open-without-approval")
    assert {event.organization for event in events} == {cast.manager.organization}
    notices = Notice.objects.filter(event__in=events)
    people = {cast.manager, preparer, cast.analyst, cast.director, other_director}
    assert {notice.person for notice in notices} == people
    assert notices.count() == 2 * len(people)
    assert all("§ 601a.2" in notice.words for notice in notices)
    assert all("), table 2" in notice.words for notice in notices)
    asked_to_close = {notice.person for notice in notices if "Close the tables" in notice.words}
    assert asked_to_close == {cast.manager, preparer}
    assert Mail.objects.filter(to=preparer).count() == 2
    assert mail.outbox == []  # the job sends them
    version = cast.version("593").submission
    assert report_openings(timezone.now()) == 0
    versions.discontinue(cast.manager, version, from_day=timezone.localdate(), reason="No demand.")
    assert report_openings(timezone.now()) == 1  # it is open without an approval again
