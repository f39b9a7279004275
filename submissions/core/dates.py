"""Days as text, as pages, documents and email show them: "March 1, 2026"; moments as programs get them."""

from datetime import date, datetime, time, timedelta
from typing import overload

from django.utils.timezone import get_default_timezone, make_aware

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def date_text(day: date) -> str:
    """Return the day as "March 1, 2026"."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def short_day(day: date | None) -> str:
    """Return the day as "Mar 1, 2026", in tables; of a moment, the day in Eastern Time; "" for none."""
    if day is None:
        return ""
    if isinstance(day, datetime):
        day = day.astimezone(get_default_timezone())
    return f"{MONTHS[day.month - 1][:3]} {day.day}, {day.year}"


def short_moment(moment: datetime | None) -> str:
    """Return the moment as "Mar 1, 2026, 2:05 p.m.", Eastern Time, in tables; "" for none."""
    if moment is None:
        return ""
    at = moment.astimezone(get_default_timezone())
    return f"{short_day(at)}, {at.hour % 12 or 12}:{at.minute:02} {'p.m.' if at.hour >= 12 else 'a.m.'}"


def moment_text(moment: datetime) -> str:
    """Return RFC 3339 in Eastern Time, "2026-03-01T12:00:00-05:00": in the API and in webhooks alike."""
    return moment.astimezone(get_default_timezone()).isoformat()


def start_of(day: date) -> datetime:
    """Return midnight in Pennsylvania."""
    return make_aware(datetime.combine(day, time()))


@overload
def day_before(day: date) -> date: ...
@overload
def day_before(day: None) -> None: ...
def day_before(day: date | None) -> date | None:
    """Return the last day of a period that ends before `day`; None where no end is known."""
    return day - timedelta(days=1) if day else None
