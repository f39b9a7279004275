"""The odds that a drawing prints: headings, which are a wager's name, alone or with its paytable's; and their rows.

A row is an outcome and its payout, to its right or at the end of its line. The order of a paytable's columns is known
from their headings.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

from games.rules.model import Chapter
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import (
    DrawingText,
    LineSegment,
    Span,
    TokenPlace,
    Trail,
    token_places,
)
from submissions.layouts.inspection.statements import statements_in
from submissions.layouts.inspection.tokens import PAYS, cell_ends, name_of, odds_cells, phrase

HEADING_SUFFIXES = ("pay", "pays", "payout", "payouts", "odds", "paytable", "table", "bonus", "optional")
_FAR = 0.5  # of the page's height: a line farther above a row is not its heading


@dataclass(frozen=True, slots=True)
class Heading:
    """A wager's name, its segments, and the tokens of the name."""

    wager: str
    segments: frozenset[int]
    tokens: frozenset[TokenPlace]


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A printed row: `outcome` as tokens, `cells` in one notation, `words` as printed; its `segments` and `tokens`."""

    outcome: tuple[str, ...]
    cells: tuple[str, ...]
    words: str
    place: PagePlace
    segments: frozenset[int]
    tokens: frozenset[TokenPlace]
    heading: Heading | None


def _headings(sheet: DrawingText, chapter: Chapter) -> dict[int, Heading]:
    """Return the headings by their last segment; the longest name counts.

    “Straight Flush Bonus” is not a “Flush Bonus”. A name with a payout at its right is a row.
    """
    headed = (phrase(" ".join((table.name, *table.columns))) for table in chapter.paytables)
    suffixes = {*HEADING_SUFFIXES, *(word for words in headed for word in words)}
    names = {wager.key: name_of(wager.name) for wager in chapter.wagers}
    headings: dict[int, Heading] = {}
    for wager in sorted(names, key=lambda key: -len(names[key])):
        for place in range(len(sheet.segments)):
            trails = sheet.readings(names[wager], place, 0)
            trail = next((trail for trail in trails if sheet.fills_its_lines(trail, suffixes)), ())
            segments = frozenset(span.segment for span in trail)
            is_taken = any(segments & heading.segments for heading in headings.values())
            if trail and not is_taken and not _beside(sheet, trail[-1].segment):
                headings[trail[-1].segment] = Heading(wager, segments, frozenset(token_places(trail)))
    return headings


def printed_rows(sheet: DrawingText, chapter: Chapter, outcomes: Collection[tuple[str, ...]]) -> tuple[PrintedRow, ...]:
    """Return every row with one of the outcomes; a longer outcome before a shorter one that is its end."""
    near = _headings(sheet, chapter)
    taken: set[tuple[int, int]] = set()
    rows = []
    for outcome in sorted(set(outcomes), key=lambda words: (-len(words), words)):
        for row, trail in _rows(sheet, outcome, near):
            tokens = set(token_places(trail))
            if not tokens & taken:
                taken |= tokens
                rows.append(row)
    return tuple(rows)


def _rows(
    sheet: DrawingText, outcome: tuple[str, ...], near: Mapping[int, Heading]
) -> Iterator[tuple[PrintedRow, Trail]]:
    for place, segment in enumerate(sheet.segments):
        texts = [token.text for token in segment.tokens]
        for begin in (0, *(end for end in cell_ends(texts) if end < len(texts))):  # of the line, or after a payout
            for trail in sheet.readings(outcome, place, begin):
                if cells := _cells(sheet, trail):
                    yield _printed(sheet, outcome, trail, cells, near), trail
                    break


def _cells(sheet: DrawingText, trail: Trail) -> Trail:
    """Return the tokens of the payout: after the outcome's last word or, over several lines, right of another word."""
    last = _cells_after(sheet, trail[-1])
    beside = [_cells_after(sheet, span) for span in trail[:-1]]
    cells = [trail for trail in (*beside, last) if trail]
    return cells[0] if len(cells) == 1 else ()


def _cells_after(sheet: DrawingText, span: Span) -> Trail:
    """Return the cells after a part of an outcome, in its line and in segments to the right that have only cells.

    “Pays” may stand before them, unless the line is a sentence on a matter of its own: “Blackjack pays 3 to 2”.
    """
    texts = [token.text for token in sheet.segments[span.segment].tokens]
    if texts[span.end : span.end + 1] and texts[span.end] in PAYS and statements_in(texts):
        return ()
    cells, length = _cells_in(texts[span.end :])
    if cells:
        here: Trail = (Span(span.segment, span.end, span.end + length),)
        return here + _beside(sheet, span.segment) if span.end + length == len(texts) else here
    return _beside(sheet, span.segment) if span.end == len(texts) else ()


