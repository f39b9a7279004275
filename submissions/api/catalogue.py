"""The catalogue of codes: what each means, its status, what to do about it. The data is `codes.toml`."""

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
def codes() -> Mapping[str, Code]:
    """Every code, in the order of the file."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {code: Code(code, *row) for code, row in found.items()}
