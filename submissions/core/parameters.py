"""Parameters of addresses and forms: one value read, or refused with what is allowed; and filter sets whose bad values
become refusals, for the lists of the API and the pages that search. Not here: which fields a list has.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django_filters import Filter, FilterSet

from games.registry import folders
from submissions.core.errors import Refusal
from submissions.core.text import clean_text

MAX_LENGTH = 200  # characters of a field, as many as an indexed answer has
MAX_WORDS = 10
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
EXCERPT_LENGTH = 40  # characters of what was typed, in a message
CHOICE_WORDS: Mapping[str, str] = {  # the end of an error code (`unknown-state`) → the word for it, where it differs
    "assignee": "person",
    "open": "value of `open`",
    "order": "sort order",
    "standing": "status",
    "state": "status",
}


def clean_search_text(text: str) -> str:
    """The search text, in the one form in which words are stored."""
    if len(text) > MAX_LENGTH:
        raise Refusal("search-too-long/characters", count=len(text), max_length=MAX_LENGTH)
    return clean_text(text, "The search text")


def words_of(text: str) -> str:
    words = text.split()
    if len(words) > MAX_WORDS:
        raise Refusal("search-too-long/words", count=len(words), max_words=MAX_WORDS)
    return " ".join(words)


def chapter_of(text: str) -> str:
    """The number of a chapter, "687a"."""
    if text not in folders():
        raise Refusal("unknown-chapter/search", text=excerpt(text), chapters=", ".join(folders()))
    return text


def one_of(text: str, allowed: Mapping[str, object], what: str) -> str:
    """One of these values; `what` they are, is the end of the error code of any other."""
    if text not in allowed:
        word = CHOICE_WORDS.get(what, what)
        raise Refusal(
            f"unknown-{what}",
            f"“{excerpt(text)}” is not a known {word}.",
            fix=f"Choose a {word} from the list: {', '.join(allowed)}.",
        )
    return text


def day_of(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal("no-date/unreadable", text=excerpt(text)) from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refusal("no-date/out-of-range", year=day.year, first_day_year=FIRST_DAY.year, last_day_year=LAST_DAY.year)
    return day


def moment_of(text: str) -> datetime:
    """A moment with its zone, as ISO 8601 writes it."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min
    if moment.tzinfo is None or not FIRST_DAY < moment.date() <= LAST_DAY:
        raise Refusal("no-moment", text=excerpt(text), year=FIRST_DAY.year, last_day_year=LAST_DAY.year)
    return moment


def excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT_LENGTH else f"{text[:EXCERPT_LENGTH]}…"


class RefusedValue(ValidationError):
    """A form's error that is one of our refusals."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.message} {refusal.fix}", code=refusal.code)
        self.refusal = refusal


class ParsedField(forms.Field):
    """A text that `parse` reads or refuses; an empty one is None."""

    def __init__(self, *, parse: Callable[[str], Any], **options: Any) -> None:
        super().__init__(**options)
        self.parse = parse

    def to_python(self, value: str | None) -> Any:
        text = (value or "").strip()
        try:
            return self.parse(text) if text else None
        except Refusal as refusal:
            raise RefusedValue(refusal) from None


class ParsedFilter(Filter):
    """`parse`: a function; or the name of a method of the filter set, where a field depends on those before it."""

    @property
    def field(self) -> ParsedField:
        filter_set, parse = self.parent, self.extra["parse"]
        parse = getattr(filter_set, parse) if isinstance(parse, str) else parse
        return ParsedField(parse=lambda text: parse(filter_set.prepare(text)), required=False)


def choice_filter(allowed: Callable[[], Mapping[str, object]], what: str, **options: Any) -> ParsedFilter:
    """A filter with one of these values; `what` they are, in the refusal of any other."""
    return ParsedFilter(parse=lambda text: one_of(text, allowed(), what), **options)


def choices_filter(allowed: Callable[[], Mapping[str, object]], what: str, **options: Any) -> ParsedFilter:
    """A filter with one or more of these values, separated by commas; it is parsed to the same text, without blanks."""

    def parse(text: str) -> str:
        return ",".join(dict.fromkeys(one_of(part.strip(), allowed(), what) for part in text.split(",")))

    return ParsedFilter(parse=parse, **options)


class RefusalFilterSet(FilterSet):
    """`faults`: what is wrong, by field; `qs` is narrowed by the other fields."""

    prepare: Callable[[str], str] = staticmethod(str)  # what is entered, before it is parsed

    @cached_property
    def entered(self) -> dict[str, str]:
        return {name: self.data.get(name, "").strip() for name in self.filters}

    @cached_property
    def faults(self) -> dict[str, Refusal]:
        return {name: errors[0].refusal for name, errors in self.form.errors.as_data().items()}

    def refuse_faults(self) -> None:
        """Raise the first refusal; it names the field, unless it names a line of the chapter."""
        for name, refusal in self.faults.items():
            refusal.option = refusal.option or name
            raise refusal

    @classmethod
    def narrow(cls, query: Mapping[str, str], rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        """The rows that a query asks for, or the first refusal."""
        if not any(query.get(name) for name in cls.base_filters):
            return rows  # nothing to parse: a form for it would take longer than to ask for the rows
        filter_set = cls(query, rows)
        filter_set.refuse_faults()
        narrowed: QuerySet[Any, Any] = filter_set.qs
        return narrowed
