"""A picture's words, recognised line by line wherever the lines run; only within `confined`.

Every such word may be wrong; how sure it is stands with it, and words are told where they stand on the picture.
Not here: finding the lines (`ink`, `lettering`), cutting them out (`sheets`), recognising letters (`tesseract`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from submissions.layouts.drawing import Drawing, Page, Source, Word
from submissions.layouts.reading import lettering, sheets, tesseract
from submissions.layouts.reading.ink import ink, marks
from submissions.layouts.reading.lettering import Line
from submissions.layouts.reading.pieces import Piece, lined
from submissions.layouts.reading.pixels import decoded
from submissions.layouts.reading.slips import mended
from submissions.layouts.reading.tesseract import available

LONG_SIDE = 3300  # pixels: letters ten millimetres high on a table of two metres are then some fifteen high
SURE = 0.4  # less is noise rather than letters
DOUBTFUL = 0.7  # of a line: it may stand upside down
SURE_TURNED, SURER = 0.8, 0.25


def read(content: bytes) -> Drawing:
    """The drawing.

    Raises:
        Refusal: `ocr-missing`, `ocr-failed`, `layout-too-large` or `layout-damaged`.
    """
    if not available():
        raise tesseract.MISSING
    image, page = decoded(content, LONG_SIDE)
    return Drawing(Source.PICTURE, (page,), tuple(words(image, 0)))


def words(image: Image.Image, number: int) -> list[Word]:
    """What stands on a picture, which is page `number` of the drawing."""
    strength = ink(image)
    found = marks(strength)
    lines = lettering.lines(found)
    read = _read(sheets.Page(strength, found), lines)
    kept = [
        replace(word, run=place) for place, line in enumerate(read, start=1) for word in mended(line) if _kept(word)
    ]
    return lined(kept, number, Page(*map(float, image.size)))


def _read(page: sheets.Page, lines: Sequence[Line]) -> list[Sequence[Piece]]:
    """The words of each line; the doubtful ones are tried upside down."""
    found: list[Sequence[Piece]] = list(page.read(lines))
    doubtful = [
        place for place, words in enumerate(found) if len(lines[place].marks) > 1 and sheets.certainty(words) < DOUBTFUL
    ]
    for place, words in zip(doubtful, page.read([lines[place].over() for place in doubtful]), strict=True):
        if sheets.certainty(words) > max(SURE_TURNED, SURER + sheets.certainty(found[place])):
            found[place] = words
    return found


def _kept(word: Piece) -> bool:
    return word.certainty >= SURE


__all__ = ["available", "read", "words"]
