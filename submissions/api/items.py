"""The shapes of items as JSON Schema, made from the tables of `actions.bulk.shapes`: in a batch, and alone."""

from __future__ import annotations

from typing import Any

from submissions.actions.bulk.shapes import FIELDS, HIGHEST, MOST, VERBS, Field
from submissions.models import Batch

Schema = dict[str, Any]
ANYTHING: Schema = {"type": "object", "description": "Whatever else: it is taken in, and refused by itself"}


def schema_of(verb: str, *, alone: bool) -> Schema:
    """An item of this kind. `alone`: the address says what is done, and to which submission."""
    kind = VERBS[verb]
    named = {"submission"} if alone else set()
    needed = [name for name in kind.needs if name not in named]
    properties = {name: _field(name, FIELDS[name], null=name in kind.takes) for name in (*needed, *kind.takes)}
    if not alone:
        properties = {"action": {"type": "string", "const": verb}, **properties}
    return {
        "type": "object",
        "description": kind.help,
        "properties": properties,
        "required": [*([] if alone else ["action"]), *needed],
        "additionalProperties": False,
    }


def batch_schema() -> Schema:
    """Up to as many items as can be sent at once."""
    kinds = [schema_of(verb, alone=False) for verb in VERBS]
    modes = {"type": "string", "enum": Batch.Mode.values, "description": "Say what would happen, or do it"}
    together = {"type": "boolean", "default": False, "description": "Nothing is done if one item is refused"}
    items = {"type": "array", "minItems": 1, "maxItems": MOST, "items": {"anyOf": [*kinds, ANYTHING]}}
    return {
        "type": "object",
        "properties": {"mode": modes, "all_or_nothing": together, "items": items},
        "required": ["mode", "items"],
        "additionalProperties": False,
    }


def _field(name: str, field: Field, *, null: bool) -> Schema:
    """What may be left out may be null as well."""
    shapes: dict[str, Schema] = {
        "text": {"type": "string"} if null else {"type": "string", "minLength": 1},
        "number": {"type": "integer", "minimum": 0, "maximum": HIGHEST},
        "answers": {"type": "object", "additionalProperties": True},
    }
    shape = {**shapes[field.kind], "description": field.help}
    if field.choices:
        shape["enum"] = [*field.choices, *([None] if null else [])]
    if null:
        shape["type"] = [shape["type"], "null"]
    return shape
