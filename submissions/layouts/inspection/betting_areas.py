"""Betting areas that are drawn so that a player can use them: each in a figure of its own, and one at each seat."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import atan2, dist
from statistics import median

from games.rules.words import AREAS
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding
from submissions.layouts.required_elements import RequiredElement

NO_FIGURE = "The words of this area are not inside a circle, a box or another closed figure."
SOME_WITHOUT_FIGURE = "At some seats, the words of this area are not inside a circle, a box or another closed figure."
_UNLABELED = (
    "A figure at this seat has no words, and another seat has none like it. "
    "The chapter and the answers do not call for it. "
    "Remove it, or say in the note what it is: the Board decides."
)
_CLOSE = 0.6  # of the usual distance between the areas of two seats: nearer ones are at one seat
_FAR = 1.5  # of the usual distance between two areas of a seat: farther ones are at two seats
_FEWEST = 3  # seats, of which the usual distance can be known
_TOUCHING = 0.75  # of a figure's longer side, from middle to middle
_SAME_PLACE = 0.35  # of a figure's shorter side: words that are nearer are in the same place


def too_many_areas(elements: Sequence[ElementFinding], most: int) -> Iterator[Difference]:
    """A difference for each kind of area of which there are more than the table may have positions."""
    for area in elements:
        required = area.required
        if required.kind in AREAS and required.times > 1 and area.times > max(most, required.times):
            message = f"{area.times} areas “{_name(area)}” are printed; the chapter allows {most} positions"
            place = area.places[-1]
            yield Difference(DifferenceKind.TOO_MANY, message, required.citation, required.wager, place)


def doubled_areas(sheet: DrawingText, elements: Sequence[ElementFinding]) -> Iterator[Difference]:
    """A difference for each kind of area that is there once for each seat, but twice at one of them.

    Recognized words have no figures, and a heading may be among them: of those nothing is said.
    """
    each_position = [element for element in elements if sheet.certain and _is_once_each(element)]
    named: set[str] = set()
    for element in each_position:
        if place := _doubled(sheet, element.places):
            named.add(element.required.key)
            message = f"One seat has two areas “{_name(element)}”, so that another has none"
            yield _difference(element, message, place)
    for first, second in combinations(each_position, 2):
        distant = _distant_place(sheet, first.places, second.places)
        if distant and not named & {first.required.key, second.required.key}:
            named |= {first.required.key, second.required.key}
            message = f"At one seat, the areas “{_name(first)}” and “{_name(second)}” are not together as at the others"
            yield _difference(first, message, distant)


def shared_figures(sheet: DrawingText, elements: Sequence[ElementFinding]) -> Iterator[Difference]:
    """A difference for two kinds of areas of which two are in the same place."""
    each_position = [element for element in elements if sheet.certain and _is_once_each(element)]
    for first, second in combinations(each_position, 2):
        same = (pair for pair in product(first.places, second.places) if _are_together(sheet, *pair))
        if pair := next(same, None):
            message = f"An area “{_name(first)}” and an area “{_name(second)}” are in the same place"
            yield _difference(first, message, pair[0])


def _are_together(sheet: DrawingText, place: PagePlace, beside: PagePlace) -> bool:
    figure = sheet.figure_of(place)
    if not figure or place.page != beside.page:
        return False
    page = sheet.pages[place.page]
    side = min(figure.box.width * page.width, figure.box.height * page.height)
    return dist(_center(sheet, place), _center(sheet, beside)) < _SAME_PLACE * side


def unlabeled_figures(sheet: DrawingText, elements: Sequence[ElementFinding], citation: str) -> Iterator[Difference]:
    """A difference for each seat that has more figures without words near it than another seat has.

    The same at every seat are places for cards or pictures, which need no words.
    """
    positions = next((element.places for element in elements if _is_once_each(element)), ())
    if not sheet.certain or len(positions) < _FEWEST:
        return
    centers = [_center(sheet, position) for position in positions]
    reach = median(min(dist(center, each) for each in centers if each is not center) for center in centers)
    near_positions: list[list[PagePlace]] = [[] for _ in positions]
    words = (sheet.place(number) for number in range(len(sheet.segments)))
    named = {id(figure) for place in words if not sheet.framed(place) for figure in sheet.figures_beside(place)}
    for figure in sheet.wordless_figures:
        ways = [dist(_center(sheet, figure), center) for center in centers]
        if min(ways) < reach and id(figure) not in named and not _is_one_of_cards(sheet, figure):
            near_positions[ways.index(min(ways))].append(figure)
    fewest = min(map(len, near_positions))
    for figures in near_positions:
        if len(figures) > fewest:
            yield Difference(DifferenceKind.UNEXPLAINED, _UNLABELED, citation, "", figures[-1])


def _is_one_of_cards(sheet: DrawingText, figure: PagePlace) -> bool:
    """Whether another figure overlaps it or touches it, as the cards of one place do."""
    page = sheet.pages[figure.page]
    side = max(figure.box.width * page.width, figure.box.height * page.height)
    near = (each for each in sheet.figures if each is not figure and each.page == figure.page)
    return any(dist(_center(sheet, each), _center(sheet, figure)) < _TOUCHING * side for each in near)


def lacks_figure(
    sheet: DrawingText, element: RequiredElement, places: Sequence[PagePlace], framed: Sequence[PagePlace]
) -> str:
    """Why the area may not be one; "" if its words are in figures, or beside them. A picture's are not known."""
    if not sheet.certain or not places:
        return ""
    inside = [place for place in places if place in framed or sheet.figures_beside(place)]
    if element.times > 1:
        return "" if len(inside) == len(places) else SOME_WITHOUT_FIGURE if inside else NO_FIGURE
    is_drawn = inside or not sheet.lines_known or any(map(sheet.between_lines, places))
    return "" if is_drawn else NO_FIGURE


