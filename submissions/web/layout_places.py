"""The drawing of a layout as its page shows it: each required element with a number, and its places over the picture.

Places are percents of a page, as the attributes of SVG take them. Not here: how an element stands
(`submissions.laid_out`), who may see which drawing (`layouts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from submissions.laid_out import Element, Place, Standing
from submissions.models import LayoutInspection, LayoutMark

PADDING = 0.004  # of a page around a word that was found, so that its frame does not run through it
LOOKS = {  # the shape of the number, the same in list and drawing; never told by colour alone
    Standing.FOUND: "found",
    Standing.ACCEPTED: "found",
    Standing.MARKED: "marked",
    Standing.TO_BE_JUDGED: "open",
    Standing.DIFFERENT: "wanting",
    Standing.TOO_FEW: "wanting",
    Standing.REFUSED: "wanting",
    Standing.MISSING: "missing",
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


@dataclass(frozen=True, slots=True)
class Item:
    """An element, or a difference (without `element`), with its number and its places."""

    number: str  # "3"; of a difference "D1"
    look: str
    citation: str
    words: str
    spots: tuple[Spot, ...]
    element: Element | None = None
    marks: tuple[LayoutMark, ...] = ()  # that can be removed

    @property
    def pages(self) -> list[int]:
        return sorted({spot.page for spot in self.spots})

    @property
    def count(self) -> str:
        """How often it was found, where it is called for more than once."""
        one = self.element
        if one is None or one.needed == 1:
            return ""
        return f"{one.times} of {one.needed}" + (" counted" if one.kind == "position" else "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page that has a picture, with what is on it: (item, its spots here)."""

    number: int
    address: str
    width: int
    height: int
    items: tuple[tuple[Item, tuple[Spot, ...]], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A drawing that was read: what its answers call for, what it shows otherwise, and its pages."""

    report: Mapping[str, Any]
    elements: tuple[Item, ...]
    differences: tuple[Item, ...]
    sheets: tuple[Sheet, ...]
    pages: int

    @property
    def wanting(self) -> tuple[Item, ...]:
        return tuple(one for one in self.elements if one.element and one.element.deficient)

    @property
    def to_be_judged(self) -> int:
        return sum(not one.element.settled and not one.element.deficient for one in self.elements if one.element)

    @property
    def first_unmarked(self) -> str:
        """The number of the element that is to be marked first."""
        open_ = (one for one in self.elements if one.element and not one.element.settled and not one.element.marks)
        return next((one.number for one in (*self.wanting, *open_)), "")

    @property
    def page_numbers(self) -> range:
        return range(1, self.pages + 1)

    @property
    def recognised(self) -> bool:
        return bool(self.report.get("source") == "picture")


def shown(inspection: LayoutInspection, elements: Sequence[Element], marks: Iterable[LayoutMark]) -> Shown:
    """`marks` are those that the person may remove."""
    report, removable = inspection.report, list(marks)
    items = tuple(
        _element(number, one, tuple(mark for mark in removable if mark.element == one.key))
        for number, one in enumerate(elements, 1)
    )
    differences = tuple(_difference(f"D{number}", one) for number, one in enumerate(report["differences"], 1))
    sheets = tuple(_sheets(inspection, (*items, *differences)))
    return Shown(report, items, differences, sheets, len(report["pages"]))


def _element(number: int, one: Element, marks: tuple[LayoutMark, ...]) -> Item:
    look = LOOKS[one.standing]
    found = "found" if look in ("marked", "missing") else look  # what the machine found beside what was marked
    spots = [_spot(place, found, PADDING) for place in one.places] + [_spot(place, "marked") for place in one.marks]
    return Item(str(number), look, one.citation, one.name, tuple(spots), one, marks)


def _difference(number: str, one: Mapping[str, Any]) -> Item:
    spots = (_spot(one["where"], "differs", PADDING),) if one["where"] else ()
    return Item(number, "differs", one["citation"], one["message"], spots)


def _spot(place: Place, look: str, padding: float = 0.0) -> Spot:
    left, top = max(0.0, place["left"] - padding), max(0.0, place["top"] - padding)
    right = min(1.0, place["left"] + place["width"] + padding)
    bottom = min(1.0, place["top"] + place["height"] + padding)
    return Spot(
        int(place["page"]), f"{left:.2%}", f"{top:.2%}", f"{right - left:.2%}", f"{bottom - top:.2%}", look
    )  # fmt: skip


def _sheets(inspection: LayoutInspection, items: Sequence[Item]) -> Iterator[Sheet]:
    drawing = inspection.drawing
    pictured = 1 if drawing.kind == "svg" else len(inspection.previews)
    for number, (width, height) in enumerate(inspection.report["pages"][:pictured], 1):
        here = ((one, tuple(spot for spot in one.spots if spot.page == number)) for one in items)
        address = reverse("layout-picture", args=[drawing.filing.number, drawing.pk, number])
        there = tuple((one, spots) for one, spots in here if spots)
        yield Sheet(number, address, max(1, round(width)), max(1, round(height)), there)
