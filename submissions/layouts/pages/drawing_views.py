"""The drawing of a layout on a page: each required element with a number, its places over the picture, and parts of it.

Places are percents of a page, as attributes of SVG are. A crop has the places that matter in frames, with what is
around them, in the page's own size, as text; the drawing itself is not changed. Not here: the status of an element
(`required_elements`), the permission to see a drawing (`permissions`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from django.urls import reverse

from submissions.core.text import counted
from submissions.layouts.inspection.findings import Reading, reading_counts
from submissions.layouts.required_elements import DIFFERENCE, ODDS, Element, ElementStatus, ReportPlace, difference_key
from submissions.models import LayoutInspection, LayoutMark

SPOT_PADDING = 0.004  # of a page around a word, so that its frame does not cross it
MOST_UNSURE = 60  # recognized words that the page lists
LOOKS = {  # the shape of the number, the same in list and drawing; color is never the only difference
    ElementStatus.PRESENT: "found",
    ElementStatus.ACCEPTED: "found",
    ElementStatus.MARKED: "marked",
    ElementStatus.TO_BE_JUDGED: "open",
    ElementStatus.DIFFERENT: "wanting",
    ElementStatus.TOO_FEW: "wanting",
    ElementStatus.REFUSED: "wanting",
    ElementStatus.MISSING: "missing",
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle on a page, from its upper left: "12.5%"."""

    page: int
    left: str
    top: str
    width: str
    height: str
    look: str
    numbered: bool = True  # without a number it belongs to the place above it


@dataclass(frozen=True, slots=True)
class ListedElement:
    """An element or a difference, with its number and its places; differences in odds have no `element`."""

    number: str  # "3"; of a difference "D1"
    look: str
    citation: str
    words: str
    spots: tuple[Spot, ...]
    key: str = ""  # by which the Board's decisions name it
    element: Element | None = None
    marks: tuple[LayoutMark, ...] = ()  # that can be removed

    @property
    def markable(self) -> bool:
        """True if the licensee can mark an area for it."""
        return bool(self.element and self.element.kind != DIFFERENCE and not self.element.settled)

    @property
    def pages(self) -> list[int]:
        return sorted({spot.page for spot in self.spots})

    @property
    def count(self) -> str:
        """The number of times that it was found, if it is called for more than once."""
        element = self.element
        if element is None or element.needed == 1:
            return ""
        return f"{element.times} of {element.needed}" + (" counted" if element.kind == "position" else "")


