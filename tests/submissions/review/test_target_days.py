"""The Board's target: a filing is overdue once its target day is over, Eastern Time, in words and in lists."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from django.conf import LazySettings
from django.utils import timezone

from submissions.filings.review.worklist import overdue_before, target_of

MARCH_3 = "2026-03-03T22:00"  # the next day in UTC; clocks go forward before the target


@pytest.mark.parametrize(
    ("filed", "today", "words", "overdue"),
    [
        (MARCH_3, "2026-04-01", "Target: April 2, 2026, 1 day left", False),
        (MARCH_3, "2026-04-02", "Target: April 2, 2026, today", False),
        (MARCH_3, "2026-04-03", "Overdue: the target was April 2, 2026, 1 day ago", True),
        ("2026-03-03T00:00", "2026-04-02", "Target: April 2, 2026, today", False),
        ("2026-10-20T00:00", "2026-11-19", "Target: November 19, 2026, today", False),  # clocks go back between
        ("2026-10-20T23:59", "2026-11-21", "Overdue: the target was November 19, 2026, 2 days ago", True),
    ],
)
def test_filing_is_overdue_after_its_target_day(
    settings: LazySettings, filed: str, today: str, words: str, overdue: bool
) -> None:
    settings.TARGET_DAYS = 30
    filed_at, day = timezone.make_aware(datetime.fromisoformat(filed)), date.fromisoformat(today)
    target, limit = target_of(filed_at, day), overdue_before(day)
    assert target is not None
    assert limit is not None
    assert (target.words, target.overdue) == (words, overdue)
    assert (filed_at < limit) is overdue


def test_no_target_without_a_filing_or_a_setting(settings: LazySettings) -> None:
    settings.TARGET_DAYS = 30
    assert target_of(None, date(2026, 4, 3)) is None
    settings.TARGET_DAYS = 0
    assert target_of(timezone.now(), date(2026, 4, 3)) is None
    assert overdue_before(date(2026, 4, 3)) is None
