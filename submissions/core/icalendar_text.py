"""Days of a calendar as an iCalendar file (RFC 5545): all-day events, in UTF-8, with lines of at most 75 bytes.

Only what the portal needs: no times, no repetition, no alarms.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

LONGEST = 75  # bytes of a line, without its end (RFC 5545, 3.1)
LINE_END = "\r\n"
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


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
    stamp = made_at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Rules Submission Portal//Calendar//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_escaped(name)}",
        *(line for event in events for line in _event(event, stamp)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}{LINE_END}" for line in lines for part in _folded(line))


def _event(event: DayEvent, stamp: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_escaped(event.uid)}"
    yield f"DTSTAMP:{stamp}"
    yield f"DTSTART;VALUE=DATE:{event.day:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{event.day + timedelta(days=1):%Y%m%d}"  # the day after: the end is not included
    yield f"SUMMARY:{_escaped(event.summary)}"
    yield f"CATEGORIES:{_escaped(event.category)}"
    if event.url:
        yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _escaped(text: str) -> str:
    return text.translate(ESCAPES)


def _folded(line: str) -> Iterator[str]:
    """The line in parts of at most 75 bytes; each but the first begins with a space. No character is split."""
    part, room = "", LONGEST
    for character in line:
        size = len(character.encode())
        if size > room:
            yield part
            part, room = " ", LONGEST - 1
        part += character
        room -= size
    yield part
