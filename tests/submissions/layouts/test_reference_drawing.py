"""The reference layout: everything that is required is on it, legible, apart from each other and within the page."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import pytest

from games.registry import chapter
from games.rules.model import Answers, Chapter
from submissions.layouts.element_status import ElementStatus
from submissions.layouts.inspection import inspect
from submissions.layouts.recognition.svg import read
from submissions.layouts.reference_drawing import Caption, layout_svg
from submissions.layouts.reference_drawing.text_fitting import width
from submissions.layouts.required_elements import required_elements
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import LEFT_TO_A_PERSON, NUMBERS, RANDOM_CONFIGURATIONS, alike, left_to_a_person
from tests.submissions.layouts.filled import drawn as by_lot

LICENSEE = "Keystone Riverside Casino & Hotel"
OPEN = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT)
SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Case = tuple[Chapter, Answers]


ANSWERS: dict[str, Callable[[str], Answers]] = {
    "all on": lambda number: {**alike(number, True), "odds_posted": "layout", "limit_posted": "layout"},
    "all off": lambda number: {**alike(number, False), "odds_posted": "sign"},
    "example": example,
    "random": lambda number: by_lot(number, 1),
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A layout as it is drawn, once for all that is asked of it."""

    case: Case
    svg: str
    sheet: ET.Element


def drawn(case: Case, positions: int = 0) -> str:
    caption = Caption("Draft", "November 22, 2026")
    return layout_svg(*case, licensee=LICENSEE, caption=caption, positions=positions)


def turned(transform: str, point: Point) -> Point:
    """The point as `translate(…)` and `rotate(…)` put it, the last first."""
    x, y = point
    for name, inside in reversed(re.findall(r"(translate|rotate)\(([^)]*)\)", transform)):
        values = [float(value) for value in inside.split()]
        if name == "translate":
            x, y = x + values[0], y + values[1]
        else:
            turn = math.radians(values[0])
            x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    return x, y


def texts(node: ET.Element, transforms: tuple[str, ...] = ()) -> Iterator[tuple[str, float, Corners]]:
    """Every line of text: its words, the size of its letters, the corners of what it covers."""
    here = (*transforms, node.get("transform", ""))
    if node.tag == f"{SVG}text":
        size, words = float(node.get("font-size", "0")), "".join(node.itertext())
        wide = width(words, size) + sum(float(part.get("dx", "0")) for part in node)
        left = float(node.get("x", "0")) - wide * {"middle": 0.5, "end": 1}.get(node.get("text-anchor", ""), 0)
        foot = float(node.get("y", "0"))
        corners = [(x, y) for x, y in ((left, -0.7), (left + wide, -0.7), (left + wide, 0.2), (left, 0.2))]
        placed = [(x, foot + share * size) for x, share in corners]
        for transform in reversed(here):
            placed = [turned(transform, point) for point in placed]
        yield words, size, (placed[0], placed[1], placed[2], placed[3])
    for child in node:
        yield from texts(child, here)


def apart(one: Corners, other: Corners) -> bool:
    """Whether a straight line along one of their sides lies between them."""
    for corners in (one, other):
        for first, second in ((0, 1), (1, 2)):
            across = (corners[first][1] - corners[second][1], corners[second][0] - corners[first][0])
            here, there = ([x * across[0] + y * across[1] for x, y in each] for each in (one, other))
            if max(here) <= min(there) or max(there) <= min(here):
                return True
    return False


def no_words_cover_others(of: Drawing) -> None:
    found = list(texts(of.sheet))
    covered = [(a, b) for (a, _, here), (b, _, there) in combinations(found, 2) if not apart(here, there)]
    assert covered == []


def everything_is_within_the_page(of: Drawing) -> None:
    _, _, wide, high = (float(value) for value in of.sheet.get("viewBox", "").split())
    outside = [words for words, _, at in texts(of.sheet) for x, y in at if not (0 <= x <= wide and 0 <= y <= high)]
    assert outside == []


def no_letters_are_smaller_than_six_millimetres(of: Drawing) -> None:
    assert min(size for _, size, _ in texts(of.sheet)) >= 6


def every_element_is_there_as_often_as_it_must_be(of: Drawing) -> None:
    needed = required_elements(*of.case, licensee=LICENSEE)
    groups = [node.get("data-element") for node in of.sheet.iter(f"{SVG}g") if node.get("data-element")]
    counted = {one.key: groups.count(one.key) for one in needed}
    assert counted == {one.key: 1 if one.kind == "position" else one.times for one in needed}
    assert set(groups) == set(counted)


