"""Random configurations that nothing blocks: the chapter's example, changed line by line as long as it stays legal.

A change that calls for further lines answers them too; one that something blocks is taken back. Lines that take a file
keep the example's. Nothing here computes a figure.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from games.registry import chapter as chapter_of
from games.rules.evaluate import effective, judge
from games.rules.model import Chapter, Option
from tests.games.chapters.examples import example

ROUNDS = 6  # calls for further lines, which may call for others
TRIES = 50  # for each configuration
CHANGED = 0.5  # of the lines
TEXTS = (
    "As the floor does: {} of them.",
    "Approved on March {}, 2026 (601a.10).",
    "The red button & the “puck”, no. {}.",
)
COUNTS = (0, 1, 2, 3, 4, 6, 8)
AMOUNTS = ("1.00", "5.00", "10.00", "250.00", "5000.00", "25000.00", "75000.00", "150000.00", "1000000.00")
PERCENTS = ("1", "2.5", "10", "18", "20", "28", "33.333333")
TABLES = ("1-4", "5, 7-9", "12", "BJ-1")

Answers = dict[str, Any]


def legal_answers(number: str, seed: int) -> Answers:
    """The answers that would be filed; the same for the same seed."""
    chance, chapter = random.Random(f"one truth {number} {seed}"), chapter_of(number)
    answers = dict(effective(chapter, example(number)))
    lines = [option for option in chapter.options if option.kind != "attachment"]
    for option in chance.sample(lines, len(lines)):
        if chance.random() < CHANGED:
            answers = _changed(chance, chapter, answers, option) or answers
    return answers


def legal_configurations(number: str, count: int, *, most_figures: int) -> list[Answers]:
    """So many different ones; the first is the chapter's own example. At most so many sets of answers that change
    figures: further ones are left out.
    """
    chapter = chapter_of(number)
    found = [dict(effective(chapter, example(number)))]
    figures = [_that_change_figures(chapter, found[0])]
    for seed in range(TRIES * count):
        if len(found) == count:
            break
        answers = legal_answers(number, seed)
        relevant = _that_change_figures(chapter, answers)
        if answers not in found and (relevant in figures or len(figures) < most_figures):
            found.append(answers)
            figures += [relevant] if relevant not in figures else []
    return found


def _that_change_figures(chapter: Chapter, answers: Answers) -> Answers:
    return {option.key: answers.get(option.key) for option in chapter.options if option.changes_figures}


def _changed(chance: random.Random, chapter: Chapter, answers: Answers, option: Option) -> Answers | None:
    """The answers with another one to this line, and with what it calls for; None if that is not legal."""
    changed = {**answers, option.key: chance.choice(list(_possible(chance, chapter, option)))}
    for _ in range(ROUNDS):
        blocking = judge(chapter, changed).blocking
        if not blocking:
            return dict(effective(chapter, changed))
        unanswered = {finding.options[0] for finding in blocking if finding.unanswered}
        if not unanswered:
            return None
        for key in sorted(unanswered):
            changed[key] = chance.choice(list(_possible(chance, chapter, chapter.option(key))))
    return None


def _possible(chance: random.Random, chapter: Chapter, option: Option) -> Iterator[object]:
    """Answers that the line might take; what its limits refuse is found by judging."""
    if option.kind == "yes_no":
        yield from (True, False)
    elif option.kind == "choice":
        yield from (choice.value for choice in option.choices)
    elif option.kind == "paytable":
        yield from (table.name for table in chapter.tables_of(option.wager))
    elif option.kind == "text":
        tables = option.limits.format == "tables"
        yield from TABLES if tables else (text.format(chance.randint(1, 28)) for text in TEXTS)
    elif option.kind == "percent":
        yield from PERCENTS
    else:
        edges = {edge for edge in (option.limits.at_least, option.limits.at_most) if edge is not None}
        yield from _numbers(option, edges)


def _numbers(option: Option, edges: set[Decimal]) -> Iterator[object]:
    if option.kind == "count":
        yield from sorted({*COUNTS, *(int(edge) for edge in edges)})
    else:
        yield from AMOUNTS
