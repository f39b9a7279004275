"""Which lines head the odds of a wager: its name, alone or with the name of its paytable, and which odds they head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.model import Chapter
from submissions.layouts.inspection.letters import phrase
from submissions.layouts.inspection.phrases import ADDED, follow, whole
from submissions.layouts.inspection.sheet import Piece, Sheet

_SAID = ("pay", "pays", "payout", "payouts", "odds", "paytable", "table", "bonus", "optional", *ADDED)
_FAR = 0.5  # of the page's height: what stands farther above heads nothing


@dataclass(frozen=True, slots=True)
class Heading:
    """A wager's name, its last piece and all of its pieces."""

    wager: str
    piece: int
    pieces: frozenset[int]


def name_of(name: str) -> tuple[str, ...]:
    """The words by which a wager is known: its name without “Wager”."""
    words = phrase(name)
    short = tuple(word for word in words if word not in ("wager", "wagers"))
    return short or words


def headings(sheet: Sheet, chapter: Chapter) -> tuple[Heading, ...]:
    """The longest name counts: “Straight Flush Bonus” is no “Flush Bonus”."""
    said = {*_SAID, *(word for table in chapter.paytables for word in phrase(" ".join((table.name, *table.columns))))}
    names = {wager.key: name_of(wager.name) for wager in chapter.wagers}
    found: dict[int, Heading] = {}
    for wager in sorted(names, key=lambda key: -len(names[key])):
        for heading in _of(sheet, wager, names[wager], said):
            if not heading.pieces & {piece for one in found.values() for piece in one.pieces}:
                found[heading.piece] = heading
    return tuple(found.values())


def _of(sheet: Sheet, wager: str, name: tuple[str, ...], said: set[str]) -> list[Heading]:
    found = []
    for place in range(len(sheet.pieces)):
        trail = next((one for one in follow(sheet, name, place, 0) if whole(sheet, one, said)), None)
        if trail:
            found.append(Heading(wager, trail[-1].piece, frozenset(span.piece for span in trail)))
    return found


def heading_of(sheet: Sheet, extent: Piece, near: Mapping[int, Heading]) -> Heading | None:
    """The nearest heading above a row of that extent; where none is above it, the nearest beside it."""
    for distance in (_above, _beside):
        far = {place: distance(sheet.pieces[place], extent) for place in near}
        reached = {place: way for place, way in far.items() if way is not None}
        if reached:
            return near[min(reached, key=lambda place: reached[place])]
    return None


def _above(heading: Piece, row: Piece) -> float | None:
    """How far above the row the heading stands; None where it does not."""
    way = row.top - heading.bottom
    reached = -row.size / 2 < way < _FAR * row.size / (row.box.height or 1)
    return max(way, 0) if reached and heading.over(row) else None


def _beside(heading: Piece, row: Piece) -> float | None:
    """How far left of the row, at its height."""
    return row.left - heading.right if heading.level(row) and heading.right <= row.left else None
