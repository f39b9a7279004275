"""Members whose values are plain JSON already, such as parts of a chapter or of a frozen filing."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as of


class PlainField(of.Field[Any, Any, Any, Any]):
    """What is returned as it is."""

    def to_representation(self, value: Any) -> Any:
        return value


def plain_kind(shape: Any, component: str | None = None) -> type[PlainField]:
    """A kind of plain member with this description: a serializer, or a JSON Schema, which may be a component."""
    kind: type[PlainField] = extend_schema_field(shape, component)(type("PlainField", (PlainField,), {}))
    return kind


def plain(shape: Any, component: str | None = None, **given: Any) -> PlainField:
    """The one member of its kind."""
    return plain_kind(shape, component)(**given)


def a_list(**given: Any) -> PlainField:
    """A list of texts."""
    return plain({"type": "array", "items": {"type": "string"}}, **given)
