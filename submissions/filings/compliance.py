"""Approved versions that no longer comply, or will not from a known day on. What they are judged by changes in three
ways: the chapter's data has another digest; an option, a paytable or a requirement begins or ends on a day; a waiver
ends, or a temporary chapter does. This module only reports; it opens, changes and ends nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from games import registry
from games.rules.model import Chapter, Finding
from submissions.filings.effective_periods import EffectivePeriod, VersionState, effective_periods
from submissions.filings.judging import judge_filed
from submissions.filings.snapshot import Content
from submissions.models import Revision, Version
from submissions.orders.waived_findings import OrderBook, load_order_book

ChapterOf = Callable[[str], Chapter]


@dataclass(frozen=True, slots=True)
class Breach:
    """A version that does not comply. `since`: the first such day; None: since the chapter's data changed."""

    term: EffectivePeriod
    since: date | None
    groups: tuple[tuple[str, tuple[Finding, ...]], ...]  # the group of tables, what blocks there

    def is_coming(self, day: date) -> bool:
        return self.since is not None and self.since > day


@dataclass(frozen=True, slots=True)
class ComplianceReport:
    """`judged`: versions in effect or scheduled; `other_rules`: how many of them were filed under other rules.

    `not_judged`: versions in effect or scheduled whose chapter the portal no longer has.
    """

    judged: int
    other_rules: int
    breaches: tuple[Breach, ...]  # those in effect first, then by day
    not_judged: int = 0


def check_compliance(rows: QuerySet[Version], day: date, chapter_of: ChapterOf = registry.chapter) -> ComplianceReport:
    """Judge the versions that are in effect on the day, or will be, by the rules of the day that counts for each."""
    all_current = _current_periods(rows, day)
    current = [period for period in all_current if period.version.chapter in registry.folders()]
    filings = [
        (period, cast(Revision, period.version.revision), chapter_of(period.version.chapter)) for period in current
    ]
    book = load_order_book()
    judged = [(*filed, _later_changes(*filed, book)) for filed in filings]
    changed = [filed for filed in judged if _may_have_changed(*filed[1:])]
    breaches = filter(None, (_breach(*filed, day, book) for filed in changed))
    return ComplianceReport(
        judged=len(current),
        other_rules=sum(filing.rules_digest != chapter.digest for _, filing, chapter, _ in changed),
        breaches=tuple(sorted(breaches, key=lambda breach: (breach.is_coming(day), breach.since or date.min))),
        not_judged=len(all_current) - len(current),
    )


def change_days(chapter: Chapter) -> list[date]:
    """The days on which some rule of the chapter begins or has ended."""
    periods = [option.period for option in chapter.options]
    periods += [paytable.period for paytable in chapter.paytables] + [
        requirement.period for requirement in chapter.requirements
    ]
    begins = {period.effective for period in periods if period.effective}
    return sorted(begins | {period.expires + timedelta(days=1) for period in periods if period.expires})


def _current_periods(rows: QuerySet[Version], day: date) -> list[EffectivePeriod]:
    versions = rows.filter(revision__isnull=False).select_related("organization", "revision__submission")
    periods = effective_periods(versions.defer("revision__snapshot", "revision__attestation"))
    return [period for period in periods if period.state(day) in (VersionState.IN_FORCE, VersionState.SCHEDULED)]


def _later_changes(period: EffectivePeriod, filing: Revision, chapter: Chapter, book: OrderBook) -> list[date]:
    """The days since the filing on which a rule begins or ends, or a waiver or the chapter no longer counts; the day of
    the filing is one if a waiver was ended on it.
    """
    filed_on = timezone.localdate(filing.filed_at)
    by_orders = book.change_days(chapter.number, period.version.organization.slug, filed_on)
    return sorted(by_orders | {day for day in change_days(chapter) if day > filed_on})


def _may_have_changed(filing: Revision, chapter: Chapter, changes: Sequence[date]) -> bool:
    """A filing blocked by nothing is blocked by nothing later, as long as neither the data nor a day changes it."""
    return filing.rules_digest != chapter.digest or bool(changes)


def _breach(
    period: EffectivePeriod, filing: Revision, chapter: Chapter, changes: Sequence[date], day: date, book: OrderBook
) -> Breach | None:
    """The breach on the day asked about, else on the first later day while the version is in effect; None if there is
    none.
    """
    content, begins = filing.content, max(day, period.version.from_day)
    if now := _blocking(chapter, content, begins, book):
        past = (change for change in changes if change <= begins)
        since = next((change for change in past if _blocking(chapter, content, change, book)), None)
        return Breach(period, since, now)
    coming = (change for change in changes if change > begins and (period.ends is None or change < period.ends))
    judged = ((change, _blocking(chapter, content, change, book)) for change in coming)
    return next((Breach(period, change, then) for change, then in judged if then), None)


def _blocking(
    chapter: Chapter, content: Content, day: date, book: OrderBook
) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    rows = content["configurations"]
    judged = ((row, judge_filed(chapter, content, place, day, book).blocking) for place, row in enumerate(rows))
    return tuple(
        (": ".join(filter(None, (row["name"], row["tables"]))), findings) for row, findings in judged if findings
    )
