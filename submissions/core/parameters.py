"""Parameters of addresses and forms: one value read, or refused with what is allowed.

Also filter sets whose bad values become refusals, for the lists of the API and the pages that search. Not here: which
fields a list has.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django_filters import DateFilter, FilterSet, IsoDateTimeFilter
from drf_spectacular.utils import extend_schema_field

from submissions.core.errors import Refusal
from submissions.core.text import clean_text, shown_value

MAX_LENGTH = 200  # characters of a field, as many as an indexed answer has
MAX_WORDS = 10
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
EXCERPT_LENGTH = 40  # characters of what was typed, in a message
DATE_SCHEMA = {"type": "string", "format": "date", "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$"}
MOMENT_SCHEMA = {
    "type": "string",
    "format": "date-time",
    "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$",
}
CHOICE_CODES: Mapping[str, str] = {  # filter → the end of the error code of a choice that it does not have, if another
    "assigned": "assignee",
    "by": "order",
    "chapter": "game",
    "overdue": "state",
    "status": "state",
    "waiting": "party",
}
CHOICE_WORDS: Mapping[str, str] = {  # the end of an error code (`unknown-state`) → the word for it, where it differs
    "assignee": "person",
    "open": "value of `open`",
    "order": "sort order",
    "standing": "status",
    "state": "status",
}


def clean_search_text(text: str) -> str:
    """Return the search text, in the one form in which words are stored."""
    if len(text) > MAX_LENGTH:
        raise Refusal("search-too-long/characters", count=len(text), max_length=MAX_LENGTH)
    return clean_text(text, "The search text")


def words_of(text: str) -> str:
    words = text.split()
    if len(words) > MAX_WORDS:
        raise Refusal("search-too-long/words", count=len(words), max_words=MAX_WORDS)
    return " ".join(words)


def unknown_choice(text: str, allowed: Iterable[str], what: str) -> Refusal:
    """Return the refusal of a text that is none of these values; `what` they are, is the end of its code."""
    word = CHOICE_WORDS.get(what, what)
    fix = f"Choose a {word} from the list: {', '.join(allowed)}."
    return Refusal(f"unknown-{what}", f"“{excerpt(text)}” is not a known {word}.", fix=fix)


def day_of(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal("no-date/unreadable", text=excerpt(text)) from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refusal("no-date/out-of-range", year=day.year, first_day_year=FIRST_DAY.year, last_day_year=LAST_DAY.year)
    return day


def day_or_today(text: str | None) -> date:
    """Return the day that is asked for; today, where none is."""
    return day_of(text.strip()) if text else timezone.localdate()


def moment_of(text: str) -> datetime:
    """Return a moment with its zone, as ISO 8601 writes it."""
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
        self.fix, self.citation = refusal.fix, refusal.citation


Parsed = TypeVar("Parsed")


class ParsedField(forms.Field):
    """A text that `parse` reads or refuses; an empty one is None."""

    def __init__(self, *, parse: Callable[[str], Any], **options: Any) -> None:
        super().__init__(**options)
        self.parse = parse

    def to_python(self, value: str | None) -> Any:
        text = (value or "").strip()
        return validated(self.parse, text) if text else None


def validated(parse: Callable[[str], Parsed], text: str) -> Parsed:
    """Return the result of `parse`; its refusal becomes an error of the form."""
    try:
        return parse(text)
    except Refusal as refusal:
        raise RefusedValue(refusal) from None


def last_day(first: date | None, last: date | None) -> date | None:
    """Return the last day of a period, which is not before the first."""
    if first and last and last < first:
        raise RefusedValue(Refusal("days-reversed"))
    return last


class DayInput(forms.DateInput):
    """The input of a day. A refused one is shown as it was typed, which a browser's own input of days cannot do."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["type"] = "text" if "aria-invalid" in context["widget"]["attrs"] else "date"
        return context


class DayField(forms.DateField):
    widget = DayInput

    def to_python(self, value: Any) -> date | None:
        text = (value or "").strip()
        return validated(day_of, text) if text else None


@extend_schema_field(DATE_SCHEMA)
class DayFilter(DateFilter):
    """A day, as `day_of` reads it."""

    field_class = DayField


class MomentField(forms.DateTimeField):
    def to_python(self, value: Any) -> datetime | None:
        return validated(moment_of, value) if value else None


@extend_schema_field(MOMENT_SCHEMA)
class MomentFilter(IsoDateTimeFilter):
    """A moment, as `moment_of` reads it."""

    field_class = MomentField


class CommaSelect(forms.SelectMultiple):
    """Several values in one text, with commas between them."""

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> list[str]:
        text = data.get(name, "")
        return [part.strip() for part in text.split(",")] if text else []


class RefusalFilterSet(FilterSet):
    """The filters of a list. A value that is not allowed is a fault of its filter; the others still narrow `qs`."""

    defaults: ClassVar[Mapping[str, str]] = {}  # what is meant where an address leaves it out

    def __init__(self, data: Mapping[str, str], queryset: QuerySet[Any, Any], **options: Any) -> None:
        super().__init__(data, queryset, **options)
        self.entered = self.data = {name: data.get(name, "").strip() for name in self.filters}

    @cached_property
    def faults(self) -> dict[str, Refusal]:
        return {name: self._refusal(name, errors[0]) for name, errors in self.form.errors.as_data().items()}

    @property
    def status(self) -> int:
        """The HTTP status of a page of the list."""
        return 400 if self.faults else 200

    @cached_property
    def values(self) -> dict[str, str]:
        """The values that were understood, as an address has them; empty ones are left out."""
        self.is_valid()
        given = {name: value for name, value in self.form.cleaned_data.items() if value}
        texts = {name: ",".join(value) if isinstance(value, list) else str(value) for name, value in given.items()}
        return {**self.defaults, **texts}

    @property
    def query(self) -> str:
        """The one query string of these values."""
        return self.query_of(self.values)

    def query_of(self, values: Mapping[str, str]) -> str:
        """Return the query string of other values, in the order of the filters and without the defaults."""
        given = {name: values[name] for name in self.filters if name in values}
        return urlencode({name: value for name, value in given.items() if value != self.defaults.get(name)})

    def refuse_faults(self) -> None:
        """Raise the first refusal; it names the field, unless it names a line of the chapter."""
        for name, refusal in self.faults.items():
            refusal.option = refusal.option or name
            raise refusal

    def _refusal(self, name: str, error: ValidationError) -> Refusal:
        if isinstance(error, RefusedValue):
            return error.refusal
        if error.code != "invalid_choice":
            value, why = shown_value(self.entered[name]), " ".join(error.messages)
            return Refusal("field-shape/parameter", option=name, name=name, value=value, why=why)
        allowed = (str(value) for value, _ in self.form.fields[name].choices if value)
        return self.unknown(name, dict(error.params or {})["value"], allowed)

    def unknown(self, name: str, text: str, allowed: Iterable[str]) -> Refusal:
        """Return the refusal of a choice that a filter does not have."""
        return unknown_choice(text, allowed, CHOICE_CODES.get(name, name))

    @classmethod
    def narrow(cls, query: Mapping[str, str], rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        """Return the rows that a query asks for, or the first refusal."""
        filter_set = cls(query, rows)
        filter_set.refuse_faults()
        narrowed: QuerySet[Any, Any] = filter_set.qs
        return narrowed
