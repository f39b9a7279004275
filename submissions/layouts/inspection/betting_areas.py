"""Betting areas that are drawn so that a player can use them: in a figure, and one at each seat."""

from collections.abc import Iterator, Sequence
from math import dist
from statistics import median

from games.rules.words import AREAS
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding

NO_FIGURE = "The words of this area are not inside a circle, a box or another closed figure."
_CLOSE = 0.6  # of the usual distance between the areas of two seats: nearer ones are at one seat
_FEWEST = 3  # seats, of which the usual distance can be known


def doubled_areas(sheet: DrawingText, elements: Sequence[ElementFinding]) -> Iterator[Difference]:
    """A difference for each kind of area that is there once for each seat, but twice at one of them.

    Recognized words have no figures, and a heading may be among them: of those nothing is said.
    """
    for element in elements:
        required = element.required
        once_each = required.kind in AREAS and element.times == required.times >= _FEWEST
        if sheet.certain and once_each and (place := _doubled(sheet, element.places)):
            message = f"One seat has two areas “{required.phrases[0]}”, so that another has none"
            yield Difference(DifferenceKind.DOUBLED, message, required.citation, required.wager, place)


def _doubled(sheet: DrawingText, places: Sequence[PagePlace]) -> PagePlace | None:
    """The place that is much nearer to another one than is usual among them."""
    nearest = {
        number: min(dist(_center(sheet, place), _center(sheet, each)) for each in places if each is not place)
        for number, place in enumerate(places)
    }
    closest = min(nearest, key=lambda number: nearest[number])
    return places[closest] if nearest[closest] < _CLOSE * median(nearest.values()) else None


def _center(sheet: DrawingText, place: PagePlace) -> tuple[float, float]:
    across, down = place.box.center
    page = sheet.pages[place.page]
    return across * page.width, down * page.height
