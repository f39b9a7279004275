"""A picture decoded: no larger than asked, on white, the way up that its camera or scanner says.

Only within `confined`. Not here: what stands on it (`picture`).
"""

from __future__ import annotations

import io

from PIL import Image, ImageFile

from submissions.errors import Refusal
from submissions.layouts.drawing import Page
from submissions.layouts.reading.guard import damaged, measured

ORIENTATION = 0x0112  # the tag of EXIF
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
LYING = (5, 6, 7, 8)
STRIP = 256  # rows
MILLIMETRES = 25.4  # an inch; a pixel where the file does not say how large it is


def decoded(content: bytes, long_side: int) -> tuple[Image.Image, Page]:
    """The picture without transparency, and its size in millimetres, or in pixels where it says none.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    measured(content)
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as opened:
            page = _size(opened)
            orientation = opened.getexif().get(ORIENTATION, 1)
            opened.draft("RGB", (long_side, long_side))
            image = _smaller(opened, long_side)
    except Refusal:
        raise
    except (OSError, ValueError, SyntaxError, TypeError) as error:
        raise damaged() from error
    if orientation in UPRIGHT:
        image = image.transpose(UPRIGHT[orientation])
    return image, Page(page.height, page.width) if orientation in LYING else page


def _size(opened: Image.Image) -> Page:
    dots = opened.info.get("dpi", (0, 0))
    across, down = (float(dot) if dot and float(dot) > 1 else MILLIMETRES for dot in dots)
    return Page(round(opened.width * MILLIMETRES / across, 2), round(opened.height * MILLIMETRES / down, 2))


def _smaller(opened: Image.Image, long_side: int) -> Image.Image:
    """Palettes, pure black and white and sixteen bits have no shades between two pixels: they become shades first."""
    image = opened
    if opened.mode.startswith("I"):
        image = opened.point(lambda value: value * (1 / 256)).convert("L")
    elif opened.mode in ("1", "P", "PA"):
        image = opened.convert("RGBA" if opened.has_transparency_data else "L" if opened.mode == "1" else "RGB")
    if image.has_transparency_data:
        return _on_white(image, long_side)
    image.thumbnail((long_side, long_side), reducing_gap=2.0)
    return image.convert("L" if image.mode == "L" else "RGB")


def _on_white(image: Image.Image, long_side: int) -> Image.Image:
    """Strip by strip: the whole of a large picture, twice and with its transparency, is more than there is room for."""
    scale = min(1.0, long_side / max(image.size))
    whole = Image.new("RGB", (max(1, round(image.width * scale)), max(1, round(image.height * scale))), "white")
    for top in range(0, whole.height, STRIP):
        bottom = min(top + STRIP, whole.height)
        high, low = (round(side * image.height / whole.height) for side in (top, bottom))
        part = image.crop((0, high, image.width, low)).convert("RGBA")
        ground = Image.new("RGBA", part.size, "white")
        ground.alpha_composite(part)
        strip = ground.convert("RGB").resize((whole.width, bottom - top), Image.Resampling.BICUBIC, reducing_gap=2.0)
        whole.paste(strip, (0, top))
    return whole
