"""A chapter as it is in effect on one day: options, paytables and requirements whose period covers it."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from datetime import date
from typing import Protocol, TypeVar

from games.rules.model import Chapter, Period


class _Dated(Protocol):
    @property
    def period(self) -> Period: ...


_Record = TypeVar("_Record", bound=_Dated)


def in_force(chapter: Chapter, on: date | None) -> Chapter:
    """The chapter on that day; without a day, the last of each option, paytable and requirement."""
    options = _on(chapter.options, on, lambda option: option.key)
    paytables = _on(chapter.paytables, on, lambda table: (table.wager, table.name))
    requirements = _on(chapter.requirements, on, lambda requirement: requirement.id)
    if (options, paytables, requirements) == (chapter.options, chapter.paytables, chapter.requirements):
        return chapter
    return replace(chapter, options=options, paytables=paytables, requirements=requirements)


def _on(records: Iterable[_Record], on: date | None, key: Callable[[_Record], Hashable]) -> tuple[_Record, ...]:
    current = [record for record in records if on is None or record.period.covers(on)]
    last = {key(record): record for record in current}
    return tuple(record for record in current if last[key(record)] is record)
