"""What is remembered is that of exactly these answers and this chapter."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from games.registry import chapter
from games.rules.model import Answers, Chapter
from submissions.core.caches import remembered

DAY = date(2026, 9, 1)


def test_result_is_that_of_these_answers_and_this_chapter() -> None:
    asked: list[tuple[Chapter, Answers]] = []

    @remembered
    def number_of(chapter: Chapter, answers: Answers) -> int:
        asked.append((chapter, answers))
        return len(asked)

    rules = chapter("585", DAY)
    changed, answers = replace(rules, title="Another"), {"a": True, "b": 1}
    questions: list[tuple[Chapter, Answers]] = [
        (rules, answers),
        (rules, {"a": True, "b": "1"}),
        (rules, {"a": 1, "b": 1}),
        (changed, answers),
    ]
    assert [number_of(*question) for question in questions] == [1, 2, 3, 4]
    assert number_of(chapter("585", DAY), {"b": 1, "a": True}) == 1
    assert number_of(replace(rules), answers) == 5  # equal, but another object: worked out again
    assert asked[:4] == questions


def test_failure_is_not_remembered() -> None:
    @remembered
    def fails(chapter: Chapter, answers: Answers) -> None:
        raise LookupError(chapter.number)

    for _ in range(2):
        with pytest.raises(LookupError, match="585"):
            fails(chapter("585", DAY), {})
