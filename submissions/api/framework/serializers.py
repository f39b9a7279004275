"""Bodies that programs send, as DRF serializers: each member has its JSON type, and no other member is there.

A serializer only parses. Which texts, choices and numbers are right, the action judges, for people and programs alike.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as of
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.settings import api_settings
from rest_framework.utils.html import is_html_input

from submissions.core.errors import Refusal
from submissions.core.text import shown_value

HIGHEST = 2**31 - 1
WHOLE = api_settings.NON_FIELD_ERRORS_KEY
JSON_TYPES: tuple[tuple[type[of.Field[Any, Any, Any, Any]], Any, str], ...] = (
    (of.BooleanField, bool, "true or false"),
    (of.IntegerField, int, "a whole number"),
    (of.FloatField, (int, float), "a number"),
    (of.CharField, str, "text"),
    (of.ChoiceField, str, "text"),
    (of.DateField, str, "a day such as 2026-03-01"),
    (of.ListField, list, "a list"),
    (of.DictField, dict, "an object"),
)
CODES = {"null_characters_not_allowed": "control-characters"}


class JudgedChoiceField(of.ChoiceField):
    """A text with its choices as the description has them; any other is for the action to refuse."""

    def to_internal_value(self, data: Any) -> Any:
        return data


def plain_kind(shape: Any, component: str | None = None) -> type[of.JSONField]:
    """Return a kind of member whose value is plain JSON already, such as a part of a chapter or of a frozen filing.

    `shape` describes it: a serializer, or a JSON Schema, which may be a component.
    """

    @extend_schema_field(shape, component)
    class DescribedField(of.JSONField):
        pass

    return DescribedField


def plain(shape: Any, component: str | None = None, **given: Any) -> of.JSONField:
    """Return the one member of its kind."""
    return plain_kind(shape, component)(**given)


class StrictSerializer(of.Serializer[Any]):
    """An object that is sent. JSON is not converted: text is no number, and a number is no text.

    The first fault is a `Refusal`. `codes`: DRF's code of a fault → ours, where an address has another than most.
    """

    codes: ClassVar[Mapping[str, str]] = {}

    def get_fields(self) -> dict[str, of.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            text = getattr(field, "child", field)
            if isinstance(text, of.CharField):
                text.allow_blank, text.trim_whitespace = True, False
        return fields

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, Mapping):
            known = ", ".join(self.fields)
            for name in data:
                if name not in self.fields:
                    raise ValidationError({name: [ErrorDetail(known, "unknown")]})
            find = _form_faults if is_html_input(data) else _type_faults
            faults = {name: find(field, data[name]) for name, field in self.fields.items() if name in data}
            if any(faults.values()):
                raise ValidationError({name: each for name, each in faults.items() if each})
        parsed: dict[str, Any] = super().to_internal_value(data)
        return parsed

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        try:
            return super().is_valid(raise_exception=raise_exception)
        except ValidationError as error:
            raise self._refusal(error.detail) from None

    def _refusal(self, fault: Any) -> Refusal:
        """Return the first fault as a refusal that names the member and shows what was sent."""
        path: list[Any] = []
        while not isinstance(fault, ErrorDetail):
            step = next(iter(fault)) if isinstance(fault, dict) else next(place for place, x in enumerate(fault) if x)
            fault = fault[step]
            path.append(step)
        if path[0] == WHOLE:
            return Refusal("body-shape/fields", known=", ".join(self.fields))
        path = [step for step in path[:-1] if step != WHOLE]  # the last step is the place in a list of faults
        option = [step for step in path if isinstance(step, str)][-1]
        field = " of ".join(f"item {step + 1}" if isinstance(step, int) else step[:40] for step in reversed(path))
        if fault.code == "unknown":
            refusal = Refusal("unknown-field/fields", option=option[:60], field=field, known=fault)
        elif fault.code == "required":
            refusal = Refusal("field-missing/fields", option=option, field=field)
        else:
            value: Any = self.initial_data
            for step in path:
                value = value[step]
            refusal = Refusal("field-shape/fields", option=option, field=field, value=shown_value(value), why=fault)
        refusal.code = {**CODES, **self.codes}.get(str(fault.code), refusal.code)
        return refusal


def _form_faults(field: of.Field[Any, Any, Any, Any], value: Any) -> Any:
    """Return the fault of a number in a form that Python would read and other programs would not, such as 1_000."""
    if isinstance(field, of.IntegerField) and not (value.isascii() and value.isdigit()):
        return [ErrorDetail("It must be a whole number.", "type")]
    return None


def _type_faults(field: of.Field[Any, Any, Any, Any], value: Any) -> Any:
    """Return the faults of a value of JSON as DRF nests them; null is left to DRF."""
    kind = next(((types, words) for kind, types, words in JSON_TYPES if isinstance(field, kind)), None)
    if kind is None or value is None:
        return None
    if not isinstance(value, kind[0]) or isinstance(value, bool) != (kind[0] is bool):
        return [ErrorDetail(f"It must be {kind[1]}.", "type")]
    if isinstance(field, of.ListField):
        faults = [_type_faults(field.child, each) for each in value]
        return {place: each for place, each in enumerate(faults) if each}
    return None
