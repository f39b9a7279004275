"""A part of a drawing: the places that matter in frames, with what is around them. The drawing itself is not changed.

Numbers are those of an SVG view: the page's own size, as text. Not here: what is at the places (`drawing_places`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from submissions.layouts.element_status import ReportPlace
from submissions.web.layouts.drawing_places import DrawingPageView, is_next_row

AROUND = 0.6  # of the place's own size, on each side
PADDING = 0.009  # of a page around the words, so that the thick frame does not cross them
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
    """Around all places that are on the page of the first one; None if that page has no picture."""
    if not places:
        return None
    number = places[0]["page"]
    page = next((sheet for sheet in sheets if sheet.number == number), None)
    here = [place for place in places if place["page"] == number]
    return Crop(page, _view(page, here), tuple(_frame(page, block) for block in _blocks(here))) if page else None


def whole_page(page: DrawingPageView) -> Crop:
    return Crop(page, f"0 0 {_text(page.width)} {_text(page.height)}")


def _blocks(places: Sequence[ReportPlace]) -> list[ReportPlace]:
    """The places, with the rows of a table as one: frames around each row would hide the rows."""
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
    beside, above = max(PADDING, BESIDE * place["width"]), min(PADDING, ABOVE * place["height"])
    left, top = max(0.0, place["left"] - beside), max(0.0, place["top"] - above)
    width, height = place["width"] + 2 * beside, place["height"] + 2 * above
    return Frame(*map(_text, (left * page.width, top * page.height, width * page.width, height * page.height)))


def _within(value: float, most: float) -> float:
    return min(max(value, 0.0), max(most, 0.0))


def _text(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
