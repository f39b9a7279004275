"""The reference layout: everything that is required is on it, legible, apart from each other and within the page.

Not found here: answers that no seed draws; a drawing that is legal and ugly.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import pytest

from games.registry import chapter
from games.rules.drawings import load_drawing_style
from games.rules.model import Answers, Chapter
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.recognition.svg import read
from submissions.layouts.reference_drawing import areas
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.layouts.required_elements import NAME_OR_LOGO, NO_LICENSEE, ElementStatus, required_elements
from submissions.layouts.typeface import text_width
from tests.games.chapters.examples import example
from tests.submissions.layouts.drawn_shapes import Point, Polygon, are_apart, drawn_shapes, is_within, turned
from tests.submissions.layouts.filled import LEFT_TO_A_PERSON, NUMBERS, RANDOM_CONFIGURATIONS, alike, left_to_a_person
from tests.submissions.layouts.filled import drawn as by_lot

pytestmark = pytest.mark.proof
LICENSEE = "Keystone Riverside Casino & Hotel"
OUTLINED = ("area", "card_area", "device", "box")
CORNERS = {"diamond": 4, "hexagon": 6}
NUMBERS_IN_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven")
OPEN = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT)
SVG = "{http://www.w3.org/2000/svg}"
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


def texts(node: ET.Element, transforms: tuple[str, ...] = ()) -> Iterator[tuple[str, float, Corners]]:
    """Every line of text: its words, the size of its letters, the corners of what it covers."""
    here = (*transforms, node.get("transform", ""))
    if node.tag == f"{SVG}text":
        size, words = float(node.get("font-size", "0")), "".join(node.itertext())
        wide = text_width(words, size) + sum(float(part.get("dx", "0")) for part in node)
        left = float(node.get("x", "0")) - wide * {"middle": 0.5, "end": 1}.get(node.get("text-anchor", ""), 0)
        foot = float(node.get("y", "0"))
        corners = [(x, y) for x, y in ((left, -0.7), (left + wide, -0.7), (left + wide, 0.2), (left, 0.2))]
        placed = [(x, foot + share * size) for x, share in corners]
        for transform in reversed(here):
            placed = [turned(transform, point) for point in placed]
        yield words, size, (placed[0], placed[1], placed[2], placed[3])
    for child in node:
        yield from texts(child, here)


def no_words_cover_others(of: Drawing) -> None:
    found = list(texts(of.sheet))
    covered = [(a, b) for (a, _, here), (b, _, there) in combinations(found, 2) if not are_apart(here, there)]
    assert covered == []


def everything_is_within_the_page(of: Drawing) -> None:
    _, _, wide, high = (float(value) for value in of.sheet.get("viewBox", "").split())
    outside = [words for words, _, at in texts(of.sheet) for x, y in at if not (0 <= x <= wide and 0 <= y <= high)]
    assert outside == []


def no_words_run_out_of_their_shape(of: Drawing) -> None:
    """The first closed shape of an area, device or box is its outline; a single die has its name below it."""
    needed = required_elements(*of.case, licensee=LICENSEE)
    outlined = {one.key for one in needed if one.kind in OUTLINED and len(areas.dice_faces(one)) != 1}
    outlines: dict[int, Polygon] = {}
    outside = []
    for part in drawn_shapes(of.sheet):
        if not part.words:
            outlines.setdefault(part.group, part.polygon)
        elif part.name in outlined and part.group in outlines and not is_within(part.polygon, outlines[part.group]):
            outside.append((part.name, part.words))
    assert outside == []


def no_shape_or_words_cross_another_shape(of: Drawing) -> None:
    """What is in different groups is apart, or one within the other, such as a device in the tray."""
    parts = drawn_shapes(of.sheet)
    crossing = {
        (a.name, a.words, b.name, b.words)
        for a, b in combinations(parts, 2)
        if a.group != b.group
        and not (a.words and b.words)
        and math.dist(a.middle, b.middle) < a.reach + b.reach
        and not (are_apart(a.polygon, b.polygon) or is_within(a.polygon, b.polygon) or is_within(b.polygon, a.polygon))
    }
    assert sorted(crossing) == []


def every_wager_has_its_shape(of: Drawing) -> None:
    """A bonus wager's area differs in shape from the main wager's, without color or words."""
    style = load_drawing_style(of.case[0])
    for one in required_elements(*of.case, licensee=LICENSEE):
        nodes = [node for node in of.sheet.iter(f"{SVG}g") if node.get("data-element") == one.key]
        if one.kind == "area" and style.shapes.get(one.wager) in CORNERS and nodes[0][0].tag == f"{SVG}path":
            corners = {len(re.findall("[ML]", node[0].get("d", ""))) for node in nodes}
            assert corners == {CORNERS[style.shapes[one.wager]]}


def the_felt_bears_the_name_of_the_game_once(of: Drawing) -> None:
    names = [node for node in of.sheet.iter(f"{SVG}g") if node.get("data-inscription") == "game-name"]
    assert [" ".join(part.text or "" for part in node) for node in names] == [of.case[0].title]
    assert not names[0].get("data-element")


def card_spots_are_at_every_position_with_their_section(of: Drawing) -> None:
    positions = of.case[0].max_positions
    spots = {spot.citation: spot for spot in load_drawing_style(of.case[0]).spots if spot.place == "player"}
    nodes = [node for node in of.sheet.iter(f"{SVG}g") if (node.get("data-spot") or "").startswith("spot.player")]
    assert len(nodes) == len(spots) * positions
    for node in nodes:
        words = spots[node.get("data-citation", "")].element.split()
        assert NUMBERS_IN_WORDS[len(node.findall(f"{SVG}rect"))] == words[-2]


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
        "svg", "title", "desc", "style", "g", "rect", "circle", "path", "text", "tspan",
    }  # fmt: skip
    attributes = {name for node in of.sheet.iter() for name in node.attrib}
    assert not [name for name in attributes if "href" in name or name.startswith("on") or name == "style"]


def the_same_choices_are_drawn_alike(of: Drawing) -> None:
    assert of.svg == drawn(of.case)


def the_layout_passes_the_portals_own_inspection(of: Drawing) -> None:
    found = inspect(read(of.svg.encode()), required_elements(*of.case, licensee=LICENSEE), *of.case, licensee=LICENSEE)
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
    no_words_run_out_of_their_shape,
    no_shape_or_words_cross_another_shape,
    every_wager_has_its_shape,
    the_felt_bears_the_name_of_the_game_once,
    card_spots_are_at_every_position_with_their_section,
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
    assert all(are_apart(here, there) for (_, _, here), (_, _, there) in combinations(places, 2))


@pytest.mark.parametrize("number", NUMBERS)
def test_configurations_by_lot_pass_it_too(number: str) -> None:
    of = chapter(number)
    for seed in range(RANDOM_CONFIGURATIONS):
        answers = by_lot(number, seed)
        called_for = required_elements(of, answers, licensee=LICENSEE)
        found = inspect(read(drawn((of, answers)).encode()), called_for, of, answers, licensee=LICENSEE)
        assert (found.differences, found.of(*OPEN)) == ((), ()), seed
        assert left_to_a_person(found) == LEFT_TO_A_PERSON.get(number, set()), seed


@pytest.mark.parametrize("number", NUMBERS)
def test_layout_drawn_without_licensee_is_complete_without_licensee(number: str) -> None:
    """The words in place of the name count as the name, as `manage.py inspect_layout` has it."""
    of, none = chapter(number), {}
    needed = tuple(
        replace(one, suggested=NO_LICENSEE) if one.key == NAME_OR_LOGO else one for one in required_elements(of, none)
    )
    svg = layout_svg(of, none, licensee=NO_LICENSEE, caption=Caption("Draft", "November 22, 2026"))
    found = inspect(read(svg.encode()), needed, of, none, licensee=NO_LICENSEE)
    assert (found.differences, left_to_a_person(found)) == ((), LEFT_TO_A_PERSON.get(number, set()))
    assert found.complete == (number not in LEFT_TO_A_PERSON)
