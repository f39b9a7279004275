"""Analyses and other records as JSON that loses nothing: a fraction is the text "a/b" and a tuple a list.

Not here: the API's shapes, with percentages (`games.maths.export`).
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints


def to_data(value: object) -> Any:
    """A dataclass, or a tuple of them, as exact JSON."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [to_data(item) for item in value]
    if is_dataclass(value):
        return {field.name: to_data(getattr(value, field.name)) for field in fields(value)}
    return value


@cache
def reader(shape: Any) -> Callable[[Any], Any]:
    """A function from exact JSON to a value of this type: a dataclass, `tuple[X, ...]`, `X | None` or a plain type."""
    if isinstance(shape, type) and is_dataclass(shape):
        hints = get_type_hints(shape)
        readers = {field.name: reader(hints[field.name]) for field in fields(shape)}
        return lambda data: shape(**{name: read(data[name]) for name, read in readers.items()})
    if get_origin(shape) is tuple:
        item = reader(get_args(shape)[0])
        return lambda data: tuple(map(item, data))
    if get_origin(shape) is UnionType:
        present = reader(get_args(shape)[0])
        return lambda data: None if data is None else present(data)
    return shape if shape in (Fraction, float) else lambda data: data
