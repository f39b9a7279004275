"""Filter sets whose bad values become refusals: for the lists of the API, and for the pages that search.

Not here: how a single value is read (`field_parsing`).
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django_filters import Filter, FilterSet

from submissions.core.errors import Refusal
from submissions.search.field_parsing import one_of


class RefusedValue(ValidationError):
    """A form's error that is one of our refusals."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message, code=refusal.code)
        self.refusal = refusal


class ParsedField(forms.Field):
    """A text that `parse` reads or refuses; an empty one asks for nothing."""

    def __init__(self, *, parse: Callable[[str], Any], **options: Any) -> None:
        super().__init__(**options)
        self.parse = parse

    def clean(self, value: str | None) -> Any:
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