@dataclass(frozen=True, slots=True)
class DrawingPageView:
    """A page that has a picture, with its items: (item, its spots on the page)."""

    number: int
    address: str
    width: int
    height: int
    items: tuple[tuple[ListedElement, tuple[Spot, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class DrawingView:
    """An inspected drawing: its required elements, its differences, and its pages."""

    report: Mapping[str, Any]
    elements: tuple[ListedElement, ...]
    differences: tuple[ListedElement, ...]
    sheets: tuple[DrawingPageView, ...]
    pages: int

    @property
    def wanting(self) -> tuple[ListedElement, ...]:
        return tuple(entry for entry in self.elements if entry.element and entry.element.deficient)

    @property
    def contradictions(self) -> tuple[ListedElement, ...]:
        """The differences that are wrong by the inspection or the Board; the rest is to be reviewed, or accepted."""
        return tuple(entry for entry in self.differences if entry.element is None or entry.element.deficient)

    @property
    def problems(self) -> str:
        """The numbers of elements not found as required, and of differences from the answers."""
        wanting = f"{counted(len(self.wanting), 'element')} not found as required" if self.wanting else ""
        count = len(self.contradictions)
        differing = f"{counted(count, 'difference')} from the answers" if count else ""
        return ", ".join(filter(None, (wanting, differing)))

    @property
    def accepted(self) -> int:
        """The number of elements that the Board accepted and the inspection did not find."""
        return sum(entry.element.status is ElementStatus.ACCEPTED for entry in self.elements if entry.element)

    @property
    def to_be_judged(self) -> int:
        return sum(not entry.element.settled and not entry.element.deficient for entry in self.listed if entry.element)

    @property
    def first_unmarked(self) -> str:
        """The number of the first element that needs a mark."""
        open_ = (
            entry for entry in self.elements if entry.element and not entry.element.settled and not entry.element.marks
        )
        return next((entry.number for entry in (*self.wanting, *open_)), "")

    @property
    def listed(self) -> tuple[ListedElement, ...]:
        return (*self.elements, *self.differences)

    @property
    def page_numbers(self) -> range:
        return range(1, self.pages + 1)

    @property
    def readings(self) -> list[str]:
        """The ways in which words were read: “23 words: Recognized from a picture, confidence from 61%”."""
        return [
            f"{counted(count, 'word')}: {way}" + (f", confidence from {least:.0%}" if least < 1 else "")
            for way, count, least in reading_counts(self.report.get("words", ()))
        ]

    @property
    def unsure_words(self) -> list[tuple[str, str]]:
        """(word, confidence) of the recognized words, the least certain first."""
        unsure = [word for word in self.report.get("words", ()) if word["read"] != Reading.TEXT]
        unsure.sort(key=lambda word: word["confidence"])
        return [(word["text"], f"{word['confidence']:.0%}") for word in unsure[:MOST_UNSURE]]

    @property
    def recognized(self) -> bool:
        return bool(self.report.get("source") == "picture")


def drawing_view(
    inspection: LayoutInspection, elements: Sequence[Element], differing: Sequence[Element], marks: Iterable[LayoutMark]
) -> DrawingView:
    """Return the view; `differing`: differences as elements, with the Board's decisions; `marks`: removable ones."""
    report, removable = inspection.report, list(marks)
    decided = {element.key: element for element in differing}
    items = tuple(
        _element(number, element, tuple(mark for mark in removable if mark.element == element.key))
        for number, element in enumerate(elements, 1)
    )
    differences = tuple(
        _difference(f"D{number}", difference, decided) for number, difference in enumerate(report["differences"], 1)
    )
    pages = tuple(page_views(inspection, (*items, *differences)))
    return DrawingView(report, items, differences, pages, len(report["pages"]))


def _element(number: int, element: Element, marks: tuple[LayoutMark, ...]) -> ListedElement:
    look = LOOKS[element.status]
    # The inspection's own places next to the marks; of odds, each row that differs is a difference of its own.
    own_look = "found" if look in ("marked", "missing") or (element.key in ODDS and look == "wanting") else look
    spots = [
        replace(_spot(place, own_look, SPOT_PADDING), numbered=not is_next_row(above, place))
        for above, place in pairwise((None, *element.places))
        if place
    ] + [_spot(place, "marked") for place in element.marks]
    return ListedElement(str(number), look, element.citation, element.name, tuple(spots), element.key, element, marks)


def is_next_row(above: ReportPlace | None, place: ReportPlace) -> bool:
    """Return whether the place is the line below the other one, as the rows of a table are."""
    if above is None or above["page"] != place["page"]:
        return False
    down, across = place["top"] - above["top"], abs(place["left"] - above["left"])
    return 0 < down < 2.5 * above["height"] and across < above["width"]


def _difference(number: str, difference: Mapping[str, Any], decided: Mapping[str, Element]) -> ListedElement:
    key = difference_key(difference)
    element = decided.get(key)
    look = LOOKS[element.status] if element else "differs"
    spots = (_spot(difference["where"], look, SPOT_PADDING),) if difference["where"] else ()
    return ListedElement(number, look, difference["citation"], difference["message"], spots, key, element)


def _spot(place: ReportPlace, look: str, padding: float = 0.0) -> Spot:
    left, top = max(0.0, place["left"] - padding), max(0.0, place["top"] - padding)
    right = min(1.0, place["left"] + place["width"] + padding)
    bottom = min(1.0, place["top"] + place["height"] + padding)
    x, y, width, height = (f"{share:.2%}" for share in (left, top, right - left, bottom - top))
    return Spot(int(place["page"]), x, y, width, height, look)


def page_views(inspection: LayoutInspection, items: Sequence[ListedElement] = ()) -> Iterator[DrawingPageView]:
    """Yield the pages that have a picture: the first of an SVG, those with a preview of other files."""
    drawing = inspection.drawing
    pictured = 1 if drawing.kind == "svg" else len(inspection.previews)
    for number, (width, height) in enumerate(inspection.report["pages"][:pictured], 1):
        here = ((entry, tuple(spot for spot in entry.spots if spot.page == number)) for entry in items)
        address = reverse("layout-picture", args=[drawing.filing.number, drawing.pk, number])
        there = tuple((entry, spots) for entry, spots in here if spots)
        yield DrawingPageView(number, address, max(1, round(width)), max(1, round(height)), there)


AROUND = 0.6  # of the place's own size, on each side
CROP_PADDING = 0.009  # of a page around the words, so that the thick frame does not cross them
ABOVE = 0.2  # of the height of the words, at most: the rows of a table are close to each other
BESIDE = 0.08  # of the width of the words, at least: a browser without the font draws them wider
LEAST = 0.3  # of the page's width: the least that a crop shows
HIGHEST = 0.5  # height for the width, at least: a line of text has something above and below it


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle in the page's own size."""

    left: str
    top: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a page. `view` is the viewBox; without frames it is the whole page."""

    page: DrawingPageView
    view: str
    frames: tuple[Frame, ...] = ()

    @property
    def width(self) -> str:
        return _text(self.page.width)

    @property
    def height(self) -> str:
        return _text(self.page.height)

    @property
    def frame_list(self) -> str:
        """The frames for a script: "12 30 8 4;40 30 8 4"."""
        return ";".join(f"{each.left} {each.top} {each.width} {each.height}" for each in self.frames)


def crop(sheets: Sequence[DrawingPageView], places: Sequence[ReportPlace]) -> Crop | None:
    """Return the part around all places on the page of the first one; None if that page has no picture."""
    if not places:
        return None
    number = places[0]["page"]
    page = next((sheet for sheet in sheets if sheet.number == number), None)
    here = [place for place in places if place["page"] == number]
    return Crop(page, _view(page, here), tuple(_frame(page, block) for block in _blocks(here))) if page else None


def whole_page(page: DrawingPageView) -> Crop:
    return Crop(page, f"0 0 {_text(page.width)} {_text(page.height)}")


def _blocks(places: Sequence[ReportPlace]) -> list[ReportPlace]:
    """Return the places, with the rows of a table as one: frames around each row would hide the rows."""
    groups: list[list[ReportPlace]] = []
    for place in places:
        if groups and is_next_row(groups[-1][-1], place):
            groups[-1].append(place)
        else:
            groups.append([place])
    return [_around(group) for group in groups]


def _around(places: Sequence[ReportPlace]) -> ReportPlace:
    left, top = min(place["left"] for place in places), min(place["top"] for place in places)
    width = max(place["left"] + place["width"] for place in places) - left
    height = max(place["top"] + place["height"] for place in places) - top
    return {"page": places[0]["page"], "left": left, "top": top, "width": width, "height": height}


def _view(page: DrawingPageView, places: Sequence[ReportPlace]) -> str:
    around = _around(places)
    wide, high = around["width"] * page.width, around["height"] * page.height
    letters = min(wide, high)
    width = max(wide + 2 * AROUND * max(letters, wide / 4), LEAST * page.width)
    height = max(high + 2 * AROUND * max(letters, high / 4), HIGHEST * width)
    width, height = min(page.width, max(width, height)), min(page.height, height)
    x = _within((around["left"] + around["width"] / 2) * page.width - width / 2, page.width - width)
    y = _within((around["top"] + around["height"] / 2) * page.height - height / 2, page.height - height)
    return " ".join(map(_text, (x, y, width, height)))


def _frame(page: DrawingPageView, place: ReportPlace) -> Frame:
    beside, above = max(CROP_PADDING, BESIDE * place["width"]), min(CROP_PADDING, ABOVE * place["height"])
    left, top = max(0.0, place["left"] - beside), max(0.0, place["top"] - above)
    width, height = place["width"] + 2 * beside, place["height"] + 2 * above
    return Frame(*map(_text, (left * page.width, top * page.height, width * page.width, height * page.height)))


def _within(value: float, most: float) -> float:
    return min(max(value, 0.0), max(most, 0.0))


def _text(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
