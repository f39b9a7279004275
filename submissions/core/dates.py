"""Days as text, as pages, documents and email show them: "March 1, 2026"."""

from datetime import date, timedelta

from django.utils.dateformat import format as format_date


def date_text(day: date) -> str:
    """ "March 1, 2026"."""
    return format_date(day, "F j, Y")


def date_range_text(first: date, last: date) -> str:
    """ "March 1, 2026 to March 9, 2026", or the day alone where both are the same."""
    return date_text(first) if first == last else f"{date_text(first)} to {date_text(last)}"


def day_before(day: date | None) -> date | None:
    """The last day of a period that ends before `day`; None where no end is known."""
    return day - timedelta(days=1) if day else None
