"""The description of the API: OpenAPI 3.1 from the views, with the problems that each can answer and an example.

Unnamed schemas get names here, so that generated clients have one for each. `tests/recorded/openapi.yaml` is this
description as committed; a test compares the two.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from drf_spectacular.contrib.django_filters import DjangoFilterExtension
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc, get_lib_doc_excludes
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers as of
from rest_framework.mixins import ListModelMixin

from games.rules.export import ANSWER_KINDS
from submissions.accounts.api_credentials import SCOPE_TEXTS
from submissions.api.framework.bodies import CSV, JSON, NDJSON, PDF
from submissions.api.framework.query_parameters import COMMAS
from submissions.api.framework.serializers import StrictSerializer
from submissions.api.framework.views import EMPTY_BODY, BaseView
from submissions.core.errors import MEDIA_TYPE

CSV_ANSWER = f"{CSV}; charset=utf-8"  # as it is sent
EXAMPLES = Path(__file__).with_name("examples.json")
ALWAYS = {
    400: "Something that was sent is not valid",
    401: "The API key is missing, wrong, expired, or not allowed from this network",
    406: "The portal cannot send any media type in Accept",
    412: "The header If-Match or If-None-Match does not allow the call",
    414: "The address is too long",
    429: "Too many requests",
}
POSTING = {
    411: "The header Content-Length is missing",
    413: "The body is too large",
    415: "Unsupported media type",
}
WRITING = {
    403: "The API key lacks the scope, the role does not allow it, or the status does not allow it now",
    409: "Another user changed it, or the same call is in progress",
    422: "Another call used this Idempotency-Key",
}
HEADERS = {
    "ETag": "Send it back in If-None-Match",
    "Idempotency-Replayed": "`true` if this call was answered before: this is that answer",
    "Location": "The address of what was created",
    "RateLimit": "Seconds left of the minute",
    "RateLimit-Policy": "Requests in a minute, in all processes together",
    "Retry-After": "Seconds to wait before you send it again; left out if that does not help",
}


Schema = dict[str, Any]
STREAM = {  # OpenAPI 3.1 cannot describe a line
    "type": "string",
    "description": "All rows, one JSON object on each line, as in `results`. The last line has the number "
    'of rows and the cursor after the last row, for example `{"end_of_stream": {"rows": 2, "cursor": "after-12"}}`. '
    "The cursor is null if there are no rows and none was sent. If the line is missing, rows are missing: send the "
    "request again. A stream requires an API key. It does not take `limit`.",
}


class FindingProblemSerializer(of.Serializer[Any]):
    rule = of.CharField()
    severity = of.ChoiceField(["blocking", "warning", "note"])
    options = of.ListField(child=of.CharField())
    message = of.CharField()
    fix = of.CharField()
    citation = of.CharField()


class ProblemSerializer(of.Serializer[Any]):
    """Problem details (RFC 9457). What does not apply is left out."""

    type = of.URLField(help_text="The error code")
    title = of.CharField()
    status = of.IntegerField()
    detail = of.CharField()
    instance = of.CharField(help_text="The address of the request")
    code = of.CharField(help_text="Stable: programs can rely on it")
    fix = of.CharField(required=False, help_text="The next step")
    section = of.CharField(required=False, help_text="The section of the law")
    option = of.CharField(required=False, help_text="The line or the field")
    findings = FindingProblemSerializer(many=True, required=False)
    request_id = of.CharField(required=False, help_text="The same as in the header X-Request-ID, for the operator")


class ApiSchema(AutoSchema):
    """The parts that every address has: parameters, problems, an example from `examples.json`."""

    view: Any

    def get_override_parameters(self) -> list[Any]:
        return list(self.view.parameters) if isinstance(self.view, BaseView) else []

    def get_filter_backends(self) -> list[Any]:
        return super().get_filter_backends() if getattr(self.view, "filterset_class", None) else []

    @property
    def writes(self) -> bool:
        return hasattr(self.view, "write") and self.method == "POST"

    def get_request_serializer(self) -> Any:
        """Media type → what is sent: a serializer, or JSON Schema."""
        if self.writes:
            return self.view.request_bodies
        return {JSON: self.view.request_serializer} if self.method == "POST" else None

    def get_response_serializers(self) -> Any:
        if self.writes:
            return dict.fromkeys(self.view.statuses, self.view.result_serializer)
        media_types = self.map_renderers("media_type")
        if JSON not in media_types:
            return self._file_kinds(*media_types)
        is_list = self.method == "GET" and isinstance(self.view, ListModelMixin)
        described: Any = self.view.serializer_class(many=True) if is_list else super().get_response_serializers()
        beside = {PDF: OpenApiTypes.BINARY, NDJSON: str}
        further = {(200, kind): schema for kind, schema in beside.items() if kind in media_types}
        return {(200, JSON): described, **further} if further else described

    def _file_kinds(self, media_type: str) -> Any:
        """Return the response of a media type other than JSON: a table as text, else a file of the view's kinds."""
        if media_type == CSV:
            return {(200, CSV_ANSWER): str}
        kinds = getattr(self.view, "media_types", (media_type,))
        return {(200, kind): OpenApiTypes.BINARY for kind in kinds}

    def get_paginated_name(self, serializer_name: str) -> str:
        return f"{serializer_name}{'Page' if self.view.is_paged else 'List'}"

    def get_operation_id(self) -> str:
        name = type(self.view).__name__.removesuffix("View")
        if name.endswith("Detail"):
            name = f"One{name.removesuffix('Detail')}"
        if self.method == "GET":
            return f"read{name}"
        return (self.writes and self.view.operation) or name[0].lower() + name[1:]

    def get_tags(self) -> list[str]:
        return [self.path.split("/")[3].removesuffix(".csv") or "root"]

    def get_summary(self) -> str:
        return self._words().split(":")[0].split(".")[0].strip()

    def get_description(self) -> str:  # type: ignore[override]
        scopes = self.view.scopes(self.method) if isinstance(self.view, BaseView) else ()
        return f"{self._words()}\n\nScope: {' or '.join(f'`{scope}`' for scope in scopes) or 'none'}."

    def _words(self) -> str:
        return (self.writes and self.view.write_summary) or get_doc(type(self.view))

    def get_examples(self) -> list[OpenApiExample]:
        example = examples().get(self.get_operation_id())
        if example is None:
            return []
        is_list = self.method == "GET" and isinstance(self.view, ListModelMixin)
        value = example["response"]["results"][0] if is_list else example["response"]
        media_type: str = self.map_renderers("media_type")[0]
        if media_type != JSON:
            media_type = next(iter(self._file_kinds(media_type)))[1]
        answer = OpenApiExample(
            "Answer", value=value, response_only=True, status_codes=[str(self._success())], media_type=media_type
        )
        if "request" not in example:
            return [answer]
        return [answer, OpenApiExample("Request", value=example["request"], request_only=True)]

    def _success(self) -> int:
        """Return the status of a success."""
        return min(self.view.statuses) if self.writes else 200

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is None or not isinstance(self.view, BaseView):
            return operation
        if "requestBody" in operation and self.get_request_serializer().get(JSON) is not EMPTY_BODY:
            operation["requestBody"]["required"] = True
        success = str(self._success())
        body = operation["responses"][success]
        body["description"] = self.view.statuses[self._success()] if self.writes else self.get_summary()
        body["headers"] = header_objects(self._headers())
        if NDJSON in body.get("content", ()):
            body["content"][NDJSON] = {"schema": STREAM}
        responses = {success: body}
        problem = self.resolve_serializer(ProblemSerializer, "response").ref
        for status, words in sorted(self._statuses().items()):
            described: dict[str, Any] = {"content": {MEDIA_TYPE: {"schema": problem}}}
            if status == 304:
                described = {"headers": header_objects(self._headers())}
            if status == 429 or (status == 409 and self.writes):
                described["headers"] = header_objects(["Retry-After"])
            responses[str(status)] = {"description": words, **described}
        return operation | {"responses": responses}

    def _headers(self) -> list[str]:
        headers = ["ETag"] if self.method == "GET" and not self.view.is_streamed else []
        if self.writes:
            headers += ["Idempotency-Replayed", *(["Location"] if self._success() != 200 else [])]
        return [*headers, "RateLimit", "RateLimit-Policy"]

    def _statuses(self) -> dict[int, str]:
        statuses = dict(ALWAYS)
        if "ETag" in self._headers():
            statuses[304] = "Nothing changed after the ETag that was sent"
        if self.method == "POST":
            statuses |= POSTING
        if self.view.scopes(self.method):
            statuses[403] = "The API key lacks the scope"
        if self.writes:
            statuses |= WRITING
        if "{" in self.path:
            statuses[404] = "It does not exist, or you cannot see it"
        return statuses


