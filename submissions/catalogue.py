"""The catalogue of codes: what each means, its status, what to do about it. The data is `codes.toml`.

Both doors tell it: as a resource (`api.errors`) and as a page (`web.catalogue`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("codes.toml")


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    status: int
    title: str
    fix: str


@cache
def groups() -> Mapping[str, tuple[Code, ...]]:
    """Heading → its codes, in the order of the file."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {heading: tuple(Code(code, *row) for code, row in rows.items()) for heading, rows in found.items()}


@cache
def codes() -> Mapping[str, Code]:
    """Every code by its name, in the order of the file."""
    found = [code for group in groups().values() for code in group]
    by_name = {code.code: code for code in found}
    if len(by_name) < len(found):
        raise ValueError(f"{FILE.name}: a code stands under two headings")
    return by_name
