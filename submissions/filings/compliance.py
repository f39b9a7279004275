"""Approved versions that no longer comply, or will not from a known day on.

What they are judged by changes in three ways: the chapter's data is corrected; a rulemaking, an option, a paytable or a
requirement begins or ends on a day; a waiver ends, or a temporary chapter does. This module only reports what blocks;
it opens, changes and ends nothing. Not here: versions that comply and whose odds, lines, layout or words change all the
same (`layouts.affected_versions`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from games import registry
from games.rules.model import Chapter, Finding
from submissions.filings.judging import FiledJudgment, filed_judgment
from submissions.filings.orders.waived_findings import OrderBook, load_order_book
from submissions.filings.snapshot import JsonObject
from submissions.filings.versions import EffectivePeriod, effective_periods, not_over
from submissions.models import Revision, Version
from submissions.rules import chapter_on, days_of_change, version_day

MOST_JUDGED = 5_000  # verdicts that a process remembers
# By digest of the filing and of the rules, of which each verdict is a function: it is never out of date.
_judged: dict[tuple[str, str, str], tuple[tuple[str, FiledJudgment], ...]] = {}


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
    """`judged`: versions in effect or scheduled; `other_rules`: how many of them were filed under other data.

    `not_judged`: versions in effect or scheduled whose chapter the portal no longer has.
    """

    judged: int
    other_rules: int
    breaches: tuple[Breach, ...]  # those in effect first, then by day
    not_judged: int = 0


def judge_periods(periods: Sequence[EffectivePeriod], day: date) -> ComplianceReport:
    """Return the report on versions that are read already (`current_periods`)."""
    current = [period for period in periods if period.version.chapter in registry.folders()]
    books = load_order_book().by_game((period.version.organization.slug, period.version.chapter) for period in current)
    other_data = {period.version.pk for period in current if _has_other_data(period.version)}
    changed = [
        (period, book, days)
        for period, book in zip(current, books, strict=True)
        if (days := _judged_days(period, book)) or period.version.pk in other_data
    ]
    read_snapshots(
        [period for period, _, days in changed if not _is_judged(period, {version_day(period.version, day), *days})]
    )
    breaches = filter(None, (_breach(period, day, book, days) for period, book, days in changed))
    return ComplianceReport(
        judged=len(current),
        other_rules=len(other_data),
        breaches=tuple(sorted(breaches, key=lambda breach: (breach.is_coming(day), breach.since or date.min))),
        not_judged=len(periods) - len(current),
    )


def current_periods(rows: QuerySet[Version], day: date) -> list[EffectivePeriod]:
    """Return the versions that are in effect on the day, or will be, without their snapshots (`read_snapshots`)."""
    versions = not_over(rows, day).filter(revision__isnull=False)
    versions = versions.select_related("organization", "revision__submission")
    return effective_periods(versions.defer("revision__snapshot", "revision__attestation"))


def read_snapshots(periods: Sequence[EffectivePeriod]) -> None:
    """Read the snapshots of these versions in one query; else each is read when it is used."""
    revisions = {revision.pk: revision for revision in map(revision_of, periods)}
    missing = [key for key, revision in revisions.items() if "snapshot" in revision.get_deferred_fields()]
    for key, snapshot in Revision.objects.filter(pk__in=missing).values_list("pk", "snapshot"):
        revisions[key].snapshot = snapshot


def change_days_of(period: EffectivePeriod) -> tuple[date, ...]:
    """Return the days on which something of its chapter changes while the version is in effect."""
    begins, ends = period.version.from_day, period.ends
    days = days_of_change(period.version.chapter)
    return tuple(day for day in days if begins < day and (ends is None or day < ends))


def revision_of(period: EffectivePeriod) -> Revision:
    """Return the approved revision of a version that does not discontinue the game."""
    return cast(Revision, period.version.revision)


def _judged_days(period: EffectivePeriod, book: OrderBook) -> list[date]:
    """Return those days, and the days from the filing on, on which a waiver or the chapter no longer counts."""
    version, filed_on = period.version, timezone.localdate(revision_of(period).filed_at)
    return sorted({*change_days_of(period), *book.change_days(version.chapter, version.organization.slug, filed_on)})


def _has_other_data(version: Version) -> bool:
    """Return whether the data of its first day is not what it was judged by: it was corrected since."""
    return chapter_on(version.chapter, version.from_day).digest != cast(Revision, version.revision).rules_digest


def _breach(period: EffectivePeriod, day: date, book: OrderBook, days: Sequence[date]) -> Breach | None:
    """Return the breach on the day, else on the first later day while the version is in effect; None without one."""
    begins = version_day(period.version, day)
    if now := tuple(_blocking(period, begins, book)):
        past = (change for change in days if change <= begins)
        since = next((change for change in past if any(_blocking(period, change, book))), None)
        return Breach(period, since, now)
    coming = (change for change in days if change > begins and (period.ends is None or change < period.ends))
    judged = ((change, tuple(_blocking(period, change, book))) for change in coming)
    return next((Breach(period, change, then) for change, then in judged if then), None)


def _blocking(period: EffectivePeriod, day: date, book: OrderBook) -> Iterator[tuple[str, tuple[Finding, ...]]]:
    """Yield (group of tables, what blocks there) by the rules and the orders of the day."""
    chapter = chapter_on(period.version.chapter, day)
    for name, filed in _filed_judgments(period, chapter):
        if findings := filed.on(chapter, day, book).blocking:
            yield name, findings


def _filed_judgments(period: EffectivePeriod, chapter: Chapter) -> tuple[tuple[str, FiledJudgment], ...]:
    """Return (group of tables, verdict before orders) of each configuration, which no one can change any more."""
    revision = revision_of(period)
    key = (revision.sha256, chapter.number, chapter.digest)
    filed = _judged.get(key)
    if filed is None:
        if len(_judged) >= MOST_JUDGED:
            _judged.clear()
        content = revision.content
        rows = enumerate(content["configurations"])
        filed = tuple((group_words(row), filed_judgment(chapter, content, place)) for place, row in rows)
        _judged[key] = filed
    return filed  # not from the table again: another thread may have emptied it


def _is_judged(period: EffectivePeriod, days: Iterable[date]) -> bool:
    """Return whether the snapshot of the version is not needed to judge it on these days."""
    chapters = (chapter_on(period.version.chapter, day) for day in days)
    return all((revision_of(period).sha256, chapter.number, chapter.digest) in _judged for chapter in chapters)


def group_words(row: JsonObject) -> str:
    """Return the group's name and tables as "High limit: 3, 7-9"."""
    return ": ".join(filter(None, (row["name"], row["tables"])))
