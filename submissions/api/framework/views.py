"""The views from which every address of the API is made.

They decide who may call it, its parameters, the fields asked for, one page or all; for those that change something one
transaction, and once for each Idempotency-Key.

Not here: what each address returns or does (the module of its kind), how calls are recognized and stored
(`jobs.idempotency`).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import method_decorator
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from submissions.api.framework import bodies
from submissions.api.framework.authentication import RequestThrottle
from submissions.api.framework.bodies import JSON, NDJSON, NdjsonRenderer
from submissions.api.framework.pagination import RowPagination, WholeList, stream_rows
from submissions.api.framework.preconditions import check_preconditions, with_etag
from submissions.api.framework.query_parameters import (
    RefusalFilterBackend,
    list_parameter,
    query_of,
    refuse_unknown_parameters,
    split_values,
)
from submissions.api.framework.serializers import StrictSerializer
from submissions.core.errors import MEDIA_TYPE, Refusal, problem_details
from submissions.core.parameters import RefusalFilterSet, day_or_today
from submissions.jobs.idempotency import KeyedAnswer, KeyedWork, call_digest, parse_key, run_once
from submissions.models import Credential, Person, Scope

LONGEST_ADDRESS = 4000  # characters; a head of 64 KB is refused by the web server, without our words


class ReadSerializer(serializers.Serializer[Any]):
    """A serializer for reads. If its context names `fields`, it has only these (`BaseView`)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if only := kwargs.get("context", {}).get("fields"):
            for name in set(self.fields) - set(only):
                self.fields.pop(name)


@cache
def field_names(kind: type[ReadSerializer]) -> tuple[str, ...]:
    return tuple(kind().fields)


def fields_parameter(kind: type[ReadSerializer]) -> OpenApiParameter:
    """Return the parameter `fields`, which narrows what is returned."""
    words = "Return only these fields. The others are left out, although the schema requires them."
    return list_parameter("fields", field_names(kind), words)


class AddressTooLong(Refusal):
    """No list of parameters needs so long an address."""

    status = 414


@method_decorator(with_etag, name="dispatch")
class BaseView(GenericAPIView[Any]):
    """Every address. `query_parameters`: those other than `fields`; a scope of None makes it public."""

    http_method_names = ["get", "head", "post", "options"]
    scope: ClassVar[Scope | None] = Scope.READ
    query_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    pagination_class: Any = WholeList
    filter_backends = (RefusalFilterBackend,)
    filterset_class: ClassVar[type[RefusalFilterSet] | None] = None  # the parameters that narrow a list
    is_streamed: ClassVar[bool] = False  # piece by piece: its ETag is not known beforehand
    serializer_class: type[ReadSerializer]
    throttle_classes = (RequestThrottle,)

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        return (*self.query_parameters, fields_parameter(self.serializer_class))

    def absolute_url(self, path: str) -> str:
        """Return the address as the caller reaches the portal."""
        return str(self.request.build_absolute_uri(path))

    def scopes(self, method: str) -> tuple[Scope, ...]:
        """Return the scopes of which the caller needs one; none for a public address."""
        return (self.scope,) if self.scope and method != "OPTIONS" else ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Count the request first, also one that is then refused; then whether the method is allowed."""
        super().check_throttles(request)
        if len(request.get_full_path()) > LONGEST_ADDRESS:
            raise AddressTooLong("address-too-long", max_length=LONGEST_ADDRESS)
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)
        if request.method != "OPTIONS":
            is_narrowed = self.filterset_class and request.method != "POST"
            filters = cast(type[RefusalFilterSet], self.filterset_class).base_filters if is_narrowed else {}
            refuse_unknown_parameters(request, self.parameters, filters)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `initial` has counted the request."""

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Return the methods that are allowed, in the header that every answer has."""
        return Response(status=204)

    @property
    def reader(self) -> Person:
        """The caller's service account; on a public address possibly an anonymous user."""
        return cast(Person, self.request.user)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization"])
        if "Authorization" in request.headers:
            patch_cache_control(response, private=True, no_store=True)
        else:
            patch_cache_control(response, no_cache=True)
        return response

    @property
    def day(self) -> date:
        """The day in the parameter `on`; today without it."""
        return day_or_today(self.request.query_params.get("on"))

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "fields": requested_fields(self.request, self.serializer_class)}


class PagedListView(BaseView, ListAPIView[Any]):
    """A list page by page, in an order in which no row is missed or repeated; or all of its rows as a stream.

    `get_queryset` returns the rows in any order, or their `values` with `pk`.
    """

    pagination_class = RowPagination

    @property
    def renderer_classes(self) -> Sequence[type[JSONRenderer]]:  # type: ignore[override]
        return (JSONRenderer, NdjsonRenderer) if self.request.method in ("GET", "HEAD") else (JSONRenderer,)

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        return (*super().parameters, *self.pagination_class.parameters())

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return super().paginate_queryset(queryset) or []

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        read_page = partial(super().list, request)
        if request.accepted_renderer.media_type == NDJSON:
            return stream_rows(request, cast(RowPagination, self.paginator), read_page)
        return read_page()


