"""The catalog of error codes: what each means, its status, what to do. The data is `error_codes.toml`.

It is shown as a resource (`api.description`) and as a page (`web.error_pages`).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("error_codes.toml")
MESSAGES = Path(__file__).with_name("messages.toml")


@dataclass(frozen=True, slots=True)
class ErrorCode:
    code: str
    status: int
    title: str
    fix: str


@cache
def error_groups() -> Mapping[str, tuple[ErrorCode, ...]]:
    """Heading → its codes, in the order of the file."""
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {heading: tuple(ErrorCode(code, *row) for code, row in rows.items()) for heading, rows in groups.items()}


@cache
def error_codes() -> Mapping[str, ErrorCode]:
    """Every code by its name, in the order of the file."""
    codes = [code for group in error_groups().values() for code in group]
    by_name = {code.code: code for code in codes}
    if len(by_name) < len(codes):
        raise ValueError(f"{FILE.name}: a code is under two headings")
    return by_name


@dataclass(frozen=True, slots=True)
class Message:
    """The text of a refusal: what happened and why; the next step. Names in braces are filled in when it is raised."""

    message: str
    fix: str = ""


@cache
def messages() -> Mapping[str, Message]:
    """The texts by key: an error code, or `code/case` where a code has several."""
    return {key: Message(**row) for key, row in tomllib.loads(MESSAGES.read_text(encoding="utf-8")).items()}
