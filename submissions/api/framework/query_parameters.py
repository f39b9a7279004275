"""The parameters of an address: which it has, several values for one name, the fields that are asked for.

A list may be sent as generated clients do (`fields=number&fields=title`), or with commas (`fields=number,title`).
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet
from django_filters import Filter, MultipleChoiceFilter
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from submissions.core.errors import Refusal
from submissions.core.parameters import DATE_SCHEMA

INCLUDE_HIDDEN = OpenApiParameter(
    "include_hidden",
    bool,
    description="For a spreadsheet: `true` includes hidden rows, columns and sheets. Otherwise the error names them.",
)
ON = OpenApiParameter("on", DATE_SCHEMA, description="As of this day. Default: today.")
COMMAS = "Several may be sent, also as one value with commas."


def list_parameter(name: str, values: Iterable[str], words: str) -> OpenApiParameter:
    """Return a parameter that takes one or more of these values."""
    schema = {"type": "array", "items": {"type": "string", "enum": list(values)}, "minItems": 1}
    return OpenApiParameter(name, schema, description=f"{words} {COMMAS}", style="form", explode=True)


def query_of(request: Request) -> dict[str, str]:
    """Name → value; the values of a name that was sent several times are joined by commas."""
    return {name: ",".join(values) for name, values in request.query_params.lists()}


def flag_of(request: Request, name: str) -> bool:
    """Return the value of a parameter that is `true` or `false`; False without it."""
    text = request.query_params.get(name, "false")
    flag = {"true": True, "false": False}.get(text)
    if flag is None:
        raise Refusal("field-shape/true-or-false", option=name, name=name, value=f"“{text[:40]}”")
    return flag


def split_values(text: str) -> list[str]:
    """Return the values that are joined by commas, each once and in their order."""
    return list(dict.fromkeys(value.strip() for value in text.split(",")))


class RefusalFilterBackend(DjangoFilterBackend):  # type: ignore[misc]  # it has no types
    """Narrow a list by the `filterset_class` of its view. The first value that is not allowed is refused."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any, Any], view: Any) -> QuerySet[Any, Any]:
        filter_set = self.get_filterset(request, queryset, view)
        if filter_set is None:
            return queryset
        filter_set.refuse_faults()
        narrowed: QuerySet[Any, Any] = filter_set.qs
        return narrowed

    def get_filterset_kwargs(self, request: Request, queryset: QuerySet[Any, Any], view: Any) -> dict[str, Any]:
        return {"data": query_of(request), "queryset": queryset, "request": request}


def refuse_unknown_parameters(
    request: Request, allowed: Sequence[OpenApiParameter], filters: Mapping[str, Filter] = MappingProxyType({})
) -> None:
    """Refuse unknown, repeated and empty parameters.

    A misspelled parameter that is ignored would answer another question than the caller asked.
    """
    repeatable = {name: isinstance(each, MultipleChoiceFilter) for name, each in filters.items()}
    for each in allowed:
        if each.location == OpenApiParameter.QUERY:
            repeatable[each.name] = isinstance(each.type, Mapping) and each.type.get("type") == "array"
    for name, values in request.query_params.lists():
        if name not in repeatable:
            known = f"Choose from: {', '.join(repeatable)}." if repeatable else "This address does not have any."
            raise Refusal("unknown-parameter", fix=known, name=name[:40])
        if len(values) > 1 and not repeatable[name]:
            raise Refusal("parameter-twice", name=name)
        if not all(value.strip() for value in values):
            raise Refusal("parameter-empty", name=name)
