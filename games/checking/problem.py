"""One thing that is missing or wrong in a chapter's folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    file: str  # "ch683a_cajun_stud/rules.toml"
    where: str  # the table and key in it
    problem: str  # what was met, and what is expected

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: {self.problem}"


def differing(file: str, where: str, met: Any, expected: Any) -> Iterator[Problem]:
    """A problem if the two are not equal."""
    if met != expected:
        yield Problem(file, where, f"{met!r}, but {expected!r} is expected")
