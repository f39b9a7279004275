"""What is recognized on a picture: level, askew, light on dark; and that it says so where it cannot."""

from __future__ import annotations

import io
import shutil

import pytest
from PIL import Image, ImageDraw, ImageFont

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingSource
from submissions.layouts.recognition import pdf as papers
from submissions.layouts.recognition import picture
from submissions.layouts.recognition.drawing_files import read_drawing
from tests.submissions.layouts.recognition.built import box, lines, near

recognizes = pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed")


def scanned(
    *, turned: float = 0.0, ink: str = "black", ground: str = "white", kind: str = "PNG", dpi: int = 150
) -> bytes:
    """A sheet of 254 × 127 mm with three lines of letters and an area."""
    image = Image.new("RGB", (1500, 750), ground)
    draw = ImageDraw.Draw(image)
    for y, text in ((100, "Dealer must qualify with a pair"), (300, "Royal Flush 100 to 1"), (400, "Straight 4 to 1")):
        draw.text((200, y), text, fill=ink, font=ImageFont.load_default(34))
    draw.ellipse((1000, 300, 1300, 600), outline=ink, width=4)
    image = image.rotate(turned, Image.Resampling.BICUBIC, fillcolor=ground)
    kept = io.BytesIO()
    image.save(kept, kind, dpi=(dpi, dpi))
    return kept.getvalue()


def shown(found: Drawing) -> None:
    assert found.source is DrawingSource.PICTURE
    assert {"Dealer must qualify with a pair", "Royal Flush 100 to 1", "Straight 4 to 1"} <= set(lines(found))
    assert all(0 < word.certainty <= 1 for word in found.words)


@recognizes
def test_level_scan_is_read_and_its_size_is_known() -> None:
    found = read_drawing("scan.png", scanned())
    shown(found)
    assert near((found.pages[0].width, found.pages[0].height), (254, 127), 0.1)
    assert near(box(found, "Dealer").center, (0.167, 0.16))


@recognizes
@pytest.mark.parametrize("turned", [2.0, -2.0])
def test_scan_askew_is_put_straight_and_words_stand_where_they_are(turned: float) -> None:
    found = picture.read(scanned(turned=turned, kind="JPEG"))
    shown(found)
    assert near(box(found, "Dealer").center, (0.167, 0.16 + (0.023 if turned > 0 else -0.023)), 0.02)


@recognizes
def test_light_letters_on_dark_felt_are_read() -> None:
    shown(picture.read(scanned(ink="#f4f0e0", ground="#0b4d36")))


@recognizes
def test_scan_in_a_pdf_is_recognized_and_marked() -> None:
    kept = io.BytesIO()
    Image.open(io.BytesIO(scanned())).save(kept, "PDF", resolution=150)
    found = read_drawing("scan.pdf", kept.getvalue())
    shown(found)
    assert found.outlined


def test_without_tesseract_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Refusal) as refusal:
        picture.read(scanned())
    assert refusal.value.code == "ocr-missing"
    kept = io.BytesIO()
    Image.open(io.BytesIO(scanned())).save(kept, "PDF", resolution=150)
    found = papers.read(kept.getvalue())
    assert (found.outlined, found.words) == (True, ())


def test_damaged_picture_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        picture.read(scanned()[:3000])
    assert refusal.value.code in ("layout-damaged", "ocr-missing")
