"""How the API describes itself: OpenAPI 3.1 from the views, with the problems that each can answer and an example.

`docs/openapi.yaml` is this description as it was committed; a test holds the two together.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers as of

from submissions.api.problems import MEDIA_TYPE
from submissions.api.reading import Door, Rows, Whole

EXAMPLES = Path(__file__).with_name("examples.json")
ALWAYS = {
    400: "Something that was sent cannot be used",
    401: "The credential is missing, wrong, over, or not allowed from here",
    406: "Only JSON is served",
    429: "There were too many requests",
}


class FindingProblem(of.Serializer[Any]):
    rule = of.CharField()
    severity = of.ChoiceField(["blocking", "warning", "note"])
    options = of.ListField(child=of.CharField())
    message = of.CharField()
    fix = of.CharField()
    citation = of.CharField()


class Problem(of.Serializer[Any]):
    """Problem details (RFC 9457). What does not apply is left out."""

    type = of.URLField(help_text="The code in the catalogue")
    title = of.CharField()
    status = of.IntegerField()
    detail = of.CharField()
    instance = of.CharField(help_text="The address that was asked")
    code = of.CharField(help_text="Stable: rely on it")
    fix = of.CharField(required=False, help_text="What to do about it")
    section = of.CharField(required=False, help_text="The section of the law")
    option = of.CharField(required=False, help_text="The line or the field concerned")
    findings = FindingProblem(many=True, required=False)


class Described(AutoSchema):
    """What is the same for every address: parameters, problems, an example from `examples.json`."""

    view: Any

    def get_override_parameters(self) -> list[Any]:
        return list(self.view.parameters) if isinstance(self.view, Door) else []

    def get_request_serializer(self) -> Any:
        return getattr(self.view, "sent", None)

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False  # a page is an object, described by `get_response_serializers`

    def get_operation_id(self) -> str:
        name = type(self.view).__name__
        return f"read{name}" if self.method == "GET" else name[0].lower() + name[1:]

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return type(serializer).__name__.removesuffix("Shape")

    def get_tags(self) -> list[str]:
        return [self.path.split("/")[3]]

    def get_summary(self) -> str:
        return (type(self.view).__doc__ or "").split(":")[0].split(".")[0].strip()

    def get_examples(self) -> list[OpenApiExample]:
        found = examples().get(self.get_operation_id())
        if found is None:
            return []
        told = [OpenApiExample("Answer", value=found["response"], response_only=True, status_codes=["200"])]
        if "request" in found:
            told.append(OpenApiExample("Request", value=found["request"], request_only=True))
        return told

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if not isinstance(self.view, Door):
            return bodies
        bodies["200"] = self._answered(bodies["200"])
        problem = self.resolve_serializer(Problem, "response").ref
        for status, words in sorted(self._statuses().items()):
            bodies[str(status)] = {"description": words, "content": {MEDIA_TYPE: {"schema": problem}}}
        return bodies

    def _answered(self, body: dict[str, Any]) -> dict[str, Any]:
        """What is answered, in words, with its headers; a list as a page."""
        body["description"] = self.get_summary()
        body["headers"] = {
            "ETag": {"schema": {"type": "string"}, "description": "Send it back in If-None-Match"},
            "RateLimit": {"schema": {"type": "string"}, "description": "What is left of the minute"},
            "RateLimit-Policy": {"schema": {"type": "string"}, "description": "Requests in a minute"},
        }
        if self.method != "GET":
            body["headers"].pop("ETag")
        if isinstance(self.view, (Rows, Whole)):
            content = body["content"]["application/json"]
            following = {"type": ["string", "null"], "format": "uri", "description": "The address of the next page"}
            content["schema"] = {
                "type": "object",
                "properties": {"next": following, "results": {"type": "array", "items": content["schema"]}},
                "required": ["next", "results"],
            }
        return body

    def _statuses(self) -> dict[int, str]:
        found = dict(ALWAYS)
        if self.method == "GET":
            found[304] = "Nothing changed since the ETag that was sent"
        else:
            found |= {413: "The body is too large", 415: "Only JSON is read"}
        if self.view.scope is not None:
            found[403] = "The credential lacks the scope"
        if "{" in self.path:
            found[404] = "It is not there, or not for you"
        return found


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "submissions.api.authentication.ByCredential"
    name = "credential"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`rsp_live_<prefix>_<secret>`, made by an administrator",
        }


@cache
def examples() -> dict[str, Any]:
    """Operation → its example: `response`, and `request` where a body is sent."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found
