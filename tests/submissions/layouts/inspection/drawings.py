"""Drawings made by hand for tests of their inspection: lines of words at places on a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from submissions.layouts.drawing_model import Box, Drawing, DrawingPage, DrawingSource, PagePlace, Word
from submissions.layouts.required_elements import ENVY, PostedOdds, RequiredElement

WIDE, HIGH = 3000.0, 4000.0
SIZE = 20.0  # of letters, in the page's measure

Line = tuple[float, float, str]  # left, top, words


def drawing(lines: Iterable[Line], *, certainty: float = 1.0) -> Drawing:
    """Each line in a box of its own, as betting areas are; recognized words (certainty below 1) have no figures."""
    rows = list(lines)
    words = [word for number, line in enumerate(rows) for word in _words(number, *line, certainty)]
    source = DrawingSource.SVG if certainty == 1 else DrawingSource.PICTURE
    boxes = tuple(framed(line) for line in rows) if certainty == 1 else ()
    return Drawing(source, (DrawingPage(WIDE, HIGH),), tuple(words), boxes)


def framed(line: Line) -> PagePlace:
    left, top, text = line
    return PagePlace(
        0, Box((left - 5) / WIDE, (top - 5) / HIGH, (len(text) * SIZE / 2 + 60) / WIDE, (SIZE + 10) / HIGH)
    )


def _words(number: int, left: float, top: float, text: str, certainty: float) -> Iterable[Word]:
    for word in text.split(" "):
        wide = len(word) * SIZE / 2
        if word:
            yield Word(word, 0, Box(left / WIDE, top / HIGH, wide / WIDE, SIZE / HIGH), number, certainty)
        left += wide + SIZE / 4


def lines_of(needed: Sequence[RequiredElement]) -> list[Line]:
    """Everything that is needed: labels in rows, inscriptions below, odds in columns under their wager's name."""
    found: list[Line] = []
    tops = count(20, 40)
    for one in needed:
        text = one.suggested or next(iter(one.phrases), "")
        if not text:
            continue
        if one.times == 1:
            found.append((20, float(next(tops)), text))
        else:
            top = float(next(tops))
            found += [(20 + place * 280, top, text) for place in range(one.times)]
    odds = next((one.odds for one in needed if one.odds), ())
    return found + [line for place, one in enumerate(odds) for line in _column(one, place)]


def _column(odds: PostedOdds, place: int) -> list[Line]:
    left, top = 20 + place % 3 * 980, 2400 + place // 3 * 500
    own = (
        [column for name, column, _ in odds.rows if name == row[0] and column not in ("", ENVY)] for row in odds.rows
    )
    columns = max(own, key=len)  # an outcome that cannot occur in a column has no row there
    found: list[Line] = [(left, top, odds.wager_name), *([(left + 600, top, " ".join(columns))] if columns else [])]
    rows: dict[str, list[str]] = {}
    for outcome, _, pay in odds.rows:
        rows.setdefault(outcome, []).append(pay)
    for number, (outcome, pays) in enumerate(rows.items(), start=1):
        words, rest = outcome[:70].rpartition(" ")[0] if len(outcome) > 70 else outcome, ""
        rest = outcome[len(words) :].strip()
        at = top + number * 26 + 26 * sum(len(one) > 70 for one in list(rows)[: number - 1])
        found.append((left, at, words if rest else f"{words} {' '.join(pays)}"))
        found += [(left, at + 26, f"{rest} {' '.join(pays)}")] if rest else []
    return found
