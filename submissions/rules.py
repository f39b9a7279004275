"""The chapter as it is on one day, and the day whose rules count: of a draft, of a filing, of a version.

A chapter is the files of `games` with the published changes of the Board's rulemakings. It is resolved once, where a
request, a command or a job begins, and passed on. Within `published_changes_read_once` (a request, a job) the published
changes are read by one query for all chapters; outside of it, at each call. The day is

    of a draft       its planned effective day; without one, or once it has passed, today
    of a filing      the day that its snapshot names (`rules_on`); in an older snapshot, the day of its filing
    of a version     each day asked about, not before its effective date

in Eastern Time. Not here: publishing rulemakings (`submissions.rulemakings`), choosing the planned day
(`filings.planned_day`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games import registry
from games.rules.changes import RuleChange, read_change
from games.rules.dated_files import write_files
from games.rules.model import Chapter
from submissions.core.errors import Refusal
from submissions.models import LayoutFiling, Revision, RulemakingChange, Submission, Version

Changes = Mapping[str, tuple[RuleChange, ...]]
_memo: ContextVar[dict[str, Changes] | None] = ContextVar("published_changes", default=None)
_ALL = "all"  # the only key of the memo; it is empty until the first question


def chapter_on(number: str, day: date) -> Chapter:
    """Return the chapter with this number on that day; `UnknownChapter` if no usable one exists."""
    return registry.chapter(number, day, published_changes(number))


def chapter_problem(number: str, error: registry.UnknownChapter) -> str:
    """Return why the portal cannot use this chapter, as sentences that also name the chapters that it has."""
    known = registry.folders()
    if number in known:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    has_capital = f" Use a lowercase letter: {number.lower()}." if number.lower() in known else ""
    return f"The portal does not have chapter “{number[:40]}”.{has_capital} Its chapters are {', '.join(known)}."


def chapter_today(number: str) -> Chapter:
    """Return the chapter as it is today; a `Refusal` to start something under one that the portal does not have."""
    try:
        return chapter_on(number, timezone.localdate())
    except registry.UnknownChapter as error:
        problem = chapter_problem(number, error)
        raise Refusal("unknown-chapter/start", option="chapter", problem=problem) from None


def chapter_on_or_none(number: str, day: date) -> Chapter | None:
    """Return the chapter, or None if the portal no longer has it: what was filed under it can still be read."""
    return registry.chapter_or_none(number, day, published_changes(number))


def chapters_on(day: date) -> tuple[Chapter, ...]:
    """Return every chapter that is finished, as it is on that day, in the Code's order."""
    return tuple(chapter for number in registry.folders() if (chapter := chapter_on_or_none(number, day)))


def chapters_of_all_days() -> Iterator[Chapter]:
    """Yield every chapter as it is today and on each day on which something of it changes: any line there ever is."""
    today = timezone.localdate()
    for number in registry.folders():
        for day in {today, *days_of_change(number)}:
            if chapter := chapter_on_or_none(number, day):
                yield chapter


def chapter_with(number: str, day: date, changes: tuple[RuleChange, ...]) -> Chapter:
    """Return the chapter on that day with exactly these changes beside its folder's: to try unpublished ones."""
    return registry.chapter(number, day, changes)


def days_of_change(number: str) -> tuple[date, ...]:
    """Return the days on which something of the chapter changes, in order."""
    return registry.days_of_change(number, published_changes(number))


def published_changes(number: str) -> tuple[RuleChange, ...]:
    """Return the changes of the chapter that the Board has published, beside those in its folder."""
    memo = _memo.get()
    if memo is None:
        return _read(_published(RulemakingChange.objects.filter(chapter=number))).get(number, ())
    if _ALL not in memo:
        memo[_ALL] = _read(_published(RulemakingChange.objects.all()))
    return memo[_ALL].get(number, ())


def changes_rules(row: RulemakingChange) -> bool:
    """Return whether a published change alters the rules that filings are judged by, and not only shown papers."""
    change = rule_change(row.rulemaking.number, row.text)
    without = tuple(each for each in published_changes(row.chapter) if each != change)
    before, after = (
        registry.chapter_or_none(row.chapter, row.effective, changes) for changes in (without, (*without, change))
    )
    return before is None or after is None or before.digest != after.digest


