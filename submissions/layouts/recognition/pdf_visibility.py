"""Which words of a PDF's page people can see: those that make a difference to the pixels that PDFium paints.

The page is painted with its text and without. That finds words that are invisible by their render mode, white on white,
covered, transparent, clipped, on a hidden layer, or over or under a scan that shows something else. And where the page
without its text has a line from one side of a word to the other, the word is struck through: it may be meant to count
or not to count (`crossing_lines`).
"""

from collections.abc import Sequence
from ctypes import POINTER, c_ushort, cast, create_string_buffer
from typing import Any

import numpy as np
import pypdfium2.raw as raw

from submissions.layouts.drawing_model import DrawingPage
from submissions.layouts.recognition.crossing_lines import LONG_SIDE, is_crossed, samples
from submissions.layouts.recognition.legibility import CLEAR, FAINT, Sight, sight_by_size
from submissions.layouts.recognition.word_grouping import PlacedWord

DEEPEST = 15  # forms within forms
AWAY = 1_000_000.0  # points
FEW, MOST = 0.2, 0.7  # of a word's parts, each as wide as a letter on average: an “i” fills less, an “m” more
DASHES = set("-_=~‐‑‒–—―−─━ ")  # text of nothing else is a line
UPWARDS = tuple(step / 16 for step in range(-2, 13))  # of the letters' size

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


def painted_page(page: Any, long_side: int) -> Any:
    """The page as a bitmap of PDFium, its longer side of that many pixels."""
    return page.render(scale=long_side / max(*page.get_size(), 1.0), may_draw_forms=False, rev_byteorder=True)


def sights_and_removal(page: Any, words: Sequence[PlacedWord], size: DrawingPage, unit_mm: float) -> list[Sight]:
    """The sight of each word. Afterwards the page, in memory, has no text; with no words, nothing is done."""
    if not words:
        return []
    with_text = _pixels(page)
    _remove_text(page)
    rest = _pixels(page).astype(np.int16)
    difference = np.abs(rest - with_text).max(axis=-1)
    scale = difference.shape[1] / size.width, difference.shape[0] / size.height
    long_side = max(size.width, size.height)
    sights = [_sight(word, difference, scale, sight_by_size(word.size, unit_mm, long_side)) for word in words]
    return [
        Sight.UNCLEAR if sight is Sight.VISIBLE and (not word.legible or is_crossed(word, rest, scale)) else sight
        for word, sight in zip(words, sights, strict=True)
    ]


def _pixels(page: Any) -> Pixels:
    return np.array(painted_page(page, LONG_SIDE).to_numpy())


def _remove_text(page: Any) -> None:
    """Move it off the page: objects within forms cannot be removed, and letters of Type 3 have no other paint."""
    read = page.get_textpage()
    for text in list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=DEEPEST)):
        if not _is_line(text, read):
            raw.FPDFPageObj_Transform(text.raw, 1, 0, 0, 1, AWAY, AWAY)


def _is_line(text: Any, read: Any) -> bool:
    """Whether the object has dashes and nothing else."""
    length = raw.FPDFTextObj_GetText(text.raw, read.raw, None, 0)
    buffer = create_string_buffer(length)
    raw.FPDFTextObj_GetText(text.raw, read.raw, cast(buffer, POINTER(c_ushort)), length)
    said = buffer.raw.decode("utf-16-le", "ignore").strip("\0")
    return bool(said.strip()) and set(said) <= DASHES


def _sight(word: PlacedWord, difference: np.ndarray[Any, Any], scale: tuple[float, float], by_size: Sight) -> Sight:
    column, row, inside = samples(word, UPWARDS, difference.shape, scale)
    most = np.where(inside, difference[row, column], 0).max(axis=(1, 2))  # of each part
    if (most >= FAINT).mean() <= FEW or by_size is Sight.HIDDEN:
        return Sight.HIDDEN
    return by_size if (most >= CLEAR).mean() >= MOST else Sight.UNCLEAR