def requested_fields(request: Request, kind: type[ReadSerializer]) -> tuple[str, ...]:
    """Return the names in `fields`; an empty tuple means all fields."""
    text = query_of(request).get("fields")
    names = tuple(split_values(text)) if text is not None else ()
    for name in names:
        if name not in field_names(kind):
            raise Refusal("unknown-field/fields-parameter", name=name[:40], fields=", ".join(field_names(kind)))
    return names


KEY_HEADER = "Idempotency-Key"
KEY_DESCRIPTION = "A key that you create, such as a UUID. For seven days, the same call gets the same answer."
KEY_SCHEMA = {  # or the same in quotation marks
    "type": "string",
    "pattern": r"^[!#-+\--~]{1,255}$",
    "examples": ["0b9d5ad4-7f0e-4a39-9d5f-2f4d0a3c8c11"],
}
EMPTY_BODY = {"title": "EmptyRequest", "type": "object", "maxProperties": 0, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of a call: what to serialize, and its address if it was created."""

    instance: Any
    status: int = 200
    location: str = ""


class WriteView(BaseView, ABC):
    """An address that changes something, and how it answers."""

    parser_classes: Sequence[type[BaseParser]] = (bodies.RawJsonParser,)
    operation: ClassVar[str] = ""  # its name and words in the description, where they are not those of the class
    write_summary: ClassVar[str] = ""
    write_scopes: ClassVar[tuple[Scope, ...]]  # one of these is needed
    write_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    request_serializer: ClassVar[type[StrictSerializer] | None] = None  # what is sent as JSON; None: nothing
    request_schema: ClassVar[dict[str, Any]] = {}  # other media type → what is sent, as JSON Schema
    result_serializer: ClassVar[type[ReadSerializer]]  # what is answered
    statuses: ClassVar[dict[int, str]]  # and with which status, in words
    key_needed: ClassVar[bool] = False
    largest: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    @property
    def request_bodies(self) -> dict[str, Any]:
        """Return what is sent, by its media type."""
        return {JSON: self.request_serializer or EMPTY_BODY, **self.request_schema}

    def read(self, body: bytes) -> Any:
        """Return the body as `write` takes it. No lock is held yet, so reading may take its time."""
        if self.request_serializer:
            serializer = self.request_serializer(data=bodies.parse_json(body) if body else None)
            serializer.is_valid(raise_exception=True)
            return serializer.validated_data
        if body and bodies.parse_json(body) != {}:
            raise Refusal("body-shape/not-empty")
        return None

    @abstractmethod
    def write(self, sent: Any) -> WriteResult:
        """Do it, in the transaction that is open."""

    def scopes(self, method: str) -> tuple[Scope, ...]:
        return self.write_scopes if method == "POST" else super().scopes(method)

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        if self.request.method != "POST":
            return super().parameters
        key = OpenApiParameter(
            KEY_HEADER, KEY_SCHEMA, OpenApiParameter.HEADER, required=self.key_needed, description=KEY_DESCRIPTION
        )
        return (*self.write_parameters, key)

    @property
    def credential(self) -> Credential:
        return cast(Credential, self.request.auth)

    def compared(self, sent: Any) -> bytes:
        """Return what makes two calls with one key the same call: the bytes as they came."""
        return bytes(sent)

    def post(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        bodies.check_length(request, self.largest)
        sent, header = request.data or b"", request.headers.get(KEY_HEADER)
        prepare = partial(self._prepared, sent)
        if header is not None:
            digest = call_digest("POST", request.get_full_path(), media_type_of(request), self.compared(sent))
            return _sent(run_once(self.reader, parse_key(header), digest, prepare, self._refused))
        if self.key_needed:
            raise Refusal("idempotency-key-missing", option=KEY_HEADER)
        do = prepare()
        with transaction.atomic():
            return _sent(do())

    def _prepared(self, sent: Any) -> KeyedWork:
        return partial(self._answer, self.read(sent))

    def _answer(self, sent: Any) -> KeyedAnswer:
        check_preconditions(self.request)
        result = self.write(sent)
        headers = {"Location": self.absolute_url(result.location)} if result.location else {}
        return KeyedAnswer(result.status, _text(self.result_serializer(result.instance).data), headers)

    def _refused(self, refusal: Refusal) -> KeyedAnswer:
        return KeyedAnswer(refusal.status, _text(problem_details(refusal, self.request.path)))


def media_type_of(request: Request) -> str:
    """Return the media type of the request body; JSON without a Content-Type header."""
    return request.content_type.partition(";")[0].strip().lower() or JSON


def _text(data: Any) -> str:
    return str(JSONRenderer().render(data).decode())


def _sent(answer: KeyedAnswer) -> HttpResponse:
    response = HttpResponse(answer.body, JSON if answer.status < 400 else MEDIA_TYPE, answer.status)
    for name, value in answer.headers.items():
        response[name] = value
    if answer.replayed:
        response["Idempotency-Replayed"] = "true"
    return response