def _cells_in(texts: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the cells that the tokens begin with, after “pays”, and the number of their tokens."""
    pays = 1 if texts and texts[0] in PAYS else 0
    cells, length = odds_cells(texts[pays:])
    return (cells, pays + length) if cells else ((), 0)


def cells_of_line(sheet: DrawingText, segment: int) -> tuple[str, ...]:
    """Return the cells that the segment ends with, and those of the segments at its right."""
    texts = [token.text for token in sheet.segments[segment].tokens]
    begins = (begin for begin in range(len(texts)) if _cells_in(texts[begin:])[1] == len(texts) - begin)
    own = _cells_in(texts[begin:])[0] if (begin := next(begins, None)) is not None else ()
    return own + _cells_at(sheet, _beside(sheet, segment))


def _cells_at(sheet: DrawingText, trail: Trail) -> tuple[str, ...]:
    texts = ([token.text for token in sheet.tokens_at(token_places((span,)))] for span in trail)
    return tuple(cell for each in texts for cell in _cells_in(each)[0])


def _beside(sheet: DrawingText, segment: int) -> Trail:
    spans: Trail = ()
    place = sheet.right.get(segment)
    while place is not None:
        texts = [token.text for token in sheet.segments[place].tokens]
        cells, length = odds_cells(texts)
        if length < len(texts):
            return spans
        spans += (Span(place, 0, length),) if cells else ()
        place = sheet.right.get(place)
    return spans


def _printed(
    sheet: DrawingText, outcome: tuple[str, ...], trail: Trail, cells: Trail, near: Mapping[int, Heading]
) -> PrintedRow:
    whole = (*trail, *cells)
    place = sheet.place_of(whole)
    return PrintedRow(
        outcome=outcome,
        cells=_cells_at(sheet, cells),
        words=sheet.printed_text(token_places(cells)).strip(" .,;"),
        place=place,
        segments=frozenset(span.segment for span in whole),
        tokens=frozenset(token_places(whole)),
        heading=_heading_of(_extent(sheet, trail[0].segment, place), sheet, near),
    )


def _extent(sheet: DrawingText, segment: int, place: PagePlace) -> LineSegment:
    """Return the row as if it were a segment: without what the line has of its neighbors."""
    page, box = sheet.pages[place.page], place.box
    return replace(
        sheet.segments[segment],
        left=box.left * page.width,
        top=box.top * page.height,
        right=(box.left + box.width) * page.width,
        bottom=(box.top + box.height) * page.height,
    )


def _heading_of(row: LineSegment, sheet: DrawingText, near: Mapping[int, Heading]) -> Heading | None:
    """Return the nearest heading above the row; if there is none, the nearest at its left."""
    above: dict[int, float] = {}
    left: dict[int, float] = {}
    for place in near:
        line = sheet.segments[place]
        way = row.top - line.bottom
        if line.over(row) and -row.size / 2 < way < _FAR * row.size / (row.box.height or 1):
            above[place] = max(way, 0)
        if line.level(row) and line.right <= row.left:
            left[place] = row.left - line.right
    ways = above or left
    sides = {place: abs(sheet.segments[place].left - row.left) for place in ways}
    nearest = min(ways, key=lambda place: (round(ways[place], 1), sides[place]), default=None)
    return near[nearest] if nearest is not None else None


Point = tuple[float, float]  # left and top, in the page's own unit


def printed_order(sheet: DrawingText, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns as their headings stand from left to right; () if a heading is not there or the orders differ.

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
    orders = set()
    for place in places[columns[0]]:
        lefts = {column: min(points, key=lambda point: dist(place, point))[0] for column, points in places.items()}
        orders.add(tuple(sorted(lefts, key=lambda column: lefts[column])))
    return orders.pop() if len(orders) == 1 else ()


def _headings_in(texts: Sequence[str], headings: Mapping[tuple[str, ...], str]) -> list[str]:
    """Return the headings that the line consists of; none if it has other words."""
    names: list[str] = []
    begin = 0
    while begin < len(texts):
        words = next((words for words in headings if tuple(texts[begin : begin + len(words)]) == words), ())
        if not words:
            return []
        names.append(headings[words])
        begin += len(words)
    return names
