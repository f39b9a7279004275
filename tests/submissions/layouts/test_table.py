"""The reference layout: everything that is required is on it, legible, apart from each other and within the page."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations

import pytest

from games.rules.model import Answers, Chapter
from games.rules.registry import chapter
from submissions.layouts.inspection import State, inspect
from submissions.layouts.reading.svg import read
from submissions.layouts.required import required
from submissions.layouts.table import Caption, layout_svg
from submissions.layouts.table.words import width
from tests.submissions.layouts.filled import LOTS, NUMBERS, alike, example
from tests.submissions.layouts.filled import drawn as by_lot

LICENSEE = "Keystone Riverside Casino & Hotel"
SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Case = tuple[Chapter, Answers]


def cases() -> Iterator[Case]:
    for number in NUMBERS:
        of = chapter(number)
        yield of, {**alike(number, True), "odds_posted": "layout", "limit_posted": "layout"}
        yield of, {**alike(number, False), "odds_posted": "sign"}
        yield of, example(number)
        yield of, by_lot(number, 1)


NAMES = [f"{number}-{what}" for number in NUMBERS for what in ("all on", "all off", "example", "by lot")]


@pytest.fixture(params=list(cases()), ids=NAMES, scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(scope="module")
def sheet(case: Case) -> ET.Element:
    return ET.fromstring(drawn(case))  # noqa: S314


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


def test_no_words_cover_others(sheet: ET.Element) -> None:
    found = list(texts(sheet))
    covered = [(a, b) for (a, _, here), (b, _, there) in combinations(found, 2) if not apart(here, there)]
    assert covered == []


def test_everything_is_within_the_page(sheet: ET.Element) -> None:
    _, _, wide, high = (float(value) for value in sheet.get("viewBox", "").split())
    outside = [words for words, _, at in texts(sheet) for x, y in at if not (0 <= x <= wide and 0 <= y <= high)]
    assert outside == []


def test_no_letters_are_smaller_than_six_millimetres(sheet: ET.Element) -> None:
    assert min(size for _, size, _ in texts(sheet)) >= 6


def test_every_element_is_there_as_often_as_it_must_be(case: Case, sheet: ET.Element) -> None:
    needed = required(*case, licensee=LICENSEE)
    groups = [node.get("data-element") for node in sheet.iter(f"{SVG}g") if node.get("data-element")]
    counted = {one.key: groups.count(one.key) for one in needed}
    assert counted == {one.key: 1 if one.kind == "position" else one.times for one in needed}
    assert set(groups) == set(counted)


def test_every_element_bears_its_words_and_section(case: Case, sheet: ET.Element) -> None:
    for one in required(*case, licensee=LICENSEE):
        for node in sheet.iter(f"{SVG}g"):
            if node.get("data-element") == one.key:
                assert node.get("data-citation") == one.citation
                said = " ".join(" ".join("".join(part.itertext()) for part in node.iter(f"{SVG}text")).split())
                if one.phrases and one.kind != "sign":
                    assert one.phrases[0] in said.replace("- ", "-").replace(" -", " - ")
                if one.kind == "inscription":
                    assert all(words in said for odds in one.odds for row in odds.rows for words in row)


def test_what_is_drawn_acts_and_fetches_nothing(sheet: ET.Element) -> None:
    assert sheet.get("role") == "img"
    assert sheet.findtext(f"{SVG}title")
    assert {node.tag.removeprefix(SVG) for node in sheet.iter()} <= {
        "svg", "title", "desc", "g", "rect", "circle", "path", "text", "tspan",
    }  # fmt: skip
    attributes = {name for node in sheet.iter() for name in node.attrib}
    assert not [name for name in attributes if "href" in name or name.startswith("on") or name == "style"]


def test_the_same_choices_are_drawn_alike(case: Case) -> None:
    assert drawn(case) == drawn(case)


@pytest.mark.parametrize("positions", [1, 2, 4])
def test_fewer_positions_than_the_chapter_allows(positions: int) -> None:
    found = ET.fromstring(drawn((chapter("682a"), {}), positions=positions))  # noqa: S314
    areas = [node for node in found.iter(f"{SVG}g") if node.get("data-element") == "ante_area"]
    assert len(areas) == positions
    places = list(texts(found))
    assert all(apart(here, there) for (_, _, here), (_, _, there) in combinations(places, 2))


def test_the_layout_passes_the_portals_own_inspection(case: Case) -> None:
    found = inspect(read(drawn(case).encode()), required(*case, licensee=LICENSEE), *case)
    assert [one.message for one in found.differences] == []
    assert [one.required.key for one in found.of(State.MISSING, State.TOO_FEW, State.DIFFERENT)] == []
    assert found.complete


@pytest.mark.parametrize("number", NUMBERS)
def test_configurations_by_lot_pass_it_too(number: str) -> None:
    of = chapter(number)
    for seed in range(LOTS):
        answers = by_lot(number, seed)
        found = inspect(read(drawn((of, answers)).encode()), required(of, answers, licensee=LICENSEE), of, answers)
        assert found.complete, (seed, found.differences, found.of(State.MISSING, State.TOO_FEW, State.DIFFERENT))


def test_drop_and_tip_box_are_at_opposite_ends(sheet: ET.Element) -> None:
    at = {words: corners[0][0] for words, _, corners in texts(sheet) if words in ("Drop box", "Tip box", "Dealer")}
    assert at["Drop box"] < at["Dealer"] < at["Tip box"]
