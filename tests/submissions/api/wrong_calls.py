"""`python -m tests.submissions.api.wrong_calls`: makes the wrong calls of `wrong_calls.toml`, and writes what the API
answers as `tests/recorded/wrong-calls.md`. `test_wrong_calls` makes the same calls and compares the page.

Not here: who calls, and how a call is made (`wrong_callers`).
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "recorded" / "wrong-calls.md"
CALLS = Path(__file__).with_suffix(".toml")
WRITES = "PORTAL_WRITES_WRONG_CALLS"  # the test writes the page instead of comparing it
LONGEST = 160  # characters of a call on the page
OPENING = """# Wrong calls and their answers

{count} mistakes that programs make, each with the answer of the API: status and code, words, remedy. Rely on the code;
the words can change. Each call was made against the portal by `python -m tests.submissions.api.wrong_calls`, which
writes this page, and a test makes them again. The addresses are below `/api/v1/` unless they begin with `/`. The caller
has a live API key of a licensee with all of its scopes, unless the mistake says otherwise. The numbers are examples:
RS-2026-00001 was returned, RS-2026-00002 is approved, RS-2026-00003 and RS-2026-00004 are drafts, RS-2026-00005 is
filed. The day is November 2, 2026.

[openapi.yaml](openapi.yaml) describes the right calls, [api.md](../../docs/api.md) explains them, and `/errors/` on the
portal has every code. Under “Items of a batch”, the answer is that of the item: the batch itself is accepted (202). For
a judgment, it is a finding: the status is then 200.
"""
HEADER = """| | Mistake | Call | Answer | Words | Remedy |
| --: | :-- | :-- | :-- | :-- | :-- |"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: `words` and `fix` as the API wrote them; `section` where the answer names one."""

    status: int
    code: str
    words: str
    fix: str
    section: str = ""


Call = Mapping[str, Any]  # a row of the file


@cache
def calls() -> tuple[tuple[str, Call], ...]:
    """(heading, call), in the order of the file."""
    data = tomllib.loads(CALLS.read_text(encoding="utf-8"))
    return tuple((heading, call) for heading, rows in data.items() for call in rows)


def page(answers: Sequence[tuple[str, Answer]]) -> str:
    """The whole page; `answers`: what is shown of each call, and its answer, in the order of `calls`."""
    parts, latest = [OPENING.format(count=len(answers))], ""
    for number, ((heading, call), (shown, answer)) in enumerate(zip(calls(), answers, strict=True), 1):
        if heading != latest:
            parts += [f"## {heading}", HEADER]
            latest = heading
        parts.append(_row(number, call["wrong"], shown, answer))
    return _spaced(parts)


def _row(number: int, wrong: str, shown: str, answer: Answer) -> str:
    section = f" ({answer.section})" if answer.section and answer.section not in answer.words else ""
    words = f"{answer.words}{section}".replace("|", r"\|")
    status = f"{answer.status} `{answer.code}`"
    return f"| {number} | {wrong} | {_code(shown)} | {status} | {words} | {answer.fix.replace('|', chr(92) + '|')} |"


def _code(text: str) -> str:
    """One line of code for each line, not too long, with no sign that ends a cell."""
    lines = (line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…" for line in text.splitlines())
    return "<br>".join(f"`{line.replace('|', chr(92) + '|').replace('`', chr(39))}`" for line in lines)


def _spaced(parts: Sequence[str]) -> str:
    """The parts with empty lines around headings."""
    lines: list[str] = []
    for part in parts:
        lines += ["", part, ""] if part.startswith("## ") else [part]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ[WRITES] = "1"
    test = str(Path(__file__).with_name("test_wrong_calls.py"))
    raise SystemExit(pytest.main(["-q", "-n0", "-p", "no:cacheprovider", test]))
