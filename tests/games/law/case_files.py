"""The cases of a chapter, `cases/<number>.toml`: configurations that the law's words call legal or illegal.

    [[case]]
    section = "581.6(g)"            # the words that it rests on
    why = "A sentence: what the law says and what this configuration does."
    legal = false
    answers = { adjacent_boxes = 7 }  # what differs from the chapter's example answers
    without = ["odds_posted"]         # answers of the example that this configuration does not have
    complete = true                   # `answers` are all there are; the example is not used
    refused_at = "581.2(a)"           # illegal only: the section that the finding must cite
    line = "adjacent_boxes"           # illegal only, where one line is at fault: the finding must name it

Not here: judging them (`verdicts`).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from games.registry import folders
from tests.games.chapters.examples import example

CASES = Path(__file__).with_name("cases")
_REQUIRED = {"section", "why", "legal"}
_KNOWN = _REQUIRED | {"answers", "without", "complete", "refused_at", "line"}


@dataclass(frozen=True)
class Case:
    """One configuration, what the law says of it, and where."""

    chapter: str
    place: int  # 1 = the first in the file
    section: str
    why: str
    legal: bool
    refused_at: str = ""
    line: str = ""
    changes: dict[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    complete: bool = False

    @cached_property
    def answers(self) -> dict[str, Any]:
        """All answers of the configuration."""
        if self.complete:
            return dict(self.changes)
        return {**example(self.chapter, **dict.fromkeys(self.without)), **self.changes}

    def __str__(self) -> str:
        return f"{self.chapter} case {self.place} (§ {self.section}): {self.why}"


def chapters_with_cases() -> list[str]:
    """The numbers of the files, in the Code's order."""
    stems = {path.stem for path in CASES.glob("*.toml")}
    return [number for number in folders() if number in stems]


def cases_of(number: str) -> list[Case]:
    """The chapter's cases in the order of the file; `ValueError` says which of them has wrong keys."""
    rows = tomllib.loads((CASES / f"{number}.toml").read_text(encoding="utf-8"))["case"]
    return [_case(number, place, row) for place, row in enumerate(rows, start=1)]


def _case(number: str, place: int, row: dict[str, Any]) -> Case:
    if wrong := (set(row) - _KNOWN) | (_REQUIRED - set(row)):
        raise ValueError(f"{number}.toml, case {place}: unknown or missing {', '.join(sorted(wrong))}")
    if row["legal"] is bool(row.get("refused_at")):
        raise ValueError(f"{number}.toml, case {place}: `refused_at` belongs to an illegal case, and to each")
    return Case(
        chapter=number,
        place=place,
        section=row["section"],
        why=row["why"],
        legal=row["legal"],
        refused_at=row.get("refused_at", ""),
        line=row.get("line", ""),
        changes=row.get("answers", {}),
        without=tuple(row.get("without", ())),
        complete=row.get("complete", False),
    )
