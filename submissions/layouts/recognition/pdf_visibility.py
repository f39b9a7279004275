"""Which words of a PDF's page people can see: those that make a difference to the pixels that PDFium paints.

The page is painted with its text and without. That finds words that are invisible by their render mode, white on white,
covered, transparent, clipped, on a hidden layer, or over or under a scan that shows something else.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as raw

from submissions.layouts.drawing_model import DrawingPage
from submissions.layouts.recognition.legibility import FAINT, Sight, sight_by_size
from submissions.layouts.recognition.word_grouping import PlacedWord

LONG_SIDE = 1800  # pixels
DEEPEST = 15  # forms within forms
AWAY = 1_000_000.0  # points
FEW, MOST = 0.2, 0.7  # of a word's parts, each as wide as a letter on average: an “i” fills less, an “m” more
ALONG = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a part
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
    differs = np.abs(with_text.astype(np.int16) - _pixels(page)).max(axis=-1) >= FAINT
    scale = differs.shape[1] / size.width, differs.shape[0] / size.height
    long_side = max(size.width, size.height)
    return [_sight(word, differs, scale, sight_by_size(word.size, unit_mm, long_side)) for word in words]


def _pixels(page: Any) -> Pixels:
    return np.array(painted_page(page, LONG_SIDE).to_numpy())


def _remove_text(page: Any) -> None:
    """Move it off the page: objects within forms cannot be removed, and letters of Type 3 have no other paint."""
    for text in list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=DEEPEST)):
        raw.FPDFPageObj_Transform(text.raw, 1, 0, 0, 1, AWAY, AWAY)


def _sight(word: PlacedWord, differs: np.ndarray[Any, Any], scale: tuple[float, float], by_size: Sight) -> Sight:
    parts = max(1, len(word.text))
    (x, y, _), (right, low, _), angle = word.begin, word.end, word.begin[2]
    along = (np.arange(parts)[:, None] + np.array(ALONG)) / parts  # parts × points
    up = np.array(UPWARDS) * word.size
    across = x + along[..., None] * (right - x) + up * math.sin(angle)  # parts × points × heights
    down = y + along[..., None] * (low - y) - up * math.cos(angle)
    column, row = np.floor(across * scale[0]).astype(int), np.floor(down * scale[1]).astype(int)
    high, wide = differs.shape
    inside = (column >= 0) & (column < wide) & (row >= 0) & (row < high)
    seen = inside & differs[row.clip(0, high - 1), column.clip(0, wide - 1)]
    share = float(seen.any(axis=(1, 2)).mean())
    if share <= FEW or by_size is Sight.HIDDEN:
        return Sight.HIDDEN
    return by_size if share >= MOST else Sight.UNCLEAR
