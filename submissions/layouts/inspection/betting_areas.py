"""Betting areas that are drawn so that a player can use them: each in a figure of its own, and one at each seat."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from math import atan2, dist, remainder, tau
from statistics import fmean, median

from games.rules.words import AREAS
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding
from submissions.layouts.required_elements import ElementStatus, RequiredElement

NO_FIGURE = "The words of this area are not inside a circle, a box or another closed figure."
SOME_WITHOUT_FIGURE = "At some seats, the words of this area are not inside a circle, a box or another closed figure."
_ONCE_MORE = "The drawing has one area “{}” more than seats."
_UNLABELED = (
    "A figure at this seat has no words, and another seat has none like it. "
    "The chapter and the answers do not call for it. "
    "Remove it, or explain in the Note to the Board what it is. The Board decides."
)
_CLOSE = 0.6  # of the usual distance between the areas of two seats: nearer ones are at one seat
_FAR = 1.5  # of the usual distance between two areas of a seat: farther ones are at two seats
_BEND = 0.2  # radians
_FEWEST = 3  # seats, of which the usual distance can be known
_TOUCHING = 0.75  # of a figure's longer side, from middle to middle
_SAME_PLACE = 0.35  # of a figure's shorter side: words that are nearer are in the same place
Point = tuple[float, float]
Pair = tuple[Point, Point]


def with_positions(elements: Sequence[ElementFinding]) -> list[ElementFinding]:
    """Return the findings with the betting positions counted: the smallest number of areas of one kind."""
    areas = [element.times for element in elements if element.required.kind in AREAS and element.required.times > 1]
    counted = list(elements)
    for number, element in enumerate(elements):
        if (
            areas and element.required.kind == "position"
        ):  # where there are fewer areas than positions, the areas show it
            status = ElementStatus.PRESENT if min(areas) >= element.required.times else element.status
            counted[number] = replace(element, times=min(areas), status=status)
    return counted


def with_shared_labels(elements: Sequence[ElementFinding]) -> list[ElementFinding]:
    """Return a missing area for a wager, whose words stand once more than at the seats, as one to be judged: “Pot”."""
    changed = list(elements)
    for number, area in enumerate(elements):
        if area.required.kind not in AREAS or area.required.times > 1 or area.status != ElementStatus.MISSING:
            continue
        for place, each in enumerate(elements):
            required = each.required
            same = required.kind in AREAS and required.wager == area.required.wager != ""
            if same and each.times == required.times + 1 > 2:
                status, explanation = ElementStatus.TO_BE_JUDGED, _ONCE_MORE.format(_name(each))
                changed[number] = replace(area, status=status, places=each.places, explanation=explanation)
                changed[place] = replace(each, times=required.times)
    return changed


def too_many_areas(elements: Sequence[ElementFinding], most: int) -> Iterator[Difference]:
    """Yield a difference for each kind of area of which there are more than the table may have positions."""
    for area in elements:
        required = area.required
        if required.kind in AREAS and required.times > 1 and area.times > max(most, required.times):
            message = f"{area.times} areas “{_name(area)}” are printed; the chapter allows {most} positions"
            place = area.places[-1]
            yield Difference(DifferenceKind.TOO_MANY, message, required.citation, required.wager, place)


def doubled_areas(sheet: DrawingText, elements: Sequence[ElementFinding]) -> Iterator[Difference]:
    """Yield a difference for each kind of area that is there once for each seat, but twice at one of them.

    Of recognized words, a heading may be among the areas: `inspector` leaves those to a person.
    """
    each_position = [element for element in elements if _is_once_each(element)]
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
    """Yield a difference for two kinds of areas of which two are in the same place."""
    each_position = [element for element in elements if sheet.certain and _is_once_each(element)]
    for first, second in combinations(each_position, 2):
        for place, beside in product(first.places, second.places):
            figure = sheet.figure_of(place)
            near = figure and dist(_center(sheet, place), _center(sheet, beside)) < _SAME_PLACE * min(
                _sides(sheet, figure)
            )
            if near and place.page == beside.page:
                message = f"An area “{_name(first)}” and an area “{_name(second)}” are in the same place"
                yield _difference(first, message, place)
                break


def unlabeled_figures(sheet: DrawingText, elements: Sequence[ElementFinding], citation: str) -> Iterator[Difference]:
    """Yield a difference for each seat that has more figures without words near it than another seat has.

    The same at every seat are places for cards or pictures, which need no words. Where words of an area are missing,
    which is said already, the figures may be its own.
    """
    if any(element.required.kind in AREAS and element.times < element.required.times for element in elements):
        return
    positions = next((element.places for element in elements if _is_once_each(element)), ())
    if not sheet.certain or len(positions) < _FEWEST:
        return
    centers = [_center(sheet, position) for position in positions]
    reach = median(min(dist(center, each) for each in centers if each is not center) for center in centers)
    near_positions: list[list[PagePlace]] = [[] for _ in positions]
    words = (sheet.place(number) for number in range(len(sheet.segments)))
    named = {id(figure) for place in words if not sheet.figure_of(place) for figure in sheet.figures_beside(place)}
    for figure in sheet.wordless_figures:
        ways = [dist(_center(sheet, figure), center) for center in centers]
        if min(ways) < reach and id(figure) not in named and not _is_one_of_cards(sheet, figure):
            near_positions[ways.index(min(ways))].append(figure)
    fewest = min(map(len, near_positions))
    for figures in near_positions:
        if len(figures) > fewest:
            yield Difference(DifferenceKind.UNEXPLAINED, _UNLABELED, citation, "", figures[-1])


def _is_one_of_cards(sheet: DrawingText, figure: PagePlace) -> bool:
    """Return whether another figure overlaps it or touches it, as the cards of one place do."""
    reach = _TOUCHING * max(_sides(sheet, figure))
    near = (each for each in sheet.figures if each is not figure and each.page == figure.page)
    return any(dist(_center(sheet, each), _center(sheet, figure)) < reach for each in near)


def lacks_figure(
    sheet: DrawingText, element: RequiredElement, places: Sequence[PagePlace], framed: Sequence[PagePlace]
) -> str:
    """Return the reason against an area; "" if its words are in or beside figures (a picture may lack some)."""
    if not places:
        return ""
    inside = [place for place in places if place in framed or sheet.figures_beside(place)]
    if not sheet.certain:
        return NO_FIGURE if element.times > 1 and sheet.figures and not inside else ""
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
    """Return the place that is much nearer to another one than is usual among them."""
    nearest = {
        number: min(dist(_center(sheet, place), _center(sheet, each)) for each in places if each is not place)
        for number, place in enumerate(places)
    }
    closest = min(nearest, key=lambda number: nearest[number])
    return places[closest] if nearest[closest] < _CLOSE * median(nearest.values()) else None


def _distant_place(sheet: DrawingText, first: Sequence[PagePlace], second: Sequence[PagePlace]) -> PagePlace | None:
    """Return the place of the first kind whose partner at its seat is elsewhere than at the other seats.

    The partner is much farther away or, of seats in a row, in another direction than at the two seats beside it. Seats
    follow each other around the table: the first kind's places in that order belong to the second kind's.
    """
    if len(first) != len(second):
        return None
    pairs = min(_paired(sheet, first, second), key=lambda pairing: sum(dist(*pair) for pair in pairing))
    by_center = {_center(sheet, place): place for place in first}
    order = [by_center[center] for center, _ in pairs]
    ways = [dist(*pair) for pair in pairs]
    farthest = ways.index(max(ways))
    if ways[farthest] > _FAR * median(ways):
        return order[farthest]
    spacing = median(min(dist(place, each) for place, _ in pairs if place != each) for each, _ in pairs)
    steps = [(end[0] - start[0], end[1] - start[1]) for start, end in pairs]
    turns = [  # the distance of each way to the partner from the mean of those at the two seats beside
        dist(step, ((before[0] + after[0]) / 2, (before[1] + after[1]) / 2))
        for before, step, after in zip(steps, steps[1:], steps[2:], strict=False)
    ]
    in_row = any(_are_in_row(side) for side in zip(*pairs, strict=True))
    return order[turns.index(max(turns)) + 1] if in_row and turns and max(turns) > _CLOSE * spacing else None


def _are_in_row(points: Sequence[Point]) -> bool:
    """Return whether the way from each point to the next hardly changes its direction; around a bend, areas turn."""
    ways = [atan2(end[1] - start[1], end[0] - start[0]) for start, end in pairwise(points)]
    return all(abs(remainder(after - before, tau)) < _BEND for before, after in pairwise(ways))


def _paired(sheet: DrawingText, first: Sequence[PagePlace], second: Sequence[PagePlace]) -> Iterator[list[Pair]]:
    """Yield ways to pair the places, as their middles: from left to right, and around the table."""
    centers, centers_beside = ([_center(sheet, place) for place in places] for places in (first, second))
    x, y = map(fmean, zip(*centers, *centers_beside, strict=True))
    for order in (lambda point: point, lambda point: atan2(point[1] - y, point[0] - x)):
        one_side, other_side = sorted(centers, key=order), sorted(centers_beside, key=order)
        for count in range(len(second)):
            yield list(zip(one_side, other_side[count:] + other_side[:count], strict=True))


def _center(sheet: DrawingText, place: PagePlace) -> Point:
    page, (across, down) = sheet.pages[place.page], place.box.center
    return across * page.width, down * page.height


def _sides(sheet: DrawingText, figure: PagePlace) -> Point:
    page = sheet.pages[figure.page]
    return figure.box.width * page.width, figure.box.height * page.height
