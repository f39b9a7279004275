"""Days as text, as pages, documents and email show them: "March 1, 2026"."""

from datetime import date, timedelta
from typing import overload

from django.utils.dateformat import format as format_date


def date_text(day: date) -> str:
    """ "March 1, 2026"."""
    return format_date(day, "F j, Y")


@overload
def day_before(day: date) -> date: ...
@overload
def day_before(day: None) -> None: ...
def day_before(day: date | None) -> date | None:
    """The last day of a period that ends before `day`; None where no end is known."""
    return day - timedelta(days=1) if day else None
