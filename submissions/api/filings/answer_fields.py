"""Answers, conditions and limits as the API describes them. What a line of one chapter takes is its own JSON Schema."""

from typing import Any

from games.rules.json_schema import ANSWER_KINDS
from submissions.api.framework.plain_fields import PlainField, plain_kind

Schema = dict[str, Any]
ANSWER: Schema = {
    "description": "By the kind of its line: yes_no true or false; count a whole number; choice, paytable, text, money "
    '("50000.00") and percent ("2.5") a text; attachment the file. `/api/v1/chapters/{number}/schema/` has each line.',
    "anyOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}, ANSWER_KINDS["attachment"]],
    "examples": [True, 6, "DJWT-05", "50000.00"],
}
SENT_ANSWERS: Schema = {
    "type": "object",
    "additionalProperties": {"anyOf": [*ANSWER["anyOf"], {"type": "null"}]},
    "examples": [{"trips_bonus_wager": True, "trips_paytable": "DJWT-05", "adjacent_boxes": 3}],
}
RANGE: Schema = {
    "type": "object",
    "properties": {name: {"type": ["string", "null"]} for name in ("at_least", "at_most")},
    "required": ["at_least", "at_most"],
}
CONDITION: Schema = {
    "type": "array",
    "description": "Alternatives, of which one must hold: key of a line → its accepted answers, or their range. "
    "Empty = always.",
    "items": {
        "type": "object",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": {"type": ["boolean", "integer", "string"]}}, RANGE]
        },
    },
}


AnswersField = plain_kind({"type": "object", "additionalProperties": ANSWER}, "Answers")
ConditionField = plain_kind(CONDITION, "Condition")


def answers_field(**given: Any) -> PlainField:
    """Key of a line → answer."""
    return AnswersField(**given)


def condition_field(**given: Any) -> PlainField:
    """When something applies."""
    return ConditionField(**given)
