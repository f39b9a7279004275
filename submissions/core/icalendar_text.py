"""Days of a calendar as an iCalendar file (RFC 5545): all-day events, without times, repetition and alarms."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar, Event, vText


@dataclass(frozen=True, slots=True)
class DayEvent:
    """An event of one day. `uid` is the same whenever the same event is written again, so that calendars replace it."""

    uid: str
    day: date
    summary: str
    category: str
    url: str = ""


def calendar_text(name: str, events: Iterable[DayEvent], made_at: datetime) -> str:
    """The whole file. `made_at`: an instant with its time zone."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Rules Submission Portal//Calendar//EN")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("x-wr-calname", vText(name))  # other clients take the name from this line; it is escaped as text
    for event in events:
        calendar.add_component(_entry(event, made_at.astimezone(UTC)))
    return bytes(calendar.to_ical()).decode()


def _entry(event: DayEvent, stamp: datetime) -> Event:
    entry = Event()
    entry.add("uid", event.uid)
    entry.add("dtstamp", stamp)
    entry.add("dtstart", event.day)
    entry.add("dtend", event.day + timedelta(days=1))  # the day after: the end is not included
    entry.add("summary", event.summary)
    entry.add("categories", [event.category])
    if event.url:
        entry.add("url", event.url)
    entry.add("transp", "TRANSPARENT")
    return entry
