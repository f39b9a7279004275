"""The shapes of items as JSON Schema, made from the tables of `bulk.item_schema`: in a batch, and alone."""

from typing import Any

from submissions.api.filings.answer_fields import SENT_ANSWERS
from submissions.bulk.item_schema import HIGHEST, ITEM_FIELDS, ITEM_VERBS, MOST, ItemField
from submissions.models import Batch

Schema = dict[str, Any]


def schema_of(verb: str, *, alone: bool) -> Schema:
    """An item of this kind. `alone`: the address says what is done, and to which submission."""
    kind = ITEM_VERBS[verb]
    needed = [name for name in kind.needs if not (alone and name == "submission")]
    action = {} if alone else {"action": {"type": "string", "const": verb}}
    fields = {name: _field(name, ITEM_FIELDS[name], null=name in kind.takes) for name in (*needed, *kind.takes)}
    return {
        "title": f"{verb.title().replace('-', '')}{'Request' if alone else 'Item'}",
        "type": "object",
        "description": kind.help,
        "properties": {**action, **fields},
        "required": [*action, *needed],
        "additionalProperties": False,
    }


def batch_schema() -> Schema:
    """Up to as many items as can be sent at once."""
    kinds = [schema_of(verb, alone=False) for verb in ITEM_VERBS]
    modes = {"type": "string", "enum": Batch.Mode.values, "description": "Preview only, or apply"}
    together = {"type": "boolean", "description": "Do nothing if one item is refused. Default: false"}
    items = {"type": "array", "minItems": 1, "maxItems": MOST, "items": {"oneOf": kinds}}
    return {
        "title": "BatchRequest",
        "type": "object",
        "properties": {"mode": modes, "all_or_nothing": together, "items": items},
        "required": ["mode", "items"],
        "additionalProperties": False,
    }


def _field(name: str, field: ItemField, *, null: bool) -> Schema:
    """What may be left out may be null as well."""
    shapes: dict[str, Schema] = {
        "text": {"type": "string"} if null else {"type": "string", "minLength": 1},
        "number": {"type": "integer", "minimum": 0, "maximum": HIGHEST},
        "answers": SENT_ANSWERS,
    }
    shape = {**shapes[field.kind], "description": field.help}
    if field.choices:
        shape["enum"] = [*field.choices, *([None] if null else [])]
    if null:
        shape["type"] = [shape["type"], "null"]
    return shape
