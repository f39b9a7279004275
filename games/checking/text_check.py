"""The chapter's text: all of its sections, entered; every section that the data name in words exists."""

import re
from collections.abc import Iterator, Mapping

from games.checking.chapter_files import PRINTED, ChapterFiles
from games.checking.problem import Problem, differing
from games.registry import chapter_or_none
from games.rules.loading.files import LAYOUT, MISSING_TEXT, RULES, TEXT
from games.rules.missing_text import is_missing
from games.rules.model import Chapter

TO_BE_ENTERED = "[To be entered]"
_CITED = re.compile(r"§§? ?(\d+[a-z]?)(\.\d+(?:\([a-zA-Z0-9]+\)(?:\[\d\])?)*)")


def check_text(files: ChapterFiles) -> Iterator[Problem]:
    chapter, label = files.chapter, files.label(TEXT)
    own = {name: text for name, text in chapter.sections.items() if re.fullmatch(rf"§ {chapter.number}\.\d+", name)}
    expected = [f"§ {chapter.number}.{section}" for section in range(1, files.printed["sections"] + 1)]
    yield from differing(label, "sections", list(own), expected)
    for name, text in own.items():
        if TO_BE_ENTERED in text:
            yield Problem(label, name, f"is still to be entered; take out {TO_BE_ENTERED} when it is the chapter's own")
    for name, words in files.printed.get("begins", {}).items():
        if not chapter.sections.get(name, "").startswith(words):
            yield Problem(label, name, f"does not begin with {words!r}, as {files.label(PRINTED)} has it")
    for file, where, words in _words(chapter):
        for section in missing_sections(chapter, words):
            yield Problem(files.label(file), where, f"names {section}, which does not exist")
    yield from _missing_text(files)
    if chapter.complete == bool(chapter.missing):
        yield Problem(files.label(RULES), "`missing`", "says what the text lacks only if `complete` is false")


def _missing_text(files: ChapterFiles) -> Iterator[Problem]:
    """The rows of `missing_text.toml` that would refuse nothing."""
    chapter, lines = files.chapter, {option.key for option in files.chapter.options}
    for row in chapter.missing_text:
        for section in row.sections:
            if not is_missing(chapter, section):
                problem = f"{section} has no paragraph in square brackets in {TEXT}: nothing of it is missing"
                yield Problem(files.label(MISSING_TEXT), f"`{row.what}`", problem)
        for key in sorted(row.when.options() - lines):
            yield Problem(
                files.label(MISSING_TEXT), f"`{row.what}`", f"`when` names the option `{key}`, which does not exist"
            )


def missing_sections(chapter: Chapter, words: str) -> Iterator[str]:
    """The sections that the words name and that do not exist."""
    for number, rest in _CITED.findall(words):
        if f"§ {number}{rest}" not in _sections(chapter, number):
            yield f"§ {number}{rest}"


def _sections(chapter: Chapter, number: str) -> Mapping[str, str]:
    """Those of the chapter that is cited; the general provisions stand beside each chapter's own."""
    cited = None if number == chapter.number else chapter_or_none(number)
    return (cited or chapter).sections


def _words(chapter: Chapter) -> Iterator[tuple[str, str, str]]:
    """File, place and words of all that names sections in sentences."""
    for option in chapter.options:
        yield RULES, f"option `{option.key}`", f"{option.help} {option.question}"
    for wager in chapter.wagers:
        yield RULES, f"wager `{wager.key}`", wager.size
    for requirement in chapter.requirements:
        yield RULES, f"requirement `{requirement.id}`", f"{requirement.message} {requirement.fix}"
    for reading in chapter.readings:
        yield RULES, f"reading `{reading.id}`", f"{reading.reading} {reading.evidence}"
    for element in chapter.layout:
        yield LAYOUT, f"element `{element.key}`", element.element
