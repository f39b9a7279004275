"""The Board's own target for Rules Submissions: the day by which a filing should be decided.

The target is the setting `TARGET_DAYS`, a number of calendar days after the day of the latest filing, Eastern Time; 0 =
there is none. It is no duty under the regulation: only layouts have statutory days (§ 601a.10, `layouts.review_clock`).
A filing that was returned and filed again has a new target, because its latest filing is the one under review.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.utils import timezone

from submissions.core.dates import date_text


@dataclass(frozen=True, slots=True)
class Target:
    """The target day of a filing, as of `today`."""

    due: date
    today: date

    @property
    def days_left(self) -> int:
        """Negative once the target day is past."""
        return (self.due - self.today).days

    @property
    def overdue(self) -> bool:
        return self.days_left < 0

    @property
    def words(self) -> str:
        """ "Target: November 30, 2026, 5 days left"."""
        left = self.days_left
        if left < 0:
            return f"Overdue: the target was {date_text(self.due)}, {_days(-left)} ago"
        return f"Target: {date_text(self.due)}, {f'{_days(left)} left' if left else 'today'}"


def target_of(filed_at: datetime | None, today: date) -> Target | None:
    """The target of a filing; None without a filing, or where there is no target."""
    if filed_at is None or not settings.TARGET_DAYS:
        return None
    return Target(timezone.localdate(filed_at) + timedelta(settings.TARGET_DAYS), today)


def overdue_before(today: date) -> datetime | None:
    """The moment before which a filing was filed whose target day is past; None where there is no target."""
    if not settings.TARGET_DAYS:
        return None
    return timezone.make_aware(datetime.combine(today - timedelta(settings.TARGET_DAYS), time()))


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"
