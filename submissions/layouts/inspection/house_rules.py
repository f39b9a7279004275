"""Rules of play that a drawing prints, compared with the chapter and the answers (`house_rules.toml`).

A rule that agrees says nothing new. One that does not is a difference. One on which nothing was answered is neither:
the words are then among those that a person decides.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.rules.citations import cite
from games.rules.evaluate import effective
from games.rules.model import Answers, Chapter
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind
from submissions.layouts.inspection.phrases import TokenPlace, Trail, find_phrase, place_of, token_places
from submissions.layouts.inspection.sentences import printed_text
from submissions.layouts.inspection.tokens import phrase

_FILE = Path(__file__).with_name("house_rules.toml")
_STOPS = (".", ";", "•", "|")
_NUMBER = "<number>"
_NUMBERS = range(2, 10)  # that a rule may print
Right = bool | int | None  # whether a rule is right, or its right number; None if nothing was answered


@dataclass(frozen=True, slots=True)
class HouseRules:
    """`agreeing`: the words of rules that are right; `segments`: those of the differences."""

    agreeing: frozenset[TokenPlace]
    differences: tuple[Difference, ...]
    segments: frozenset[int]


def compare_house_rules(sheet: DrawingText, chapter: Chapter, answers: Answers) -> HouseRules:
    counted = effective(chapter, answers)
    agreeing: set[TokenPlace] = set()
    differences: list[Difference] = []
    segments: set[int] = set()
    for rule in _rules():
        if chapter.number not in rule["in"]:
            continue
        row = rule["in"][chapter.number]
        right, citation = _right(row, counted), cite(row["at"], chapter.number)
        for trail, number in _printed(sheet, rule) if right is not None else ():
            if right == number:
                agreeing |= set(token_places(trail))
            else:
                differences.append(_difference(sheet, trail, row.get("law", rule["law"]).format(right), citation))
                segments |= {span.segment for span in trail}
    return HouseRules(frozenset(agreeing), tuple(differences), frozenset(segments))


def _right(row: Mapping[str, Any], answers: Answers) -> Right:
    if "option" not in row:
        right: bool | int = row["is"]
        return right
    answer = answers.get(row["option"])
    if isinstance(answer, bool) or not isinstance(answer, int):
        return answer if isinstance(answer, bool) else None
    return answer + int(row.get("plus", 0))


def _printed(sheet: DrawingText, rule: Mapping[str, Any]) -> Iterator[tuple[Trail, Right]]:
    """Where the rule stands as a sentence of its own, with its number, or True for one without."""
    numbers: dict[tuple[str, ...], Right] = {
        phrase(words.replace(_NUMBER, str(number))): number
        for words in rule["words"]
        for number in (_NUMBERS if _NUMBER in words else (True,))
    }
    printed = {trail: number for need, number in numbers.items() for trail in find_phrase(sheet, need)}
    yield from ((trail, number) for trail, number in printed.items() if _is_alone(sheet, trail))


def _is_alone(sheet: DrawingText, trail: Trail) -> bool:
    """Whether no other word is in its sentence."""
    for place, span in enumerate(trail):
        line = sheet.segments[span.segment].tokens
        begins = span.begin == 0 or (place == 0 and line[span.begin - 1].word.text.endswith(_STOPS))
        last = place == len(trail) - 1
        if not begins or not (span.end == len(line) or (last and line[span.end - 1].word.text.endswith(_STOPS))):
            return False
    return not _continued(sheet, trail)


def _continued(sheet: DrawingText, trail: Trail) -> bool:
    """Whether its sentence begins in the line above, or goes on in the line below: “No surrender, / after a split”."""
    first, last = trail[0], trail[-1]
    whole = last.end == len(sheet.segments[last.segment].tokens)
    above = [line for line, under in sheet.below.items() if under == first.segment and not first.begin]
    below = [sheet.below[last.segment]] if whole and last.segment in sheet.below else []
    pairs = [*((line, first.segment) for line in above), *((last.segment, line) for line in below)]
    return any(_goes_on(sheet.text(line), sheet.text(after)) for line, after in pairs)


def _goes_on(line: str, after: str) -> bool:
    return line.endswith((",", ":")) or (not line.endswith(_STOPS) and after[:1].islower())


def _difference(sheet: DrawingText, trail: Trail, law: str, citation: str) -> Difference:
    message = f"“{printed_text(sheet, token_places(trail)).strip(' .,;')}” is printed; {law}"
    return Difference(DifferenceKind.CONTRADICTS, message, citation, "", place_of(sheet, trail))


@cache
def _rules() -> tuple[Mapping[str, Any], ...]:
    return tuple(tomllib.loads(_FILE.read_text(encoding="utf-8"))["rule"])
