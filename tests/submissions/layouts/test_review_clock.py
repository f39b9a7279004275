"""The clock of § 601a.10, at known dates and against an oracle that walks day by day with a calendar of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from submissions.layouts.review_clock import (
    DAYS,
    PENNSYLVANIA,
    ClockMark,
    ClockMarkKind,
    ClockReading,
    day_of,
    read_clock,
)

EASTERN_NOON = timedelta(hours=17)  # of UTC: after midnight and before the next in Pennsylvania, summer and winter


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + EASTERN_NOON


def november(day: int) -> datetime:
    return noon(date(2026, 11, day))


def notice(day: int) -> ClockMark:
    return ClockMark(november(day), ClockMarkKind.NOTICE)


def correction(day: int) -> ClockMark:
    return ClockMark(november(day), ClockMarkKind.CORRECTION)


@pytest.mark.parametrize(
    ("filed", "due"),
    [
        (date(2026, 11, 2), date(2026, 11, 17)),
        (date(2028, 2, 20), date(2028, 3, 6)),  # over a leap day
        (date(2027, 2, 20), date(2027, 3, 7)),
        (date(2028, 2, 29), date(2028, 3, 15)),
        (date(2028, 2, 14), date(2028, 2, 29)),
        (date(2026, 12, 25), date(2027, 1, 9)),  # over the year's end
        (date(2026, 12, 16), date(2026, 12, 31)),
        (date(2026, 3, 1), date(2026, 3, 16)),  # over the day of 23 hours
        (date(2026, 10, 25), date(2026, 11, 9)),  # over the day of 25 hours
        (date(2100, 2, 20), date(2100, 3, 7)),  # no leap year
    ],
)
def test_the_last_day_is_fifteen_days_after_the_filing(filed: date, due: date) -> None:
    assert read_clock(noon(filed), [], noon(filed)) == ClockReading(0, due)
    assert read_clock(noon(filed), [], noon(due)) == ClockReading(15, due)
    assert read_clock(noon(filed), [], noon(due + timedelta(1))) == ClockReading(15, due, late=1)


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        (datetime(2026, 3, 8, 4, 59, 59, tzinfo=UTC), date(2026, 3, 7)),  # the last second before midnight, winter
        (datetime(2026, 3, 8, 5, tzinfo=UTC), date(2026, 3, 8)),
        (datetime(2026, 3, 9, 3, 59, 59, tzinfo=UTC), date(2026, 3, 8)),  # and in summer, 23 hours later
        (datetime(2026, 3, 9, 4, tzinfo=UTC), date(2026, 3, 9)),
        (datetime(2026, 11, 1, 4, tzinfo=UTC), date(2026, 11, 1)),
        (datetime(2026, 11, 2, 4, 59, 59, tzinfo=UTC), date(2026, 11, 1)),  # 25 hours
        (datetime(2027, 1, 1, 4, 30, tzinfo=UTC), date(2026, 12, 31)),
    ],
)
def test_a_day_is_pennsylvanias(instant: datetime, day: date) -> None:
    assert day_of(instant) == day
    assert str(PENNSYLVANIA) == settings.TIME_ZONE


def test_an_instant_before_midnight_is_a_day_earlier() -> None:
    midnight = datetime(2026, 3, 8, 5, tzinfo=UTC)
    assert read_clock(midnight - timedelta(seconds=1), [], midnight).used == 1
    assert read_clock(midnight, [], midnight).used == 0


def test_the_days_of_notice_and_correction_do_not_count() -> None:
    marks = [notice(6), correction(9)]
    assert read_clock(november(2), marks, november(5)) == ClockReading(3, date(2026, 11, 17))
    assert read_clock(november(2), marks, november(6)) == ClockReading(3, None)
    assert read_clock(november(2), marks, november(8)) == ClockReading(3, None)
    assert read_clock(november(2), marks, november(9)) == ClockReading(3, date(2026, 11, 21))
    assert read_clock(november(2), marks, november(10)) == ClockReading(4, date(2026, 11, 21))
    assert read_clock(november(2), marks, november(21)) == ClockReading(15, date(2026, 11, 21))


def test_a_notice_on_the_last_day_leaves_a_day_for_what_is_filed_anew() -> None:
    found = read_clock(november(2), [notice(17), correction(20)], november(20))
    assert found == ClockReading(14, date(2026, 11, 21))
    assert (found.days_left, found.stopped, found.overdue) == (1, False, False)


def test_a_notice_after_the_last_day_does_not_stop_the_clock() -> None:
    found = read_clock(november(2), [notice(18), correction(20)], november(20))
    assert found == ClockReading(15, date(2026, 11, 17), late=3)
    assert found.overdue


def test_a_standing_clock_is_never_overdue() -> None:
    found = read_clock(november(2), [notice(17)], noon(date(2028, 1, 1)))
    assert (found.stopped, found.overdue, found.days_left) == (True, False, 1)


def test_notice_and_correction_on_one_day_cost_that_day_only() -> None:
    assert read_clock(november(2), [notice(6), correction(6)], november(7)) == ClockReading(4, date(2026, 11, 18))
    assert read_clock(november(2), [notice(2), correction(2)], november(3)) == ClockReading(1, date(2026, 11, 17))


def test_a_second_notice_and_a_correction_of_nothing_change_nothing() -> None:
    plain = [notice(6), correction(9)]
    more = [correction(4), *plain, notice(7), correction(11)]
    assert read_clock(november(2), more, november(12)) == read_clock(november(2), plain, november(12))


def test_what_is_before_the_filing_or_has_no_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="before the filing"):
        read_clock(november(2), [notice(1)], november(3))
    with pytest.raises(ValueError, match="before the filing"):
        read_clock(november(2), [], november(1))
    with pytest.raises(ValueError, match="no time zone"):
        day_of(november(2).replace(tzinfo=None))


# ---- the oracle: it knows the law of 2005 on daylight saving, and counts on its fingers

INSTANTS = st.datetimes(datetime(2007, 12, 1), datetime(2036, 12, 1), timezones=st.just(UTC))
EDGES = st.sampled_from(
    [
        datetime(year, month, day, hour, 59, tzinfo=UTC)
        for year in (2024, 2027, 2028)
        for month, day in ((2, 28), (3, 8), (3, 10), (3, 14), (10, 31), (11, 1), (11, 5), (11, 7), (12, 31))
        for hour in (3, 4, 5)
    ]
)
GAPS = st.lists(st.tuples(st.integers(0, 9 * 24 * 60), st.sampled_from(ClockMarkKind)), max_size=6)


@given(st.one_of(INSTANTS, EDGES), GAPS, st.integers(0, 40 * 24 * 60))
def test_the_clock_agrees_with_a_walk_day_by_day(
    filed: datetime, gaps: list[tuple[int, ClockMarkKind]], wait: int
) -> None:
    marks, when = [], filed
    for minutes, kind in gaps:
        when += timedelta(minutes=minutes)
        marks.append(ClockMark(when, kind))
    at = filed + timedelta(minutes=wait)
    found = read_clock(filed, marks, at)
    assert (found.used, found.due, found.late) == walked(filed, marks, at)
    assert found.used + found.days_left == DAYS
    assert 0 <= found.used <= DAYS


def walked(filed: datetime, marks: Sequence[ClockMark], at: datetime) -> tuple[int, date | None, int]:
    """Every day from the filing on: what is marked on it, whether it counts, and whether the days are used up."""
    runs, used, late, due = True, 0, 0, None
    day, today = eastern(filed), eastern(at)
    while day <= today:
        whole = runs and day != eastern(filed)
        for mark in marks:
            if eastern(mark.at) == day and mark.at <= at and due is None:
                runs = mark.kind is ClockMarkKind.CORRECTION
                whole = whole and runs
        late += due is not None
        used += whole and due is None
        if used == DAYS and due is None and not (day == today and not runs):
            due = day
        day += timedelta(1)
    if due is None and runs:
        due = today + timedelta(DAYS - used)
    return used, due, late


def eastern(instant: datetime) -> date:
    """The day by the clock on the wall: five hours behind, four from March's second Sunday to November's first."""
    year = instant.year
    springs = datetime(year, 3, sunday(year, 3, 2), 7, tzinfo=UTC)
    falls = datetime(year, 11, sunday(year, 11, 1), 6, tzinfo=UTC)
    return (instant - timedelta(hours=4 if springs <= instant < falls else 5)).date()


def sunday(year: int, month: int, which: int) -> int:
    return [day for day in range(1, 29) if date(year, month, day).weekday() == 6][which - 1]
