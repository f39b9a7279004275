"""Small JSON bodies by a table: which fields an address takes, of which kind; anything else is refused by its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from submissions.api.framework import bodies
from submissions.core.errors import Refusal
from submissions.core.text import shown_value

HIGHEST = 2**31 - 1
Kind = Literal["number", "text", "texts", "share"]
SCHEMAS: dict[Kind, dict[str, Any]] = {
    "number": {"type": "integer", "minimum": 0, "maximum": HIGHEST},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
}
KIND_WORDS: dict[Kind, str] = {
    "number": f"a whole number from 0 to {HIGHEST}",
    "text": "text",
    "texts": "a list of texts",
    "share": "a number from 0 to 1",
}


@dataclass(frozen=True, slots=True)
class JsonField:
    """A field of a body; `schema` adds to the JSON Schema of its kind."""

    kind: Kind
    help: str
    needed: bool = True
    schema: Mapping[str, Any] | None = None


JsonFields = Mapping[str, JsonField]


def fields_schema(fields: JsonFields) -> dict[str, Any]:
    """Media type → the body as JSON Schema."""
    properties = {
        name: {**SCHEMAS[field.kind], **(field.schema or {}), "description": field.help}
        for name, field in fields.items()
    }
    needed = [name for name, field in fields.items() if field.needed]
    shape = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
    return {bodies.JSON: shape}


def read_fields(body: bytes, fields: JsonFields) -> dict[str, Any]:
    """The fields of the body, each of its kind (1.0 is the number 1); one that may be left out is then not there."""
    sent = bodies.parse_json(body) if body else {}
    known = ", ".join(fields)
    if not isinstance(sent, Mapping):
        raise Refusal("body-shape/fields", known=known)
    if unknown := next((name for name in sent if name not in fields), ""):
        raise Refusal("unknown-field/fields", option=unknown[:60], field=unknown[:40], known=known)
    for name, field in fields.items():
        if name not in sent and field.needed:
            raise Refusal("field-missing/fields", option=name, field=name)
        if name in sent and not _fits(field.kind, sent[name]):
            value, kind = shown_value(sent[name]), KIND_WORDS[field.kind]
            raise Refusal("field-shape/fields", option=name, field=name, value=value, why=f"It must be {kind}.")
    return {name: int(value) if fields[name].kind == "number" else value for name, value in sent.items()}


def _fits(kind: Kind, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if kind == "text":
        return isinstance(value, str)
    if kind == "texts":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "number":
        return isinstance(value, (int, float)) and 0 <= value <= HIGHEST and float(value).is_integer()
    return isinstance(value, (int, float)) and isfinite(value)  # whether it is in the drawing, the action says
