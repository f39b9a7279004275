"""The calendar: what each side sees on which day, its month, and the iCalendar file read back by RFC 5545's rules."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.urls import reverse

from submissions.filings.review.pages.calendar import icalendar
from submissions.models import LayoutStatus, Part, Person, Status, Submission
from submissions.public.workload import CalendarEntry, EntryKind, calendar_entries
from tests.submissions.filing_rows import draft, filing, put_in_force
from tests.submissions.layout_rows import layout_row
from tests.submissions.orders.orders import waiver
from tests.submissions.web.clients import browser

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)
SPRING = (date(2026, 3, 1), date(2026, 5, 31))


@pytest.fixture(autouse=True)
def _spring():
    with time_machine.travel(NOW, tick=False):
        yield


def seen(person: Person) -> list[tuple[str, str, str]]:
    return [(f"{entry.day:%m-%d}", str(entry.kind), entry.number) for entry in calendar_entries(person, *SPRING)]


def test_each_side_sees_its_days(manager: Person, stranger: Person, analyst: Person, director: Person) -> None:
    filed = filing(manager, "687a", at="2026-03-03T23:30")
    Submission.objects.filter(pk=filed.submission_id).update(takes_effect=date(2026, 5, 1))
    approved = filing(manager, "682a", at="2026-02-01T12:00")
    put_in_force(approved, date(2026, 4, 20), director)
    layout = layout_row(approved, at="2026-03-05T12:00", status=LayoutStatus.FILED, parts=(Part.SIGN,))
    number, sign = filed.submission.number, layout.number
    own = [
        ("03-20", "layout-due", sign),  # 15 days after March 5
        ("04-20", "in-effect", approved.submission.number),
        ("05-01", "planned", number),
    ]
    assert seen(manager) == own
    assert seen(stranger) == []
    assert seen(analyst) == [own[0], ("04-02", "target", number), *own[1:]]  # 30 days after March 3


def test_planned_day_of_a_draft_or_a_returned_filing_is_for_the_licensee(manager: Person, analyst: Person) -> None:
    returned = filing(manager, "687a", at="2026-03-03T12:00", status=Status.RETURNED).submission
    for submission in (returned, draft(manager, "682a")):
        Submission.objects.filter(pk=submission.pk).update(takes_effect=date(2026, 5, 1))
    assert len(seen(manager)) == 2
    assert seen(analyst) == []


def test_end_of_an_order_is_seen_by_its_licensee_and_the_board(
    manager: Person, stranger: Person, analyst: Person, director: Person
) -> None:
    order = waiver(director, last_day=date(2026, 4, 9))
    expected = [("04-09", "order-ends", order.number)]
    assert [seen(reader) for reader in (manager, analyst, stranger)] == [expected, expected, []]


def test_calendar_page_lists_a_month_by_day(manager: Person, analyst: Person) -> None:
    filing(manager, "687a", at="2026-03-03T12:00")
    client = browser(analyst)
    april = client.get(reverse("calendar"), {"month": "2026-04"}).content.decode()
    assert "Thursday, April 2" in april
    assert 'href="#day-2026-04-02"' in april
    assert 'href="/calendar/?month=2026-03"' in april
    assert "Nothing is due" in client.get(reverse("calendar")).content.decode()  # in March


@pytest.mark.parametrize("month", ["soon", "2026-13", "0000-01", "1999-12", "2026-4"])
def test_calendar_refuses_what_is_no_month(analyst: Person, month: str) -> None:
    answer = browser(analyst).get(reverse("calendar"), {"month": month})
    assert answer.status_code == 400
    assert "is not a month" in answer.content.decode()


def unfolded(text: str) -> list[str]:
    """The content lines (RFC 5545, 3.1): a line that begins with a space continues the one before."""
    assert text.endswith("\r\n")
    lines: list[str] = []
    for line in text.removesuffix("\r\n").split("\r\n"):
        assert len(line.encode()) <= 75
        assert "\n" not in line
        if line.startswith(" "):
            lines[-1] += line[1:]
        else:
            lines.append(line)
    return lines


def test_file_is_read_back_by_the_rules_of_the_format() -> None:
    words = "Über; a, b \\ c\nand a long line of words that has to be folded at 75 bytes, §§§§§§§§§§§§§§§§§§§§§§§§§§"
    entry = CalendarEntry(date(2026, 12, 31), EntryKind.TARGET, "RS-1", words, "/x")
    with time_machine.travel(datetime(2026, 1, 1, 23, tzinfo=UTC) + timedelta(hours=2), tick=False):
        lines = unfolded(icalendar("Casino, East", "portal.example", [entry]).decode())
    escaped = words.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
    assert (lines[0], lines[5], lines[-2:]) == ("BEGIN:VCALENDAR", "BEGIN:VEVENT", ["END:VEVENT", "END:VCALENDAR"])
    assert sorted(lines) == sorted(
        [  # within a component, the order of lines means nothing
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Rules Submission Portal//Calendar//EN",
            "CALSCALE:GREGORIAN",
            "X-WR-CALNAME:Casino\\, East",
            "BEGIN:VEVENT",
            "UID:target-RS-1@portal.example",
            "DTSTAMP:20260102T010000Z",
            "DTSTART;VALUE=DATE:20261231",
            "DTEND;VALUE=DATE:20270101",
            f"SUMMARY:Target day: RS-1\\, {escaped}",
            "CATEGORIES:Target day",
            f"URL:{settings.PUBLIC_URL}/x",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
            "END:VCALENDAR",
        ]
    )


def test_download_has_the_entries_of_the_reader_only(manager: Person, stranger: Person, analyst: Person) -> None:
    filing(manager, "687a", at="2026-03-03T12:00")
    texts = {}
    for reader in (analyst, stranger):
        answer = browser(reader).get(reverse("calendar-ics"))
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        texts[reader.name] = answer.content.decode()
    assert unfolded(texts["Analyst One"]).count("BEGIN:VEVENT") == 1
    assert "BEGIN:VEVENT" not in texts["Manager West"]
