"""The reference layout of every chapter, drawn, read and inspected with one thing changed: just that is named.

That it is complete unchanged is tested with the drawing (`test_reference_drawing`).

Not found here: what goes wrong in drawings of other programs, or with two changes at once.
"""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from xml.sax.saxutils import escape

import pytest

from games.registry import chapter
from games.rules.model import Answers
from submissions.layouts.drawing_model import Drawing
from submissions.layouts.inspection.findings import DifferenceKind, Inspection
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.recognition import svg
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.layouts.required_elements import NAME_OR_LOGO, ElementStatus, RequiredElement, required_elements
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import NUMBERS

LICENSEE = "Keystone Riverside Casino & Hotel"
OPEN = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT)
MUST = ("area", "card_area", "inscription")
WITHOUT_ODDS = ("637a", "655a", "657a")  # on the layout
SVG = "{http://www.w3.org/2000/svg}"
ODDS = re.compile(r"([\d,]+) (to|for) (\d+)$")

pytestmark = pytest.mark.proof


def posted(number: str) -> Answers:
    return example(number, odds_posted="layout", limit_posted="layout")


@cache
def drawn(number: str) -> str:
    caption = Caption("Draft", "November 22, 2026")
    return layout_svg(chapter(number), posted(number), licensee=LICENSEE, caption=caption)


def needed(number: str, answers: Answers) -> tuple[RequiredElement, ...]:
    return required_elements(chapter(number), answers, licensee=LICENSEE)


def inspected(number: str, content: str) -> Inspection:
    answers = posted(number)
    drawing: Drawing = svg.read(content.encode())
    return inspect(drawing, needed(number, answers), chapter(number), answers, licensee=LICENSEE)


def result_parts(found: Inspection) -> tuple[bool, list[str], list[str]]:
    return found.complete, [one.required.key for one in found.of(*OPEN)], [one.message for one in found.differences]


def without(number: str, key: str) -> tuple[str, set[str]]:
    """The drawing without the element's first group, and what went with it."""
    root = ET.fromstring(drawn(number))  # noqa: S314
    for parent in root.iter():
        for child in list(parent):
            if child.get("data-element") == key:
                parent.remove(child)
                gone = {one.get("data-element", key) for one in child.iter()}
                return ET.tostring(root, encoding="unicode"), gone
    raise LookupError(key)


@pytest.mark.parametrize("number", NUMBERS)
def test_an_element_dropped_is_named_and_nothing_else(number: str) -> None:
    """With those that the same words are of; the name of the licensee stands in the drawing's caption as well."""
    must = [
        one for one in needed(number, posted(number)) if one.kind in MUST and one.phrases and one.key != NAME_OR_LOGO
    ]
    for dropped in random.Random(number).sample(must, min(2, len(must))):
        alike = {one.key for one in must if one.phrases == dropped.phrases}
        content, gone = without(number, dropped.key)
        complete, still_open, messages = result_parts(inspected(number, content))
        assert (complete, messages) == (False, [])
        assert alike <= set(still_open) <= alike | gone


def test_words_that_the_portal_suggests_are_for_a_person_where_they_are_dropped() -> None:
    """593 demands an inscription without giving its words: a person must judge whether others are there."""
    needed_593 = needed("593", posted("593"))
    (wordless,) = (one for one in needed_593 if one.kind == "inscription" and one.suggested and not one.phrases)
    found = inspected("593", without("593", wordless.key)[0])
    assert not found.complete
    assert wordless.key in {one.required.key for one in found.of(ElementStatus.TO_BE_JUDGED)}


@pytest.mark.parametrize("number", NUMBERS)
def test_one_odd_changed_is_named_and_nothing_else(number: str) -> None:
    root = ET.fromstring(drawn(number))  # noqa: S314
    printed = [part for part in root.iter() if part.text and ODDS.search(part.text) and "pays" not in part.text]
    if not printed:
        assert number in WITHOUT_ODDS
        return
    part = random.Random(number).choice(printed)
    part.text = ODDS.sub(lambda row: f"{int(row[1].replace(',', '')) + 1} {row[2]} {row[3]}", part.text or "")
    found = inspected(number, ET.tostring(root, encoding="unicode"))
    assert [one.kind for one in found.differences] == [DifferenceKind.DIFFERENT]
    assert part.text in found.differences[0].message
    assert [one.required.key for one in found.of(*OPEN)] == ["odds_on_layout"]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        (LICENSEE, "Keystone Riverside Casinos & Hotel"),
        (LICENSEE, "Keystone Riverside Casino & Hotels"),
        ("Resorts World Resort", "Resort World Resort"),
        ("Resorts World Resort", "Resorts World Resorts"),
        ("Grand Wager", "Grand Wagers"),
        ("Rivers Glass", "Rivers Glasss"),
    ],
)
@pytest.mark.parametrize("certainty", [1.0, 0.9])
def test_the_name_of_another_licensee_is_not_this_one(name: str, other: str, certainty: float) -> None:
    assert not with_name(name, other, certainty).complete


@pytest.mark.parametrize("printed", [LICENSEE, LICENSEE.upper(), LICENSEE.replace("&", "and"), f"{LICENSEE}\u2019s"])
def test_the_name_of_the_licensee_is_found(printed: str) -> None:
    assert with_name(LICENSEE, printed, 1.0).complete


def with_name(name: str, printed: str, certainty: float) -> Inspection:
    """The drawing of a licensee of that name with another one in its place; the certainty of its words."""
    content = drawn("590").replace(escape(LICENSEE), escape(printed))
    drawing: Drawing = svg.read(content.encode())
    drawing = replace(drawing, words=tuple(replace(word, certainty=certainty) for word in drawing.words))
    elements = required_elements(chapter("590"), posted("590"), licensee=name)
    return inspect(drawing, elements, chapter("590"), posted("590"), licensee=name)
