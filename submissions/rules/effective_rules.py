"""The chapter as it is on one day: the files of `games` with the published changes of the Board's rulemakings.

Resolved once, where a request, a command or a job begins, and passed on. Not here: writing and publishing rulemakings.
"""

from collections.abc import Iterator
from datetime import date

from django.utils import timezone

from games import registry
from games.rules.changes import RuleChange
from games.rules.model import Chapter


def chapter_on(number: str, day: date) -> Chapter:
    """The chapter with this number on that day; `UnknownChapter` if there is none that can be used."""
    return registry.chapter(number, day, published_changes(number))


def chapter_on_or_none(number: str, day: date) -> Chapter | None:
    """The same, or None for a chapter that the portal no longer has: what was filed under it can still be read."""
    return registry.chapter_or_none(number, day, published_changes(number))


def chapters_on(day: date) -> tuple[Chapter, ...]:
    """Every chapter that is finished, as it is on that day, in the Code's order."""
    return tuple(chapter for number in registry.folders() if (chapter := chapter_on_or_none(number, day)))


def chapters_of_all_days() -> Iterator[Chapter]:
    """Every chapter as it is today and on each day on which something of it changes: any line that there ever is."""
    today = timezone.localdate()
    for number in registry.folders():
        for day in {today, *days_of_change(number)}:
            if chapter := chapter_on_or_none(number, day):
                yield chapter


def days_of_change(number: str) -> tuple[date, ...]:
    """The days on which something of the chapter changes, in order."""
    return registry.days_of_change(number, published_changes(number))


def published_changes(number: str) -> tuple[RuleChange, ...]:
    """The changes of the chapter that the Board has published, beside those in its folder."""
    return ()