def _is_once_each(element: ElementFinding) -> bool:
    return element.required.kind in AREAS and element.times == element.required.times >= _FEWEST


def _name(element: ElementFinding) -> str:
    return element.required.phrases[0]


def _difference(element: ElementFinding, message: str, place: PagePlace) -> Difference:
    required = element.required
    return Difference(DifferenceKind.DOUBLED, message, required.citation, required.wager, place)


def _doubled(sheet: DrawingText, places: Sequence[PagePlace]) -> PagePlace | None:
    """The place that is much nearer to another one than is usual among them."""
    nearest = {
        number: min(dist(_center(sheet, place), _center(sheet, each)) for each in places if each is not place)
        for number, place in enumerate(places)
    }
    closest = min(nearest, key=lambda number: nearest[number])
    return places[closest] if nearest[closest] < _CLOSE * median(nearest.values()) else None


def _distant_place(sheet: DrawingText, first: Sequence[PagePlace], second: Sequence[PagePlace]) -> PagePlace | None:
    """The place of the first kind whose partner at the same seat is much farther away than is usual.

    Seats follow each other around the table: the first kind's places in that order belong to the second kind's.
    """
    if len(first) != len(second):
        return None
    ways, places = min(_paired(sheet, first, second), key=lambda pairing: sum(pairing[0]))
    farthest = ways.index(max(ways))
    return places[farthest] if ways[farthest] > _FAR * median(ways) else None


def _paired(
    sheet: DrawingText, first: Sequence[PagePlace], second: Sequence[PagePlace]
) -> Iterator[tuple[list[float], list[PagePlace]]]:
    """Ways to pair the places, with the distance of each pair: from left to right, and around the table."""
    middle = _mean([_center(sheet, place) for place in (*first, *second)])
    for order in (lambda place: _center(sheet, place), lambda place: _angle(middle, _center(sheet, place))):
        one_side, other_side = sorted(first, key=order), sorted(second, key=order)
        for count in range(len(second)):
            turned = other_side[count:] + other_side[:count]
            pairs = zip(one_side, turned, strict=True)
            yield [dist(_center(sheet, place), _center(sheet, beside)) for place, beside in pairs], one_side


def _mean(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _angle(middle: tuple[float, float], point: tuple[float, float]) -> float:
    return atan2(point[1] - middle[1], point[0] - middle[0])


def _center(sheet: DrawingText, place: PagePlace) -> tuple[float, float]:
    across, down = place.box.center
    page = sheet.pages[place.page]
    return across * page.width, down * page.height
