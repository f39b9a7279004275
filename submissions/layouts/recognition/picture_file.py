"""A picture's file, decoded: upright, without transparency, no larger than asked for; and its size in millimeters."""

import io

from PIL import Image, ImageFile

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import DrawingPage
from submissions.layouts.recognition.file_limits import check_picture_size, damaged_file

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
MILLIMETERS = 25.4  # in an inch; a file without resolution counts as one pixel per millimeter


def decode_picture(content: bytes, long_side: int) -> tuple[Image.Image, DrawingPage]:
    """The picture without transparency, and its size in millimeters, or in pixels if it has no resolution.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    check_picture_size(content)
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
        raise damaged_file() from error
    if orientation in UPRIGHT:
        image = image.transpose(UPRIGHT[orientation])
    return image, DrawingPage(page.height, page.width) if orientation in LYING else page


def _size(opened: Image.Image) -> DrawingPage:
    dots = opened.info.get("dpi", (0, 0))
    across, down = (float(dot) if dot and float(dot) > 1 else MILLIMETERS for dot in dots)
    return DrawingPage(round(opened.width * MILLIMETERS / across, 2), round(opened.height * MILLIMETERS / down, 2))


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
    """Strip by strip: a large picture, twice and with its transparency, would exceed the memory limit."""
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
