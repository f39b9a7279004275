"""The lines that are headings of a wager's odds: its name, alone or with its paytable's name; and their rows."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.model import Chapter
from submissions.layouts.inspection.drawing_text import DrawingText, LineSegment
from submissions.layouts.inspection.phrases import LABEL_SUFFIXES, fills_its_lines, readings
from submissions.layouts.inspection.tokens import phrase

_SUFFIXES = ("pay", "pays", "payout", "payouts", "odds", "paytable", "table", "bonus", "optional", *LABEL_SUFFIXES)
_FAR = 0.5  # of the page's height: a line farther above a row is not its heading


@dataclass(frozen=True, slots=True)
class Heading:
    """A wager's name, its last segment and all of its segments."""

    wager: str
    segment: int
    segments: frozenset[int]


def name_of(name: str) -> tuple[str, ...]:
    """The words of a wager's name without “Wager”."""
    words = phrase(name)
    short = tuple(word for word in words if word not in ("wager", "wagers"))
    return short or words


def headings(sheet: DrawingText, chapter: Chapter) -> tuple[Heading, ...]:
    """The headings; the longest name counts: “Straight Flush Bonus” is not a “Flush Bonus”."""
    suffixes = {
        *_SUFFIXES,
        *(word for table in chapter.paytables for word in phrase(" ".join((table.name, *table.columns)))),
    }
    names = {wager.key: name_of(wager.name) for wager in chapter.wagers}
    found: dict[int, Heading] = {}
    for wager in sorted(names, key=lambda key: -len(names[key])):
        for place in range(len(sheet.segments)):
            trails = readings(sheet, names[wager], place, 0)
            trail = next((trail for trail in trails if fills_its_lines(sheet, trail, suffixes)), ())
            segments = frozenset(span.segment for span in trail)
            if trail and not any(segments & heading.segments for heading in found.values()):
                found[trail[-1].segment] = Heading(wager, trail[-1].segment, segments)
    return tuple(found.values())


def heading_of(sheet: DrawingText, extent: LineSegment, near: Mapping[int, Heading]) -> Heading | None:
    """The nearest heading above the row; if there is none, the nearest at its left."""
    for distance in (_above, _beside):
        far = {place: distance(sheet.segments[place], extent) for place in near}
        reached = {place: way for place, way in far.items() if way is not None}
        if reached:
            return near[min(reached, key=lambda place: reached[place])]
    return None


def _above(heading: LineSegment, row: LineSegment) -> float | None:
    """How far above the row the heading is; None if it is not above."""
    way = row.top - heading.bottom
    reached = -row.size / 2 < way < _FAR * row.size / (row.box.height or 1)
    return max(way, 0) if reached and heading.over(row) else None


def _beside(heading: LineSegment, row: LineSegment) -> float | None:
    """How far left of the row the heading is; None if it is not at its height."""
    return row.left - heading.right if heading.level(row) and heading.right <= row.left else None
