"""The calendar of a month: a list by day, a grid on wide screens, and the coming year as an iCalendar file."""

import calendar as months
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from itertools import groupby
from operator import attrgetter

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event, vText

from submissions.core.errors import Refusal
from submissions.core.parameters import FIRST_DAY, LAST_DAY
from submissions.public.workload import CalendarEntry, calendar_entries
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.access_gate import person_of

MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
BEFORE, AFTER = timedelta(days=31), timedelta(days=366)  # of today, in the file
WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
SUNDAY_FIRST = 6


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of the grid with its entries; `in_month` is false for the days that fill its weeks."""

    day: date
    entries: tuple[CalendarEntry, ...]
    in_month: bool
    is_today: bool

    @property
    def words(self) -> str:
        """Return the number of entries in words: "1 entry", "3 entries"."""
        count = len(self.entries)
        return "1 entry" if count == 1 else f"{count} entries"

    @property
    def anchor(self) -> str:
        return f"day-{self.day.isoformat()}"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return the month that `month` names, such as 2026-11; this month without it."""
    fault: Refusal | None = None
    first = timezone.localdate().replace(day=1)
    try:
        first = month_of(request.GET.get("month", "")) or first
    except Refusal as refusal:
        fault = refusal
    last = _after(first) - timedelta(days=1)
    entries = calendar_entries(person_of(request), first, last)
    by_day = {day: list(rows) for day, rows in groupby(entries, attrgetter("day"))}
    weeks = months.Calendar(SUNDAY_FIRST).monthdatescalendar(first.year, first.month)
    context = {
        "fault": fault,
        "first": first,
        "before": first - timedelta(days=1) if first > FIRST_DAY else None,
        "after": _after(first) if last < LAST_DAY else None,
        "days": [_day(day, rows, first) for day, rows in by_day.items()],
        "weeks": [[_day(day, by_day.get(day, []), first) for day in week] for week in weeks],
        "weekdays": WEEKDAYS,
        "count": len(entries),
        "here": "calendar",
    }
    return render(request, "pages/calendar.html", context, status=400 if fault else 200)


@require_safe
def ics(request: HttpRequest) -> HttpResponse:
    """Return the entries from a month ago to a year from now as an iCalendar file."""
    today, person = timezone.localdate(), person_of(request)
    entries = calendar_entries(person, today - BEFORE, today + AFTER)
    request.META[EXPORTED_ROWS] = len(entries)
    content = icalendar(f"Rules Submissions: {person.organization}", request.get_host(), entries)
    headers = {"Content-Disposition": 'attachment; filename="rules-submissions.ics"'}
    return HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)


def icalendar(name: str, host: str, entries: Iterable[CalendarEntry]) -> bytes:
    """Return all-day events as an iCalendar file (RFC 5545), without times, repetition and alarms."""
    calendar, stamp = Calendar(), timezone.now().astimezone(UTC)
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Rules Submission Portal//Calendar//EN")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("x-wr-calname", vText(name))  # other clients take the name from this line; it is escaped as text
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.uid}@{host}")
        event.add("dtstamp", stamp)
        event.add("dtstart", entry.day)
        event.add("dtend", entry.day + timedelta(days=1))  # the day after: the end is not included
        event.add("summary", f"{entry.kind.label}: {entry.number}, {entry.words}")
        event.add("categories", [str(entry.kind.label)])
        event.add("url", f"{settings.PUBLIC_URL}{entry.address}")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def month_of(text: str) -> date | None:
    """Return the first day of the month; None if nothing was entered."""
    if not text:
        return None
    match = MONTH.fullmatch(text)
    first = date(int(match[1]), int(match[2]), 1) if match and int(match[1]) else None
    if first is None or not FIRST_DAY <= first <= LAST_DAY:
        raise Refusal("no-month", text=text[:40], first_year=FIRST_DAY.year, last_year=LAST_DAY.year)
    return first


def _after(first: date) -> date:
    """Return the first day of the next month."""
    return (first + timedelta(days=32)).replace(day=1)


def _day(day: date, entries: Sequence[CalendarEntry], first: date) -> CalendarDay:
    return CalendarDay(day, tuple(entries), day.month == first.month, day == timezone.localdate())