@contextmanager
def published_changes_read_once() -> Iterator[None]:
    """Read the published changes once in here: for the length of one request or one job, and no longer."""
    token = _memo.set({})
    try:
        yield
    finally:
        _memo.reset(token)


def read_published_changes_again() -> None:
    """Forget what this request or job read: it has just published a rulemaking."""
    memo = _memo.get()
    if memo is not None:
        memo.clear()


@lru_cache(maxsize=512)
def rule_change(rulemaking: str, text: str) -> RuleChange:
    """Return the change of the rulemaking with this number; `RuleError` names it where the text is not right.

    Its source begins with the number: of changes from the same day, the later rulemaking's applies last.
    """
    change = read_change(text, rulemaking)
    return replace(change, source=f"{rulemaking}, {change.source}")


def _published(rows: QuerySet[RulemakingChange]) -> QuerySet[RulemakingChange, tuple[str, str, str]]:
    published = rows.filter(published_at__isnull=False).order_by("rulemaking__number", "chapter", "effective")
    return published.values_list("chapter", "rulemaking__number", "text")


def _read(published: Iterable[tuple[str, str, str]]) -> Changes:
    changes: dict[str, list[RuleChange]] = defaultdict(list)
    for chapter, number, text in published:
        changes[chapter].append(rule_change(number, text))
    return {chapter: tuple(read) for chapter, read in changes.items()}


Content = Mapping[str, Any]


def rules_day(submission: Submission) -> date:
    """Return the day by whose rules the draft is judged."""
    today = timezone.localdate()
    return max(submission.takes_effect or today, today)


def linked_day(day: date) -> date | None:
    """Return the day that addresses of sections name; None for today, which needs no name."""
    return day if day != timezone.localdate() else None


def draft_chapter(submission: Submission) -> Chapter:
    """Return the chapter by which the draft is judged; `UnknownChapter` if the portal no longer has it."""
    return chapter_on(submission.chapter, rules_day(submission))


def draft_chapter_or_none(submission: Submission) -> Chapter | None:
    """Return the chapter of the draft, or None if the portal no longer has it."""
    return chapter_on_or_none(submission.chapter, rules_day(submission))


def filed_day(content: Content) -> date:
    """Return the day by whose rules a snapshot was judged."""
    if day := content.get("rules_on"):
        return date.fromisoformat(day)
    return timezone.localdate(datetime.fromisoformat(content["filed"]["at"]))


def filed_chapter(revision: Revision, content: Content | None = None) -> Chapter:
    """Return the chapter by which the revision was judged, as the data says now. `content`: its snapshot, if read."""
    content = content or revision.content
    return chapter_on(content["chapter"]["number"], filed_day(content))


def filed_chapter_or_none(content: Content) -> Chapter | None:
    """Return the chapter of a snapshot, or None if the portal no longer has it."""
    return chapter_on_or_none(content["chapter"]["number"], filed_day(content))


def filed_files(content: Content) -> dict[str, str]:
    """Return the data files of the chapter of a snapshot, as they read on its day now: file → its text."""
    number = content["chapter"]["number"]
    data = registry.chapter_data(number, filed_day(content), published_changes(number))
    return write_files(data, registry.folder_of(number))


def paper_day(revision: Revision, requested: date | None = None) -> date:
    """Return the day by whose rules a filing's papers are made: the requested one or today, not before its own day."""
    return max(requested or timezone.localdate(), filed_day(revision.content))


def layout_chapter(filing: LayoutFiling, revision: Revision) -> Chapter:
    """Return the chapter on the day that a layout filing names (an older one names none), not before its answers' day.

    `UnknownChapter` if the portal no longer has it.
    """
    filed = filed_day(revision.content)
    return chapter_on(filing.submission.chapter, max(filing.rules_on or filed, filed))


def refuse_corrected_rules(revision: Revision) -> None:
    """Refuse if the chapter's data was corrected since the filing: the answers were judged by what it said then."""
    chapter = filed_chapter(revision)
    if chapter.digest != revision.rules_digest:
        raise Refusal("rules-changed/document", number=chapter.number, receipt=revision.receipt)


def version_day(version: Version, day: date) -> date:
    """Return the day by whose rules a version is judged that is asked about on `day`: not before it is in effect."""
    return max(day, version.from_day)
