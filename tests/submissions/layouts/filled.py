"""Configurations to derive layouts from: the example of each chapter, and that example with lines answered anew."""

from __future__ import annotations

import random

from games.registry import chapter, folders
from games.rules.evaluate import judge
from games.rules.model import Answer, Answers, Chapter, Option
from submissions.layouts.inspection.findings import Inspection
from tests.games.chapters.examples import example
from tests.soak import SOAK

NUMBERS = tuple(folders())
WITH_GUIDE = tuple(number for number in NUMBERS if number not in ("655a", "657a"))  # their texts are not at hand
LEFT_TO_A_PERSON = {"585": {"betting_positions", "wagers_area"}, "637a": {"poker_table"}}
"""Elements without words, of which there is no number of areas either: no inspection can find them."""
RANDOM_CONFIGURATIONS = 20 if SOAK else 2  # of each chapter; `make soak` takes them all


def left_to_a_person(inspection: Inspection) -> set[str]:
    return {finding.required.key for finding in inspection.to_be_judged}


def alike(number: str, answer: bool) -> Answers:
    """Every yes-or-no line answered alike, all others with the example's answer or the first that there is."""
    found = chapter(number)
    return {option.key: _answer(found, option, example(number), answer) for option in found.options}


def drawn(number: str, seed: int) -> Answers:
    """Answers by lot; in the lines of text and numbers, those of the example."""
    found, chance = chapter(number), random.Random(f"{number} {seed}")
    return {
        option.key: chance.choice(possible)
        if (possible := _possible(found, option))
        else example(number).get(option.key)
        for option in found.options
    }


def legal(number: str, seed: int) -> Answers:
    """Answers that nothing blocks: the example, with each answer drawn at random that can be filed beside the others.

    Twice through the lines, in random order: what one answer blocks may be possible once the others are taken.
    """
    found, wanted = chapter(number), drawn(number, seed)
    order = random.Random(f"{number} {seed}").sample(sorted(wanted), len(wanted))
    answers = example(number)
    for key in order * 2:
        changed = _asked_only(found, {**answers, key: wanted[key]}, {**alike(number, True), **wanted})
        if not judge(found, changed).blocking:
            answers = changed
    return answers


def _asked_only(chapter: Chapter, answers: Answers, others: Answers) -> Answers:
    """The answers to the lines that they ask; a line that they newly ask is answered as in the others."""
    for _ in range(4):  # lines hang on lines that hang on lines
        asked = judge(chapter, answers).asked_keys
        answers = {key: answers[key] if key in answers else others.get(key) for key in asked}
    return {key: answer for key, answer in answers.items() if answer is not None}


def _answer(chapter: Chapter, option: Option, given: Answers, answer: bool) -> Answer:
    if option.kind == "yes_no":
        return answer
    possible = _possible(chapter, option)
    return given.get(option.key) or (possible[0] if possible else "75000.00" if option.kind == "money" else None)


def _possible(chapter: Chapter, option: Option) -> list[Answer]:
    if option.kind == "yes_no":
        return [True, False]
    if option.kind == "paytable":
        return [table.name for table in chapter.tables_of(option.wager)]
    return [choice.value for choice in option.choices]
