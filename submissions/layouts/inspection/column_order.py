"""The order in which a drawing prints the columns of a paytable, known from their headings."""

from collections.abc import Mapping, Sequence
from math import dist

from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.tokens import phrase

Point = tuple[float, float]  # left and top, in the page's own unit


def printed_order(sheet: DrawingText, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns as their headings stand from left to right; () if a heading is not there or the orders differ.

    Headings stand alone in their lines, or several of them together. A paytable may be printed at every seat.
    """
    places: dict[str, list[Point]] = {column: [] for column in columns}
    headings = {phrase(column): column for column in columns}
    for segment in sheet.segments:
        names = _headings_in([token.text for token in segment.tokens], headings)
        for number, name in enumerate(names):
            left = segment.left + number * (segment.right - segment.left) / len(names)
            places[name].append((left, segment.top))
    if not columns or not all(places.values()):
        return ()
    first, *rest = columns
    orders = {_order(place, first, {column: places[column] for column in rest}) for place in places[first]}
    return orders.pop() if len(orders) == 1 else ()


def _order(place: Point, first: str, rest: Mapping[str, Sequence[Point]]) -> tuple[str, ...]:
    """The columns from left to right: the first at the place, each of the rest where it is nearest to that."""
    nearest = {column: min(places, key=lambda point: dist(place, point)) for column, places in rest.items()}
    lefts = {first: place[0], **{column: near[0] for column, near in nearest.items()}}
    return tuple(sorted(lefts, key=lambda column: lefts[column]))


def _headings_in(texts: Sequence[str], headings: Mapping[tuple[str, ...], str]) -> list[str]:
    """The headings that the line consists of; none if it has other words."""
    names: list[str] = []
    begin = 0
    while begin < len(texts):
        words = next((words for words in headings if tuple(texts[begin : begin + len(words)]) == words), ())
        if not words:
            return []
        names.append(headings[words])
        begin += len(words)
    return names