def docstring_excludes() -> list[Any]:
    """Return the classes whose docstrings are for readers of the code, not for the description."""
    return [*get_lib_doc_excludes(), StrictSerializer]  # type: ignore[no-untyped-call]


def header_objects(names: Sequence[str]) -> dict[str, Any]:
    """Headers by their names."""
    return {name: {"schema": {"type": "string"}, "description": HEADERS[name]} for name in names}


@cache
def examples() -> dict[str, Any]:
    """Operation → its example: `response`, and `request` where a body is sent."""
    return dict(json.loads(EXAMPLES.read_text(encoding="utf-8")))


ATTACHMENT = "AttachmentAnswer"


def name_requests(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """Each schema of a body that has a title becomes the component of that name, and so do those within a list."""
    components = result["components"]["schemas"]
    for path in result["paths"].values():
        for operation in path.values():
            content = operation.get("requestBody", {}).get("content", {})
            if JSON in content:
                content[JSON]["schema"] = _named(content[JSON]["schema"], components)
    for path in result.get("webhooks", {}).values():
        for operation in path.values():
            operation["security"] = []  # no scheme of OpenAPI is a signature: the words say how it is checked
    if ATTACHMENT in components:
        raise ValueError(f"two components are called {ATTACHMENT}")
    result = _with_named_attachments(result)
    schemas = {**result["components"]["schemas"], ATTACHMENT: dict(ANSWER_KINDS["attachment"])}
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _with_named_attachments(schema: Any) -> Any:
    """Return the description with a reference wherever an answer is a file."""
    if schema == ANSWER_KINDS["attachment"]:
        return {"$ref": f"#/components/schemas/{ATTACHMENT}"}
    if isinstance(schema, dict):
        return {name: _with_named_attachments(each) for name, each in schema.items()}
    return [_with_named_attachments(each) for each in schema] if isinstance(schema, list) else schema


def _named(schema: Schema, components: Schema) -> Schema:
    """Return a reference to the component, if the schema has a title."""
    properties = {name: _with_named_items(each, components) for name, each in schema.get("properties", {}).items()}
    if "title" not in schema:
        return schema
    whole = {**schema, "properties": properties}
    name = whole.pop("title")
    if components.setdefault(name, whole) != whole:
        raise ValueError(f"two bodies are called {name}")
    return {"$ref": f"#/components/schemas/{name}"}


def _with_named_items(schema: Schema, components: Schema) -> Schema:
    """Return a list of several kinds of objects: each kind by its name; `action` says which it is."""
    kinds = schema.get("items", {}).get("oneOf")
    if not kinds:
        return schema
    named = [_named(kind, components) for kind in kinds]
    actions = (kind["properties"]["action"]["const"] for kind in kinds)
    mapping = {action: each["$ref"] for action, each in zip(actions, named, strict=True)}
    return {**schema, "items": {"oneOf": named, "discriminator": {"propertyName": "action", "mapping": mapping}}}


class StrictScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Bodies have no other members; a generated client leaves out a member that has a default."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Schema:
        schema: Schema = auto_schema._map_serializer(self.target, direction, True)
        for member in schema["properties"].values():
            member.pop("default", None)
        return {**schema, "additionalProperties": False}


class FilterParameters(DjangoFilterExtension):  # type: ignore[no-untyped-call]
    """The help text of a filter describes its parameter, also where its schema is given or it has choices."""

    target_class = "submissions.api.framework.query_parameters.RefusalFilterBackend"
    priority = 1  # before the extension of drf-spectacular itself

    def resolve_filter_field(self, *args: Any) -> list[dict[str, Any]]:
        (parameter,) = super().resolve_filter_field(*args)  # type: ignore[no-untyped-call]
        parameter["description"] = args[-1].extra["help_text"]
        if parameter["schema"]["type"] == "array":
            parameter["description"] += f" {COMMAS}"
            parameter["schema"]["minItems"] = 1
        elif parameter["schema"] == {"type": "string"}:
            parameter["schema"]["minLength"] = 1
        return [parameter]


class CredentialScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Both are sent as a bearer token."""

    target_class = "submissions.api.framework.authentication.CredentialAuthentication"
    name = ["credential", "oauth"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        bearer = {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key, created by an administrator: `rsp_live_<prefix>_<secret>`, or "
            "`rsp_test_<prefix>_<secret>` for the sandbox",
        }
        scopes = {scope.value: capfirst(text) for scope, text in SCOPE_TEXTS.items()}
        oauth = {
            "type": "oauth2",
            "description": "Client credentials; the client proves who it is with `private_key_jwt`",
            "flows": {"clientCredentials": {"tokenUrl": reverse("api:token"), "scopes": scopes}},
        }
        return [bearer, oauth]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Either one is enough. A public address needs neither."""
        view = auto_schema.view
        scopes = view.scopes(auto_schema.method) if isinstance(view, BaseView) else ()
        if not scopes:
            return [{"credential": []}, {"oauth": []}, {}]
        return [{"credential": []}, *({"oauth": [scope.value]} for scope in scopes)]
