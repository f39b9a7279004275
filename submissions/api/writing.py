"""What every address that changes something has in common: one transaction, and once for each Idempotency-Key.

Not here: how calls are told apart and kept (`actions.idempotency`), what each address does: the module of its kind.
"""

from __future__ import annotations

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

from submissions.actions.idempotency import Answer, Do, digest_of, key_in, once
from submissions.api import bodies
from submissions.api.bodies import JSON
from submissions.api.problems import MEDIA_TYPE, problem
from submissions.api.reading import Door, Shape
from submissions.errors import Refusal
from submissions.models import Credential, Scope

KEY = "Idempotency-Key"
WORDS = "Made up for this call, such as a UUID: sent again, the call gets the same answer for seven days."
KEYS = {"type": "string", "pattern": r"^[!#-+\--~]{1,255}$"}  # or the same in quotation marks
NOTHING: dict[str, Any] = {JSON: {"type": "object", "maxProperties": 0, "additionalProperties": False}}


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a call: the thing to tell, and where it stands if it was made."""

    thing: Any
    status: int = 200
    location: str = ""


class Writing(Door, ABC):
    """An address that changes something, and how it tells so."""

    parser_classes: Sequence[type[BaseParser]] = (bodies.Plain,)
    operation: ClassVar[str] = ""  # its name and words in the description, where reading there has others
    says: ClassVar[str] = ""
    writes: ClassVar[tuple[Scope, ...]]  # one of these is needed
    asked_by_query: ClassVar[tuple[OpenApiParameter, ...]] = ()
    taken: ClassVar[dict[str, Any]] = NOTHING  # media type → what is sent, as JSON Schema
    told_as: ClassVar[type[Shape]]  # what is answered
    statuses: ClassVar[dict[int, str]]  # and with which status, in words
    key_needed: ClassVar[bool] = False
    largest: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    def read(self, body: bytes) -> Any:
        """What was sent, as `write` takes it. Here nothing is held yet: nobody waits for what takes its time."""
        return bodies.nothing(body)

    @abstractmethod
    def write(self, sent: Any) -> Written:
        """Do it, in the transaction that is open."""

    def scopes(self, method: str) -> tuple[Scope, ...]:
        return self.writes if method == "POST" else super().scopes(method)

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        if self.request.method != "POST":
            return super().parameters
        key = OpenApiParameter(KEY, KEYS, OpenApiParameter.HEADER, required=self.key_needed, description=WORDS)
        return (*self.asked_by_query, key)

    @property
    def credential(self) -> Credential:
        return cast(Credential, self.request.auth)

    def post(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        body = bodies.sent_in(request)
        prepare, header = partial(self._prepared, body), request.headers.get(KEY)
        if header is not None:
            digest = digest_of("POST", request.get_full_path(), media_type_of(request), body)
            return _sent(once(self.reader, key_in(header), digest, prepare, self._refused))
        if self.key_needed:
            raise Refusal(
                "idempotency-key-missing",
                "This is sent with the header Idempotency-Key, and none was.",
                fix="Make up a key for each call, such as a UUID; send the same call again with the same key.",
                option=KEY,
            )
        do = prepare()
        with transaction.atomic():
            return _sent(do())

    def _prepared(self, body: bytes) -> Do:
        return partial(self._answer, self.read(body))

    def _answer(self, sent: Any) -> Answer:
        found = self.write(sent)
        headers = {"Location": self.at(found.location)} if found.location else {}
        return Answer(found.status, _text(self.told_as(found.thing).data), headers)

    def _refused(self, refusal: Refusal) -> Answer:
        return Answer(refusal.status, _text(problem(refusal, self.request.path)))


def media_type_of(request: Request) -> str:
    """What was sent; JSON, if nothing was."""
    return request.content_type.partition(";")[0].strip().lower() or JSON


def _text(told: Any) -> str:
    return str(JSONRenderer().render(told).decode())


def _sent(answer: Answer) -> HttpResponse:
    response = HttpResponse(answer.body, JSON if answer.status < 400 else MEDIA_TYPE, answer.status)
    for name, value in answer.headers.items():
        response[name] = value
    if answer.replayed:
        response["Idempotency-Replayed"] = "true"
    return response
