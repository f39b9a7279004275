"""Members whose values are plain JSON already, such as parts of a chapter or of a frozen filing."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as of


def plain_kind(shape: Any, component: str | None = None) -> type[of.JSONField]:
    """Return a kind of JSON with this description: a serializer, or a JSON Schema, which may be a component."""

    @extend_schema_field(shape, component)
    class DescribedField(of.JSONField):
        pass

    return DescribedField


def plain(shape: Any, component: str | None = None, **given: Any) -> of.JSONField:
    """Return the one member of its kind."""
    return plain_kind(shape, component)(**given)
