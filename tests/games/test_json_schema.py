"""The JSON Schema of each chapter: what can be filed validates, and what the parser of answers refuses does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.registry import chapter as chapter_of
from games.registry import folders
from games.rules.answers import fault
from games.rules.evaluate import asked_lines, effective, judge, sound_answers
from games.rules.export import answers_schema, line_schema
from games.rules.model import Chapter
from tests.games.chapters.examples import example
from tests.games.worst_configurations import DEALT, worst_answers

CHAPTERS = tuple(folders())
POOL: tuple[object, ...] = (
    True, False, 0, 1, 2, 3, 6, 7, 16, 17, 94, 95, 99, 100, -1, 2**40, 10**9, 10**9 + 1, 1.5, [], {}, "", "x", "3",
    "7-9",
    "5000.00", "0", "0.00", "0.01", "00.1", "0.005", "0.009999", "-5.00", "1e9", "1,00", "1000000000", "1000000000.00",
    "1000000000.01", "001000000000", "2000000000", "999999999.99", "100", "100.0", "100.000001", "99.9", "101", "2.5",
    "2.5000001", "9999", "a lot", "None", "n/a", "N. A.", "t.b.d.", "pending", "—", "...", "As the floor does.",
    "two\nlines", "BJ-4, 12", "one\x00two", "zero\u200bwidth", "x" * 2_001, "layout", "DJWT-05", "Paytable A",
    {"sha256": "0" * 64, "name": "a.pdf", "size": 1}, {"sha256": "0" * 63, "name": "a.pdf", "size": 1},
    {"sha256": "0" * 64, "name": "a/b.pdf", "size": 1}, {"sha256": "0" * 64, "name": "a.pdf", "size": 0},
)  # fmt: skip
UNSAID = {"not-tables", "names-nothing"}  # as the module says: judging decides


@pytest.fixture(params=CHAPTERS)
def chapter(request: pytest.FixtureRequest) -> Chapter:
    return chapter_of(request.param)


def problems(chapter: Chapter, answers: dict[str, Any]) -> list[str]:
    return [error.message for error in Draft202012Validator(answers_schema(chapter)).iter_errors(answers)]


def test_schema_and_its_examples_are_valid(chapter: Chapter) -> None:
    schema = answers_schema(chapter)
    Draft202012Validator.check_schema(schema)
    assert [problems(chapter, each) for each in schema["examples"]] == [[]]
    assert list(schema["properties"]) == [option.key for option in chapter.options]


def test_what_can_be_filed_validates(chapter: Chapter) -> None:
    answers = effective(chapter, example(chapter.number))
    assert not judge(chapter, answers).blocking
    assert problems(chapter, dict(answers)) == []


@pytest.mark.parametrize("number", DEALT)
def test_worst_filings_validate(number: str) -> None:
    chapter = chapter_of(number)
    assert problems(chapter, dict(effective(chapter, worst_answers(number)))) == []


def test_line_takes_what_the_parser_takes(chapter: Chapter) -> None:
    """Each line and each answer of the pool, alone: neither is more generous than the other."""
    wrong = []
    for option in chapter.options:
        validator = Draft202012Validator(line_schema(chapter, option))
        allowed = {table.name for table in chapter.tables_of(option.wager)} | {c.value for c in option.choices}
        for answer in (*POOL, *allowed):
            found = fault(chapter, option, answer)
            blank = isinstance(answer, str) and not answer.strip()  # not an answer: it is left out
            refused = blank or found is not None
            if found and found.rule in UNSAID:
                continue
            if validator.is_valid(answer) == refused:
                wrong.append((option.key, option.kind, answer, found and found.message))
    assert wrong == []


def test_lines_that_must_be_answered_are_those_that_are_asked(chapter: Chapter) -> None:
    """The example without one answer: the schema misses exactly the lines that judging misses."""
    schema = Draft202012Validator(answers_schema(chapter))
    whole = dict(effective(chapter, example(chapter.number)))
    for key, answers in [("", whole), *without_one(chapter, whole)]:
        judged = {finding.options[0] for finding in judge(chapter, answers).findings if finding.unanswered}
        missing = {error.message.split("'")[1] for error in leaves(schema.iter_errors(answers))}
        assert missing == judged, key


def without_one(chapter: Chapter, whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Without each answer, and with each yes turned into no and each no into yes."""
    for key, answer in whole.items():
        yield key, {other: given for other, given in whole.items() if other != key}
        if isinstance(answer, bool):
            changed = {**whole, key: not answer}
            asked = asked_lines(chapter, sound_answers(chapter, changed))
            yield key, {other: given for other, given in changed.items() if other in asked}


def leaves(errors: Any) -> Iterator[Any]:
    for error in errors:
        assert error.validator == "required", error.message
        yield error
