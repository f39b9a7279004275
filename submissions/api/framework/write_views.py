"""What every address that changes something has in common: one transaction, and once for each Idempotency-Key.

Not here: how calls are recognized and stored (`jobs.idempotency`), what each address does: the module of its kind.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.api.framework import bodies
from submissions.api.framework.bodies import JSON
from submissions.api.framework.preconditions import check_preconditions
from submissions.api.framework.read_views import BaseView, ReadSerializer
from submissions.core.errors import Refusal
from submissions.core.problem_details import MEDIA_TYPE, problem_details
from submissions.jobs.idempotency import KeyedAnswer, KeyedWork, call_digest, parse_key, run_once
from submissions.models import Credential, Scope

KEY_HEADER = "Idempotency-Key"
KEY_DESCRIPTION = "A key that you create, such as a UUID. For seven days, the same call gets the same answer."
KEY_SCHEMA = {  # or the same in quotation marks
    "type": "string",
    "pattern": r"^[!#-+\--~]{1,255}$",
    "examples": ["0b9d5ad4-7f0e-4a39-9d5f-2f4d0a3c8c11"],
}
EMPTY_BODY: dict[str, Any] = {
    JSON: {"title": "EmptyRequest", "type": "object", "maxProperties": 0, "additionalProperties": False}
}


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
    request_schema: ClassVar[dict[str, Any]] = EMPTY_BODY  # media type → what is sent, as JSON Schema
    result_serializer: ClassVar[type[ReadSerializer]]  # what is answered
    statuses: ClassVar[dict[int, str]]  # and with which status, in words
    key_needed: ClassVar[bool] = False
    largest: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    def read(self, body: bytes) -> Any:
        """What was sent, as `write` takes it; here nothing. No lock is held yet, so reading may take its time."""
        if body and bodies.parse_json(body) != {}:
            raise Refusal("body-shape/not-empty")

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

    def post(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        bodies.refuse_unmeasured(request)
        body = bytes(cast(bytes, request.data))  # {} where none was sent
        prepare, header = partial(self._prepared, body), request.headers.get(KEY_HEADER)
        if header is not None:
            digest = call_digest("POST", request.get_full_path(), media_type_of(request), body)
            return _sent(run_once(self.reader, parse_key(header), digest, prepare, self._refused))
        if self.key_needed:
            raise Refusal("idempotency-key-missing", option=KEY_HEADER)
        do = prepare()
        with transaction.atomic():
            return _sent(do())

    def _prepared(self, body: bytes) -> KeyedWork:
        return partial(self._answer, self.read(body))

    def _answer(self, sent: Any) -> KeyedAnswer:
        check_preconditions(self.request)
        result = self.write(sent)
        headers = {"Location": self.absolute_url(result.location)} if result.location else {}
        return KeyedAnswer(result.status, _text(self.result_serializer(result.instance).data), headers)

    def _refused(self, refusal: Refusal) -> KeyedAnswer:
        return KeyedAnswer(refusal.status, _text(problem_details(refusal, self.request.path)))


def media_type_of(request: Request) -> str:
    """What was sent; JSON, if nothing was."""
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
