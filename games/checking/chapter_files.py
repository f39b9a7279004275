"""The files of a chapter's folder, the content of those in its `tests/`, and a problem found in one of them."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from games.registry import PLAY
from games.rules.files import ERRATA, GUIDE, LABELS, LAYOUT, PAYTABLES, RULES, TEXT
from games.rules.model import Chapter


@dataclass(frozen=True, slots=True)
class Problem:
    file: str  # "ch683a_cajun_stud/rules.toml"
    where: str  # the table and key in it
    problem: str  # what was met, and what is expected

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: {self.problem}"


def differing(file: str, where: str, met: Any, expected: Any) -> Iterator[Problem]:
    """Yield a problem if the two are not equal."""
    if met != expected:
        yield Problem(file, where, f"{met!r}, but {expected!r} is expected")


EXAMPLE, CASES, PRINTED, SECOND_READING = (
    "tests/example.json", "tests/cases.toml", "tests/printed.toml", "tests/second_reading.toml",
)  # fmt: skip
FILES = (TEXT, RULES, PAYTABLES, LAYOUT, LABELS, GUIDE, ERRATA, PLAY, EXAMPLE, CASES, PRINTED, SECOND_READING)
"""The files of every folder; `house_ways.toml` is asked for by the loader where the rules name a house way."""


@dataclass(frozen=True)
class ChapterFiles:
    """A chapter with its folder."""

    folder: Path
    chapter: Chapter

    def label(self, name: str) -> str:
        """Return the file as messages name it."""
        return f"{self.folder.name}/{name}"

    def example(self, **changes: Any) -> dict[str, Any]:
        """Return the example's answers with these changes; None takes an answer away."""
        answers = {**self._example, **changes}
        return {key: answer for key, answer in answers.items() if answer is not None}

    @cached_property
    def cases(self) -> dict[str, Any]:
        """Requirement without the chapter's number → the answers that break it and those that meet it."""
        return {name: case for name, case in self._toml(CASES).items() if name != "attempt"}

    @cached_property
    def attempts(self) -> list[dict[str, Any]]:
        """Possible attempts of a licensee, and the words that refuse them."""
        return list(self._toml(CASES).get("attempt", []))

    @cached_property
    def printed(self) -> dict[str, Any]:
        """Content of the printed source."""
        return self._toml(PRINTED)

    @cached_property
    def second_reading(self) -> dict[str, Any]:
        """Wager and name of each paytable → its cells as read a second time."""
        return self._toml(SECOND_READING)

    @cached_property
    def _example(self) -> Mapping[str, Any]:
        answers: dict[str, Any] = json.loads((self.folder / EXAMPLE).read_text("utf-8"))
        return answers

    def _toml(self, name: str) -> dict[str, Any]:
        return tomllib.loads((self.folder / name).read_text("utf-8"))
