"""How each word of a drawing was read, for its inspection's report: as text, from outlines, or from a picture.

Pure. Not here: reading (`layouts.recognition`), what the words mean (`layouts.inspection`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Any

from submissions.layouts.drawing_model import Box, Drawing, DrawingSource, Word
from submissions.layouts.element_status import ReportPlace

LINE_GAP = 1.5  # a wider gap, in the height of the letters, divides a line: columns are separate texts


class Reading(StrEnum):
    TEXT = "text"  # letters of the file: exact
    OUTLINED = "outlined"  # recognized from outlines, or from a picture in a file that has text or outlines
    RECOGNIZED = "recognized"  # from a picture


READING_LABELS = {
    Reading.TEXT: "Text of the file",
    Reading.OUTLINED: "Recognized from outlines or from a picture in the file",
    Reading.RECOGNIZED: "Recognized from a picture",
}


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Words that are together in a line, on a page from 1. `certainty`: of its least certain word."""

    text: str
    page: int
    box: Box
    certainty: float


def words_of_report(drawing: Drawing) -> list[dict[str, Any]]:
    """Every word with its place (page from 1, shares of the page), reading and confidence (0 to 1)."""
    return [
        {
            "text": word.text,
            "page": word.page + 1,
            "line": word.line,
            **{side: round(share, 4) for side, share in asdict(word.box).items()},
            "read": str(_reading(drawing, word)),
            "confidence": round(word.certainty, 3),
        }
        for word in drawing.words
    ]


def _reading(drawing: Drawing, word: Word) -> Reading:
    if drawing.source is not DrawingSource.PICTURE and word.certainty >= 1:
        return Reading.TEXT
    return Reading.OUTLINED if drawing.outlined or drawing.source is not DrawingSource.PICTURE else Reading.RECOGNIZED


def words_in(words: Iterable[Mapping[str, Any]], places: Sequence[ReportPlace]) -> list[Mapping[str, Any]]:
    """The words of a report whose middle is in one of the places."""
    return [word for word in words if any(_inside(word, place) for place in places)]


def reading_counts(words: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, float]]:
    """(the reading in words, how many words, the least confidence) of each way in which words were read."""
    ways = dict.fromkeys(word["read"] for word in words)
    confidences = {way: [word["confidence"] for word in words if word["read"] == way] for way in ways}
    return [(READING_LABELS[Reading(way)], len(each), min(each)) for way, each in confidences.items()]


def text_lines(words: Iterable[Mapping[str, Any]]) -> list[PrintedLine]:
    """The lines of text that the words of a report make, divided at wide gaps."""
    lines = (list(line) for _, line in groupby(words, key=lambda word: (word["page"], word["line"])))
    return [_text_line(part) for line in lines for part in _parts(line)]


def _parts(line: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Gaps and letters are compared in shares of the page, which is near enough for a page that is not a strip."""
    parts = [[line[0]]]
    for before, word in pairwise(line):
        gap = word["left"] - before["left"] - before["width"]
        if gap > LINE_GAP * min(before["height"], word["height"]):
            parts.append([])
        parts[-1].append(word)
    return parts


def _text_line(words: Sequence[Mapping[str, Any]]) -> PrintedLine:
    left, top = min(word["left"] for word in words), min(word["top"] for word in words)
    right = max(word["left"] + word["width"] for word in words)
    bottom = max(word["top"] + word["height"] for word in words)
    text = " ".join(word["text"] for word in words)
    certainty = min(word["confidence"] for word in words)
    return PrintedLine(text, words[0]["page"], Box(left, top, right - left, bottom - top), certainty)


def _inside(word: Mapping[str, Any], place: ReportPlace) -> bool:
    across = word["left"] + word["width"] / 2 - place["left"]
    down = word["top"] + word["height"] / 2 - place["top"]
    return bool(word["page"] == place["page"] and 0 <= across <= place["width"] and 0 <= down <= place["height"])
