"""A search of submissions, parsed from a query string and checked field by field.

Not here: how one field is parsed (`field_parsing`), the query (`results`), the form (`submissions.web`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from urllib.parse import urlencode

from games.registry import chapter as chapter_of
from games.rules.model import Chapter, Option
from submissions.core.errors import Refusal
from submissions.models import Status
from submissions.search import field_parsing

WAITING_ON: Mapping[str, tuple[str, tuple[Status, ...]]] = {
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
class FilterQuery:
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


NAMES = tuple(one.name for one in fields(FilterQuery))


@dataclass(slots=True)
class SubmissionSearch:
    """A search as it was typed: the filter that was understood, and what is wrong with the rest, by field."""

    typed: dict[str, str]
    licensees: Mapping[str, str]  # slug → name of those that may be looked for
    filter: FilterQuery = field(default_factory=FilterQuery)
    faults: dict[str, Refusal] = field(default_factory=dict)

    @property
    def understood(self) -> FilterQuery:
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


def parse_search(query: Mapping[str, str], licensees: Mapping[str, str]) -> SubmissionSearch:
    """The search that a query string asks for. Nothing is refused here: each fault is reported by field."""
    search = SubmissionSearch({name: query.get(name, "").strip() for name in NAMES}, licensees)
    taken: dict[str, object] = {}
    for name in NAMES:
        if not search.typed[name]:
            continue
        try:
            taken[name] = _PARSERS[name](field_parsing.clean(search.typed[name]), search)
        except Refusal as refusal:
            search.faults[name] = refusal
        search.filter = FilterQuery(**taken)  # type: ignore[arg-type]
    return search


def _option(text: str, search: SubmissionSearch) -> str:
    return field_parsing.option_of(_its_chapter(search, "A line"), text).key


def _value(text: str, search: SubmissionSearch) -> str:
    chapter = _its_chapter(search, "An answer")
    if search.option is None:
        raise field_parsing.line_missing()
    return field_parsing.value_of(chapter, search.option, text)


def _paytable(text: str, search: SubmissionSearch) -> str:
    return field_parsing.paytable_of(_its_chapter(search, "A paytable"), text)


def _its_chapter(search: SubmissionSearch, what: str) -> Chapter:
    if search.chapter is None:
        raise field_parsing.game_missing(what)
    return search.chapter


def _filed_to(text: str, search: SubmissionSearch) -> date:
    day = field_parsing.day_of(text)
    if search.filter.filed_from and day < search.filter.filed_from:
        raise field_parsing.days_reversed()
    return day


_PARSERS: Mapping[str, Callable[[str, SubmissionSearch], object]] = {
    "words": lambda text, search: field_parsing.words_of(text),
    "chapter": lambda text, search: field_parsing.chapter_of(text),
    "licensee": lambda text, search: field_parsing.one_of(text, search.licensees, "licensee"),
    "status": lambda text, search: field_parsing.one_of(text, dict(Status.choices), "state"),
    "waiting": lambda text, search: field_parsing.one_of(text, WAITING_ON, "party"),
    "option": _option,
    "value": _value,
    "paytable": _paytable,
    "filed_from": lambda text, search: field_parsing.day_of(text),
    "filed_to": _filed_to,
    "in_force": lambda text, search: field_parsing.day_of(text),
    "by": lambda text, search: field_parsing.one_of(text, ORDERS, "order"),
}
