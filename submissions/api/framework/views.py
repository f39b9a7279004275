"""The view from which every address of the API is made, beside DRF's own generic views.

It decides who may call an address, its parameters, the fields asked for, one page or all. An address that changes
something has `post = BaseView.write_once` and a method `write`: one transaction, and once for each Idempotency-Key.

Not here: what each address returns or does (the module of its kind), how calls are recognized and stored
(`jobs.idempotency`).
"""

from collections.abc import Callable, Sequence
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
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from submissions.api.framework import bodies
from submissions.api.framework.bodies import JSON, NDJSON, NdjsonRenderer
from submissions.api.framework.pagination import RowPagination, stream_rows
from submissions.api.framework.preconditions import check_preconditions, with_etag
from submissions.api.framework.query_parameters import (
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
KEY_HEADER = "Idempotency-Key"
KEY_DESCRIPTION = "A key that you create, such as a UUID. For seven days, the same call gets the same answer."
KEY_SCHEMA = {  # or the same in quotation marks
    "type": "string",
    "pattern": r"^[!#-+\--~]{1,255}$",
    "examples": ["0b9d5ad4-7f0e-4a39-9d5f-2f4d0a3c8c11"],
}
EMPTY_BODY = {"title": "EmptyRequest", "type": "object", "maxProperties": 0, "additionalProperties": False}


@cache
def field_names(kind: type[serializers.Serializer[Any]]) -> tuple[str, ...]:
    return tuple(kind().fields)


class AddressTooLong(Refusal):
    """No list of parameters needs so long an address."""

    status = 414


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of a call: what to serialize, and its address if it was created."""

    instance: Any
    status: int = 200
    location: str = ""


@method_decorator(with_etag, name="dispatch")
class BaseView(GenericAPIView[Any]):
    """Every address: as DRF's settings and `serializer_class`, `filterset_class`, `pagination_class` have it."""

    http_method_names = ["get", "head", "post", "options"]
    scope: ClassVar[Scope | None] = Scope.READ  # None: the address is public
    query_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()  # those other than `fields`
    filterset_class: ClassVar[type[RefusalFilterSet] | None] = None  # the parameters that narrow a list
    is_streamed: ClassVar[bool] = False  # piece by piece: its ETag is not known beforehand
    serializer_class: type[serializers.Serializer[Any]]

    # Of an address that changes something:
    write: Callable[[Any], WriteResult]  # does it with what was sent, in the transaction that is open
    operation: str = ""  # its name and words in the description, where they are not those of the class
    write_summary: str = ""
    write_scopes: tuple[Scope, ...] = ()  # one of these is needed
    write_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    request_serializer: ClassVar[type[StrictSerializer] | None] = None  # what is sent as JSON; None: nothing
    request_schema: dict[str, Any] = {}  # other media type → what is sent, as JSON Schema
    result_serializer: type[serializers.Serializer[Any]]  # what is answered
    statuses: dict[int, str]  # and with which status, in words
    key_needed: ClassVar[bool] = False
    largest: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    @property
    def is_paged(self) -> bool:
        """Whether it is a list page by page, which can also be read as a stream; all others are short by nature."""
        return issubclass(cast(type, self.pagination_class), RowPagination)

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        if self.request.method == "POST" and hasattr(self, "write"):
            key = OpenApiParameter(
                KEY_HEADER, KEY_SCHEMA, OpenApiParameter.HEADER, required=self.key_needed, description=KEY_DESCRIPTION
            )
            return (*self.write_parameters, key)
        words = "Return only these fields. The others are left out, although the schema requires them."
        fields = list_parameter("fields", field_names(self.serializer_class), words)
        pages = cast(type[RowPagination], self.pagination_class).parameters() if self.is_paged else ()
        return (*self.query_parameters, fields, *pages)

    def absolute_url(self, path: str) -> str:
        """Return the address as the caller reaches the portal."""
        return str(self.request.build_absolute_uri(path))

    def scopes(self, method: str) -> tuple[Scope, ...]:
        """Return the scopes of which the caller needs one; none for a public address."""
        if method == "POST" and self.write_scopes:
            return self.write_scopes
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

    @property
    def credential(self) -> Credential:
        return cast(Credential, self.request.auth)

    @property
    def day(self) -> date:
        """The day in the parameter `on`; today without it."""
        return day_or_today(self.request.query_params.get("on"))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization"])
        if "Authorization" in request.headers:
            patch_cache_control(response, private=True, no_store=True)
        else:
            patch_cache_control(response, no_cache=True)
        return response

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """Return the serializer, with the fields that the parameter `fields` names, or all."""
        serializer: Any = super().get_serializer(*args, **kwargs)
        known, text = field_names(self.serializer_class), query_of(self.request).get("fields")
        if text is None:
            return serializer
        names = split_values(text)
        for name in names:
            if name not in known:
                raise Refusal("unknown-field/fields-parameter", name=name[:40], fields=", ".join(known))
        fields = getattr(serializer, "child", serializer).fields
        for name in set(known) - set(names):
            fields.pop(name)
        return serializer

    @property
    def renderer_classes(self) -> Sequence[type[BaseRenderer]]:  # type: ignore[override]
        can_stream = self.is_paged and self.request.method in ("GET", "HEAD")
        return (JSONRenderer, NdjsonRenderer) if can_stream else (JSONRenderer,)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return super().paginate_queryset(queryset) or []

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return the page, or all rows as a stream. `get_queryset` has them in any order, or their `values` with `pk`.

        The pages are in an order in which no row is missed or repeated.
        """
        read_page = partial(super().list, request)  # type: ignore[misc]  # of DRF's `ListAPIView`
        if request.accepted_renderer.media_type == NDJSON:
            return stream_rows(request, cast(RowPagination, self.paginator), read_page)
        return read_page()

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

    def compared(self, sent: Any) -> bytes:
        """Return what makes two calls with one key the same call: the bytes as they came."""
        return bytes(sent)

    def write_once(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Do what was sent, once for its Idempotency-Key."""
        bodies.check_length(request, self.largest)
        sent: Any = request.data or b""  # the bytes of the body; of a form, its fields
        header = request.headers.get(KEY_HEADER)

        def prepare() -> KeyedWork:
            return partial(self._write, self.read(sent))

        if header is None:
            if self.key_needed:
                raise Refusal("idempotency-key-missing", option=KEY_HEADER)
            do = prepare()
            with transaction.atomic():
                return _sent(do())

        def refused(refusal: Refusal) -> KeyedAnswer:
            return KeyedAnswer(refusal.status, _text(problem_details(refusal, request.path)))

        digest = call_digest("POST", request.get_full_path(), media_type_of(request), self.compared(sent))
        return _sent(run_once(self.reader, parse_key(header), digest, prepare, refused))

    def _write(self, sent: Any) -> KeyedAnswer:
        check_preconditions(self.request)
        result = self.write(sent)
        headers = {"Location": self.absolute_url(result.location)} if result.location else {}
        return KeyedAnswer(result.status, _text(self.result_serializer(result.instance).data), headers)


def media_type_of(request: Request) -> str:
    """Return the media type of the request body; JSON without a Content-Type header."""
    return request.content_type.partition(";")[0].strip().lower() or JSON


def _text(data: Any) -> str:
    return str(JSONRenderer().render(data).decode())


def _sent(answer: KeyedAnswer) -> HttpResponse:
    media_type = JSON if answer.status < 400 else MEDIA_TYPE
    response = HttpResponse(answer.body, media_type, answer.status, headers=dict(answer.headers))
    if answer.replayed:
        response["Idempotency-Replayed"] = "true"
    return response