def every_element_bears_its_words_and_section(of: Drawing) -> None:
    for one in required_elements(*of.case, licensee=LICENSEE):
        for node in of.sheet.iter(f"{SVG}g"):
            if node.get("data-element") == one.key:
                assert node.get("data-citation") == one.citation
                said = " ".join(" ".join("".join(part.itertext()) for part in node.iter(f"{SVG}text")).split())
                if one.phrases and one.kind != "sign":
                    assert one.phrases[0] in said.replace("- ", "-").replace(" -", " - ")
                if one.kind == "inscription":
                    assert all(words in said for odds in one.odds for row in odds.rows for words in row)


def what_is_drawn_acts_and_fetches_nothing(of: Drawing) -> None:
    assert of.sheet.get("role") == "img"
    assert of.sheet.findtext(f"{SVG}title")
    assert {node.tag.removeprefix(SVG) for node in of.sheet.iter()} <= {
        "svg", "title", "desc", "g", "rect", "circle", "path", "text", "tspan",
    }  # fmt: skip
    attributes = {name for node in of.sheet.iter() for name in node.attrib}
    assert not [name for name in attributes if "href" in name or name.startswith("on") or name == "style"]


def the_same_choices_are_drawn_alike(of: Drawing) -> None:
    assert of.svg == drawn(of.case)


def the_layout_passes_the_portals_own_inspection(of: Drawing) -> None:
    found = inspect(read(of.svg.encode()), required_elements(*of.case, licensee=LICENSEE), *of.case)
    assert [one.message for one in found.differences] == []
    assert [one.required.key for one in found.of(*OPEN)] == []
    assert left_to_a_person(found) == LEFT_TO_A_PERSON.get(of.case[0].number, set())
    assert found.complete == (of.case[0].number not in LEFT_TO_A_PERSON)


def drop_and_tip_box_are_at_opposite_ends(of: Drawing) -> None:
    at = {words: corners[0][0] for words, _, corners in texts(of.sheet) if words in ("Drop box", "Tip box", "Dealer")}
    assert at["Drop box"] < at["Dealer"] < at["Tip box"]


PROPERTIES: tuple[Callable[[Drawing], None], ...] = (
    no_words_cover_others,
    everything_is_within_the_page,
    no_letters_are_smaller_than_six_millimetres,
    every_element_is_there_as_often_as_it_must_be,
    every_element_bears_its_words_and_section,
    what_is_drawn_acts_and_fetches_nothing,
    the_same_choices_are_drawn_alike,
    the_layout_passes_the_portals_own_inspection,
    drop_and_tip_box_are_at_opposite_ends,
)


@pytest.mark.parametrize("answers", ANSWERS)
@pytest.mark.parametrize("number", NUMBERS)
def test_layout_has_every_property(number: str, answers: str, subtests: pytest.Subtests) -> None:
    case = (chapter(number), ANSWERS[answers](number))
    svg = drawn(case)
    drawing = Drawing(case, svg, ET.fromstring(svg))  # noqa: S314
    for has_property in PROPERTIES:
        with subtests.test(has_property.__name__):
            has_property(drawing)


@pytest.mark.parametrize("positions", [1, 2, 4])
def test_fewer_positions_than_the_chapter_allows(positions: int) -> None:
    found = ET.fromstring(drawn((chapter("682a"), {}), positions=positions))  # noqa: S314
    areas = [node for node in found.iter(f"{SVG}g") if node.get("data-element") == "ante_area"]
    assert len(areas) == positions
    places = list(texts(found))
    assert all(apart(here, there) for (_, _, here), (_, _, there) in combinations(places, 2))


@pytest.mark.parametrize("number", NUMBERS)
def test_configurations_by_lot_pass_it_too(number: str) -> None:
    of = chapter(number)
    for seed in range(RANDOM_CONFIGURATIONS):
        answers = by_lot(number, seed)
        found = inspect(
            read(drawn((of, answers)).encode()), required_elements(of, answers, licensee=LICENSEE), of, answers
        )
        assert (found.differences, found.of(*OPEN)) == ((), ()), seed
        assert left_to_a_person(found) == LEFT_TO_A_PERSON.get(number, set()), seed
