"""What is looked for: a search as it stands in an address, read and checked field by field.

Not here: how a single field is read (`wording`), what is found (`found`), how the form looks (`submissions.web`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from urllib.parse import urlencode

from games.rules.model import Chapter, Option
from games.rules.registry import chapter as chapter_of
from submissions.errors import Refusal
from submissions.models import Status
from submissions.search import wording

WAITING: Mapping[str, tuple[str, tuple[Status, ...]]] = {
    "licensee": ("The licensee", (Status.DRAFT, Status.RETURNED)),
    "analyst": ("An analyst of the Board", (Status.FILED,)),
    "director": ("A director of the Board", (Status.RECOMMENDED,)),
}
ORDERS: Mapping[str, str] = {
    "changed": "Last change",
    "number": "Number",
    "licensee": "Licensee",
    "chapter": "Game",
    "filed": "Filed",
}
NEWEST = "changed"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a submission must be to be found; a field left empty asks for nothing.

    `words` stand in its number, receipt, licensee or game. `option` is a line of the chapter that the latest filing
    answers with `value` (with anything, if that is empty); `paytable` is "wager/name". `in_force` is a day.
    The fields are the address's, in this order.
    """

    words: str = ""
    chapter: str = ""
    licensee: str = ""  # slug
    status: str = ""
    waiting: str = ""
    option: str = ""
    value: str = ""
    paytable: str = ""
    filed_from: date | None = None
    filed_to: date | None = None
    in_force: date | None = None
    by: str = NEWEST

    @property
    def query(self) -> str:
        """The one query string that says this."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return urlencode([(name, value) for name, value in given.items() if value and (name, value) != ("by", NEWEST)])


NAMES = tuple(one.name for one in fields(Filter))


@dataclass(slots=True)
class Search:
    """A search as it was typed: the filter that was understood, and what is wrong with the rest, by field."""

    typed: dict[str, str]
    licensees: Mapping[str, str]  # slug → name of those that may be looked for
    filter: Filter = field(default_factory=Filter)
    faults: dict[str, Refusal] = field(default_factory=dict)

    @property
    def understood(self) -> Filter:
        """The filter, if everything was understood; else the first fault is raised."""
        for fault in self.faults.values():
            raise fault
        return self.filter

    @property
    def chapter(self) -> Chapter | None:
        return chapter_of(self.filter.chapter) if self.filter.chapter else None

    @property
    def option(self) -> Option | None:
        return self.chapter.option(self.filter.option) if self.chapter and self.filter.option else None


def read(query: Mapping[str, str], licensees: Mapping[str, str]) -> Search:
    """The search that a query string asks for. Nothing is refused here: each fault stands beside its field."""
    search = Search({name: query.get(name, "").strip() for name in NAMES}, licensees)
    taken: dict[str, object] = {}
    for name in NAMES:
        if not search.typed[name]:
            continue
        try:
            taken[name] = _PARSERS[name](wording.clean(search.typed[name]), search)
        except Refusal as refusal:
            search.faults[name] = refusal
        search.filter = Filter(**taken)  # type: ignore[arg-type]
    return search


def _option(text: str, search: Search) -> str:
    return wording.option_of(_its_chapter(search, "A line"), text).key


def _value(text: str, search: Search) -> str:
    chapter = _its_chapter(search, "An answer")
    if search.option is None:
        raise wording.line_missing()
    return wording.value_of(chapter, search.option, text)


def _paytable(text: str, search: Search) -> str:
    return wording.paytable_of(_its_chapter(search, "A paytable"), text)


def _its_chapter(search: Search, what: str) -> Chapter:
    if search.chapter is None:
        raise wording.game_missing(what)
    return search.chapter


def _filed_to(text: str, search: Search) -> date:
    day = wording.day_of(text)
    if search.filter.filed_from and day < search.filter.filed_from:
        raise wording.days_reversed()
    return day


_PARSERS: Mapping[str, Callable[[str, Search], object]] = {
    "words": lambda text, search: wording.words_of(text),
    "chapter": lambda text, search: wording.chapter_of(text),
    "licensee": lambda text, search: wording.one_of(text, search.licensees, "licensee"),
    "status": lambda text, search: wording.one_of(text, dict(Status.choices), "state"),
    "waiting": lambda text, search: wording.one_of(text, WAITING, "party"),
    "option": _option,
    "value": _value,
    "paytable": _paytable,
    "filed_from": lambda text, search: wording.day_of(text),
    "filed_to": _filed_to,
    "in_force": lambda text, search: wording.day_of(text),
    "by": lambda text, search: wording.one_of(text, ORDERS, "order"),
}
