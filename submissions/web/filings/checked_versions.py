"""The versions that changed rules block or affect, for the page of them: kept until something that they are made of
is another.

They are made of what is stored for good (versions, orders and their ends), of the licensees and of the rules. Not
kept: what waits for figures that a job computes. Not here: which versions are blocked (`filings.compliance`) or
affected (`layouts.affected_versions`).
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from games.registry import folders
from submissions.core.rows_seen import rows_seen
from submissions.filings.compliance import ComplianceReport, current_periods, judge_periods
from submissions.models import Order, OrderEnd, Organization, Person, Version
from submissions.permissions import ReadScope, read_scope_of, versions_visible_to
from submissions.rules.effective_rules import chapters_on, published_changes
from submissions.web.filings.affected_rows import AffectedRow, affected_rows

MOST_KEPT = 40  # readers' organizations and days


@dataclass(frozen=True, slots=True)
class CheckedVersions:
    """The versions of a reader as of a day: those that do not comply, and those that are affected."""

    report: ComplianceReport
    affected: tuple[AffectedRow, ...]

    @property
    def is_computing(self) -> bool:
        """Whether a job still computes a figure of it."""
        changes = (group.changes for row in self.affected for group in row.groups)
        return any(change.is_computing for change in changes)


_kept_checks: dict[tuple[ReadScope, date], tuple[tuple[Any, ...], CheckedVersions]] = {}


def checked_versions(reader: Person, day: date) -> CheckedVersions:
    """All versions for the Board, its own for a licensee."""
    reach = read_scope_of(reader)
    if reach is None:
        return _check(reader, day)
    made_of = _made_of(day)
    seen, checked = _kept_checks.get((reach, day), (None, None))
    if checked is None or seen != made_of:
        checked = _check(reader, day)
        if len(_kept_checks) >= MOST_KEPT:
            _kept_checks.clear()
        if not checked.is_computing:
            _kept_checks[reach, day] = (made_of, checked)
    return checked


def _check(reader: Person, day: date) -> CheckedVersions:
    periods = current_periods(versions_visible_to(reader), day)
    return CheckedVersions(judge_periods(periods, day), tuple(affected_rows(periods, day)))


def _made_of(day: date) -> tuple[Any, ...]:
    """All that the report follows from, but for the reader's scope and the day."""
    return (
        rows_seen(Version, "made_at"),
        rows_seen(Order, "at"),
        rows_seen(OrderEnd, "at"),
        tuple(Organization.objects.order_by("pk").values_list("pk", "name", "slug", "kind", "sandbox_of")),
        tuple(chapter.digest for chapter in chapters_on(day)),
        tuple(published_changes(number) for number in folders()),
    )
