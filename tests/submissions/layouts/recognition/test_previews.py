"""The pictures that pages show of a drawing: how many, how large, what is on them."""

from __future__ import annotations

import base64
import io

import pikepdf
import pytest
from PIL import Image

from submissions.core.errors import Refusal
from submissions.layouts.recognition.drawing_files import previews
from submissions.layouts.recognition.file_checks import kind_of
from submissions.layouts.recognition.reader_process import run_task
from tests.submissions.layouts.recognition.built import pdf, svg


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    assert image.format == "PNG"
    return image


def painted(name: str, content: bytes) -> list[bytes]:
    """The pictures as `previews` has them, painted in this process."""
    return [base64.b64decode(page) for page in run_task(content, f"{kind_of(name, content)}-preview")]


def saved(image: Image.Image, kind: str = "PNG", **told: object) -> bytes:
    kept = io.BytesIO()
    image.save(kept, kind, **told)
    return kept.getvalue()


def test_svg_is_shown_by_browsers_themselves() -> None:
    assert previews("table.svg", svg("<text>Ante</text>")) == []


def test_pages_of_a_pdf_become_pictures_up_to_four() -> None:
    red, blue = b"1 0 0 rg 0 0 400 200 re f", b"0 0 1 rg 0 0 400 200 re f"
    pages = [opened(page) for page in previews("table.pdf", pdf(red, blue, red, blue, red))]
    assert [page.size for page in pages] == [(2000, 1000)] * 4
    assert [page.convert("RGB").getpixel((9, 9)) for page in pages] == [(255, 0, 0), (0, 0, 255)] * 2


def test_large_picture_becomes_smaller_and_small_ones_stay() -> None:
    assert opened(*previews("a.png", saved(Image.new("L", (4800, 1200), 9)))).size == (2400, 600)
    assert opened(*painted("a.jpg", saved(Image.new("RGB", (300, 120)), "JPEG"))).size == (300, 120)


@pytest.mark.parametrize(
    ("image", "shade"),
    [
        (Image.new("RGBA", (40, 20), (0, 0, 0, 0)), 255),
        (Image.new("I;16", (40, 20), 0x8000), 128),
        (Image.new("1", (40, 20), 1), 255),
        (Image.new("P", (40, 20), 0), 0),
    ],
    ids=["transparent", "sixteen bits", "black and white", "palette"],
)
def test_all_kinds_of_pixels_become_shades_on_white(image: Image.Image, shade: int) -> None:
    shown = opened(*painted("a.png", saved(image))).convert("L")
    assert shown.size == (40, 20)
    assert shown.getextrema() == (shade, shade)


def test_picture_of_a_camera_that_lay_on_its_side_stands_upright() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    assert opened(*painted("a.jpg", saved(Image.new("RGB", (300, 120)), "JPEG", exif=turned))).size == (120, 300)


@pytest.mark.parametrize(
    ("code", "name", "content"),
    [
        ("layout-kind", "a.png", b"%PDF-1.7"),
        ("layout-damaged", "a.pdf", b"%PDF-1.7 nothing"),
        ("layout-damaged", "a.pdf", pdf(b"", encryption=pikepdf.Encryption(user="secret", owner="secret"))),
        ("layout-damaged", "a.png", saved(Image.new("L", (400, 400)))[:60]),
        ("layout-too-large", "a.pdf", pdf(*[b""] * 11)),
    ],
    ids=["kind", "damaged PDF", "password", "damaged picture", "eleven pages"],
)
def test_what_cannot_be_shown_is_refused(code: str, name: str, content: bytes) -> None:
    with pytest.raises(Refusal) as refusal:
        painted(name, content)
    assert (refusal.value.code, bool(refusal.value.fix)) == (code, True)
