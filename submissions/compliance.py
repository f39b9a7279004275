"""Which approved versions no longer comply: judged by the rules of a day, and by those that are known to come.

Rules change in two ways: their data is another one (another digest), or a date comes on which an option, a paytable or
a requirement begins or ends. This only tells; nothing is opened, changed or ended by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from games.rules import registry
from games.rules.evaluate import judge
from games.rules.model import Chapter, Finding
from submissions.actions.snapshot import Content
from submissions.models import Revision, Version
from submissions.terms import State, Term, terms

ChapterOf = Callable[[str], Chapter]


@dataclass(frozen=True, slots=True)
class Breach:
    """A version that does not comply; `since` is the first day, None = since the chapter's data changed."""

    term: Term
    since: date | None
    groups: tuple[tuple[str, tuple[Finding, ...]], ...]  # the group of tables, what blocks there

    def is_coming(self, day: date) -> bool:
        return self.since is not None and self.since > day


@dataclass(frozen=True, slots=True)
class Compliance:
    """What was looked at: `judged` versions hold or are scheduled, `anew` of them were filed under other rules."""

    judged: int
    anew: int
    breaches: tuple[Breach, ...]  # those that hold first, then by their day


def compliance(rows: QuerySet[Version], day: date, chapter_of: ChapterOf = registry.chapter) -> Compliance:
    """The rows that hold on the day or will, judged by the rules of then."""
    held = [one for one in _held(rows, day) if one.version.chapter in registry.folders()]
    concerned = [one for one in held if _may_have_changed(one, chapter_of(one.version.chapter))]
    breaches = filter(None, (_breach(one, chapter_of(one.version.chapter), day) for one in concerned))
    return Compliance(
        judged=len(held),
        anew=sum(_rules_differ(one, chapter_of(one.version.chapter)) for one in concerned),
        breaches=tuple(sorted(breaches, key=lambda breach: (breach.is_coming(day), breach.since or date.min))),
    )


def change_days(chapter: Chapter) -> list[date]:
    """The days on which something of the chapter begins, or is no more."""
    periods = [one.period for one in chapter.options]
    periods += [one.period for one in chapter.paytables] + [one.period for one in chapter.requirements]
    begins = {period.effective for period in periods if period.effective}
    return sorted(begins | {period.expires + timedelta(days=1) for period in periods if period.expires})


def _held(rows: QuerySet[Version], day: date) -> list[Term]:
    found = rows.filter(revision__isnull=False).select_related("organisation", "revision__submission")
    found = found.defer("revision__snapshot", "revision__attestation")
    return [one for one in terms(found) if one.state(day) in (State.IN_FORCE, State.SCHEDULED)]


def _filing(one: Term) -> Revision:
    return cast(Revision, one.version.revision)  # `_held` leaves out what only ends a game


def _filed(one: Term) -> date:
    return timezone.localdate(_filing(one).filed_at)


def _rules_differ(one: Term, chapter: Chapter) -> bool:
    return _filing(one).rules_digest != chapter.digest


def _may_have_changed(one: Term, chapter: Chapter) -> bool:
    """A filing blocked by nothing is blocked by nothing later, as long as neither the data nor a day changes it."""
    return _rules_differ(one, chapter) or any(day > _filed(one) for day in change_days(chapter))


def _breach(one: Term, chapter: Chapter, day: date) -> Breach | None:
    """The first day that counts on which it does not comply: the day asked about, or a later one while it holds."""
    content, begins = _filing(one).content, max(day, one.version.from_day)
    changes = [change for change in change_days(chapter) if change > _filed(one)]
    if now := _blocking(chapter, content, begins):
        past = (change for change in changes if change <= begins)
        return Breach(one, next((change for change in past if _blocking(chapter, content, change)), None), now)
    coming = (change for change in changes if change > begins and (one.ends is None or change < one.ends))
    judged = ((change, _blocking(chapter, content, change)) for change in coming)
    return next((Breach(one, change, then) for change, then in judged if then), None)


def _blocking(chapter: Chapter, content: Content, day: date) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    return tuple((name, found) for name, found in _by_group(chapter, content, day) if found)


def _by_group(chapter: Chapter, content: Content, day: date) -> Iterator[tuple[str, tuple[Finding, ...]]]:
    for row in content["configurations"]:
        name = f"{row['name']}: {row['tables']}" if row["tables"] else str(row["name"])
        yield name, judge(chapter, row["answers"], day).blocking
