"""Pictures of layouts: printed at two resolutions in four fonts, scanned askew, photographed, compressed.

Painted by PDFium from ReportLab's paper, so that every font is at hand.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageFilter

from tests.submissions.layouts.held_set.composition import Item
from tests.submissions.layouts.held_set.outlines import FONTS, SANS
from tests.submissions.layouts.held_set.pdf_styles import POINT, Color, report_lab

SERIF = FONTS / "merriweather/Latin-Merriweather-Regular.ttf"
BOLD = FONTS / "source-sans-pro/sourcesanspro-bold-webfont.ttf"
MONO = FONTS / "roboto-mono/roboto-mono-v5-latin-regular.ttf"
LOW, FINE = 1.5, 2.5  # pixels a millimeter
WHITE, BLACK = (1.0, 1.0, 1.0), (0.05, 0.05, 0.05)
GREEN, CREAM = (0.04, 0.3, 0.21), (0.96, 0.94, 0.88)
DESK = "#8b8378"
PERSPECTIVE = 0.05  # of the width: how far the upper corners are moved inwards
JPEG = 60


def _painted(items: Sequence[Item], font: Path, scale: float, felt: Color = WHITE, ink: Color = BLACK) -> Image.Image:
    with pdfium.PdfDocument(report_lab(items, font, felt, ink)) as document:
        image: Image.Image = document[0].render(scale=scale / POINT).to_pil()
    return image.convert("RGB")


def _file(image: Image.Image, scale: float, kind: str = "PNG") -> bytes:
    kept = io.BytesIO()
    more = {"quality": JPEG} if kind == "JPEG" else {}
    image.save(kept, kind, dpi=(scale * 25.4, scale * 25.4), **more)
    return kept.getvalue()


def _chance(items: Sequence[Item]) -> random.Random:
    return random.Random(repr(items[:2]))


def plain(items: Sequence[Item], font: Path, scale: float, felt: Color = WHITE, ink: Color = BLACK) -> bytes:
    return _file(_painted(items, font, scale, felt, ink), scale)


def jpeg(items: Sequence[Item], font: Path, scale: float) -> bytes:
    return _file(_painted(items, font, scale, GREEN, CREAM), scale, "JPEG")


def scan(items: Sequence[Item], font: Path, scale: float) -> bytes:
    """Askew by up to five degrees to either side, slightly blurred."""
    angle = _chance(items).uniform(-5, 5)
    image = _painted(items, font, scale).rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor="white")
    return _file(image.filter(ImageFilter.GaussianBlur(0.6)), scale, "JPEG")


def photo(items: Sequence[Item], font: Path, scale: float) -> bytes:
    """Seen from the players' side: the far side is narrower, on a desk."""
    image = _painted(items, font, scale)
    wide, high = image.size
    away, down = PERSPECTIVE * wide, 0.03 * high
    back = _coefficients(
        [(away, down), (wide - 0.7 * away, down), (wide, high), (0, high)],
        [(0, 0), (wide, 0), (wide, high), (0, high)],
    )
    seen = image.transform((wide, high), Image.Transform.PERSPECTIVE, back, Image.Resampling.BICUBIC, fillcolor=DESK)
    return _file(seen.filter(ImageFilter.GaussianBlur(0.6)), scale, "JPEG")


def _coefficients(seen: list[tuple[float, float]], flat: list[tuple[float, float]]) -> list[float]:
    """Of the perspective that shows the flat corners at the seen places, by Gauss's elimination."""
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(seen, flat, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    for column in range(8):
        best = max(range(column, 8), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(8):
            if row != column:
                factor = rows[row][column]
                rows[row] = [value - factor * own for value, own in zip(rows[row], rows[column], strict=True)]
    return [row[8] for row in rows]


STYLES: dict[str, Callable[[Sequence[Item]], bytes]] = {
    "PNG 1.5 px/mm, sans": partial(plain, font=SANS, scale=LOW),
    "PNG 2.5 px/mm, serif": partial(plain, font=SERIF, scale=FINE),
    "PNG 2.5 px/mm, mono, light on dark": partial(plain, font=MONO, scale=FINE, felt=GREEN, ink=CREAM),
    "JPEG 60, bold": partial(jpeg, font=BOLD, scale=LOW),
    "Scan, askew up to 5°": partial(scan, font=SANS, scale=FINE),
    "Photo, perspective": partial(photo, font=BOLD, scale=FINE),
}
