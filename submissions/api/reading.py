"""What every address of the API has in common: who may, which parameters, how often, which fields, one page or all.

Not here: what each address tells, and from which rows: the module of its kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar, cast

from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import method_decorator
from django.utils.timezone import get_default_timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed, Throttled
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from submissions.access.programs import Unrecognised
from submissions.api import limits
from submissions.api.authentication import address_of
from submissions.api.paging import CURSOR, LIMIT, Page, page_of
from submissions.api.paging import address_of as address_of_page
from submissions.api.tags import tagged
from submissions.errors import Refusal
from submissions.models import Credential, Person, Scope


class Shape(serializers.Serializer[Any]):
    """What is told of a thing; `only`: nothing but these fields, if any are named."""

    def __init__(self, *args: Any, only: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.only = only

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for one in fields.values():
            one.read_only, one.required = True, False
        return {name: one for name, one in fields.items() if name in self.only} if self.only else fields

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """As the framework does it, but where each field is found is settled once."""
        told = {}
        for name, path, represent in self._found:
            value = instance
            for step in path:  # in records and mappings; None as soon as anything on the way is
                if value is None:
                    break
                value = value[step] if isinstance(value, dict) else getattr(value, step)
            told[name] = None if value is None else represent(value)
        return told

    @cached_property
    def _found(self) -> list[tuple[str, Sequence[str], Callable[[Any], Any]]]:
        return [(name, field.source_attrs, _representing(field)) for name, field in self.fields.items()]


def _representing(field: serializers.Field[Any, Any, Any, Any]) -> Callable[[Any], Any]:
    """How its values are written: as the framework does, without asking each time what is known.

    A moment stands in Pennsylvania's time.
    """
    if type(field) is serializers.DateTimeField:
        zone = get_default_timezone()
        return lambda moment: moment.astimezone(zone).isoformat()
    plain: dict[type, Callable[[Any], Any]] = {
        serializers.CharField: str,
        serializers.IntegerField: int,
        serializers.DateField: date.isoformat,
    }
    return plain.get(type(field), field.to_representation)


@lru_cache(maxsize=500)
def _made(shape: type[Shape], only: tuple[str, ...]) -> Shape:
    """The shape, made once: it holds nothing of who asks."""
    return shape(only=only)


def names_of(shape: type[Shape]) -> tuple[str, ...]:
    """What it tells, if all of it is asked for."""
    return tuple(_made(shape, ()).fields)


@cache
def fields_of(shape: type[Shape]) -> OpenApiParameter:
    """The parameter that narrows it down."""
    kind = {"type": "array", "items": {"type": "string", "enum": list(names_of(shape))}, "minItems": 1}
    words = "Only these fields, separated by commas."
    return OpenApiParameter("fields", kind, description=words, style="form", explode=False)


@method_decorator(tagged, name="dispatch")
class Door(GenericAPIView[Any]):
    """Every address. `asks`: its parameters besides `fields`; a scope of None makes it public."""

    http_method_names = ["get", "head", "post"]
    scope: ClassVar[Scope | None] = Scope.READ
    asks: ClassVar[tuple[OpenApiParameter, ...]] = ()
    serializer_class: type[Shape]
    standing: limits.Standing | None = None

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        return (*self.asks, fields_of(self.serializer_class))

    def at(self, address: str) -> str:
        """The whole address, as the caller reaches the portal."""
        return str(self.request.build_absolute_uri(address))

    def scopes(self, method: str) -> tuple[Scope, ...]:
        """One of these is needed; none = everybody is welcome."""
        return (self.scope,) if self.scope else ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))  # whatever else is wrong with the call
        super().initial(request, *args, **kwargs)
        refuse_unknown(request, [one.name for one in self.parameters if one.location == OpenApiParameter.QUERY])

    @property
    def reader(self) -> Person:
        """Whom one reads as; on a public address perhaps nobody."""
        return cast(Person, self.request.user)

    def perform_authentication(self, request: Request) -> None:
        """Who calls, and whether too often: whoever shows no credential that holds is counted by the address."""
        try:
            super().perform_authentication(request)
        except Unrecognised:
            self._count(address_of(request), limits.WITHOUT)
            raise
        shown = cast("Credential | None", request.auth)
        if shown is None:
            self._count(address_of(request), limits.WITHOUT)
        else:
            self._count(shown.prefix, limits.WITH_CREDENTIAL)

    def _count(self, caller: str, most: int) -> None:
        self.standing = limits.count(caller, most)
        if self.standing.over:
            raise Throttled

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in (self.standing.headers if self.standing else {}).items():
            response[name] = value
        patch_vary_headers(response, ["Authorization"])
        if "Authorization" in request.headers:
            patch_cache_control(response, private=True, no_cache=True)
        else:
            patch_cache_control(response, no_cache=True)
        return response

    def told(self, thing: Any, *, many: bool = False) -> Any:
        """The thing, or each of many, in this address's shape and the fields that were asked for."""
        shape = _made(self.serializer_class, fields_asked(self.request, self.serializer_class))
        return [shape.to_representation(one) for one in thing] if many else shape.to_representation(thing)


class One(Door, ABC):
    """An address of one thing."""

    @abstractmethod
    def thing(self) -> Any: ...

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.told(self.thing()))


class Paged(Door, ABC):
    """A list page by page, in an order in which none is missed or told twice."""

    cursor: ClassVar[OpenApiParameter] = CURSOR

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        return (*self.asks, fields_of(self.serializer_class), self.cursor, LIMIT)

    @abstractmethod
    def page(self) -> Page: ...

    def seen(self, rows: Sequence[Any]) -> Iterable[Any]:
        """What the shape reads of the rows of a page."""
        return rows

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.page()
        told = self.told(self.seen(page.rows), many=True)
        return Response({"next": address_of_page(request, page), "cursor": page.cursor, "results": told})


class Rows(Paged, ABC):
    """The rows of a query, in the order in which they came to be."""

    @abstractmethod
    def rows(self) -> Any:
        """The query set, in whatever order; of rows, or of what is told of them (`values`, with `pk`)."""

    def page(self) -> Page:
        return page_of(self.request, self.rows())


class Whole(Door, ABC):
    """A list that is short by its nature: all of it at once, in the shape of a page."""

    @abstractmethod
    def things(self) -> Iterable[Any]: ...

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response({"next": None, "results": self.told(list(self.things()), many=True)})


def refuse_unknown(request: Request, allowed: Sequence[str]) -> None:
    """A parameter that nobody reads would be a mistake in silence."""
    for name in request.query_params:
        if name not in allowed:
            known = f"Known are: {', '.join(allowed)}." if allowed else "This address takes none."
            raise Refusal("unknown-parameter", f"“{name[:40]}” is no parameter of this address.", fix=known)
        if len(request.query_params.getlist(name)) > 1:
            raise Refusal("parameter-twice", f"“{name}” is given more than once.", fix="Give it once.")
        if not request.query_params[name].strip():
            raise Refusal("parameter-empty", f"“{name}” is empty.", fix="Leave it out, or say what is wanted.")


def fields_asked(request: Request, shape: type[Shape]) -> tuple[str, ...]:
    """The names in `fields`; empty = all."""
    text = request.query_params.get("fields")
    asked = tuple(name.strip() for name in text.split(",")) if text is not None else ()
    for name in asked:
        if name not in names_of(shape):
            raise Refusal(
                "unknown-field", f"“{name[:40]}” is no field here.", fix=f"There are: {', '.join(names_of(shape))}."
            )
    return asked
