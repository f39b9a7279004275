"""Pictures that are askew: rows become level, and pages show the picture on which the words have their places.

Not found here: pictures turned by more than four degrees; the perspective of a photograph; the blur and grain of a real
scanner.
"""

from __future__ import annotations

import base64
import io
import shutil

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from submissions.layouts.drawing_model import Drawing, DrawingSource
from submissions.layouts.recognition import pdf, picture
from submissions.layouts.recognition.reader_process import run_task

pytestmark = pytest.mark.proof

recognizes = pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed")
WIDE, HIGH = 1600, 900
DARK, NEAR = 90, 12  # of 255; pixels
ROWS = ("Royal flush", "Straight flush", "Four of a kind", "Full house", "Straight", "Three of a kind")
PAYS = ("500 to 1", "200 to 1", "40 to 1", "10 to 1", "5 to 1", "3 to 1")


def paytable(angle: float) -> bytes:
    """Outcomes at the left, what they pay far to the right."""
    image = Image.new("RGB", (WIDE, HIGH), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(30)
    for place, (outcome, pays) in enumerate(zip(ROWS, PAYS, strict=True)):
        draw.text((200, 200 + 60 * place), outcome, fill="black", font=font)
        draw.text((1150, 200 + 60 * place), pays, fill="black", font=font)
    file = io.BytesIO()
    image.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor="white").save(file, "PNG")
    return file.getvalue()


def in_pdf(content: bytes) -> bytes:
    """The picture as the only content of a page, as scanners write it."""
    file = io.BytesIO()
    Image.open(io.BytesIO(content)).save(file, "PDF", resolution=200)
    return file.getvalue()


def preview(kind: str, content: bytes) -> Image.Image:
    """The picture that a page shows of the drawing, painted in this process."""
    (page,) = run_task(content, f"{kind}-preview")
    return Image.open(io.BytesIO(base64.b64decode(page)))


def height(drawing: Drawing, text: str) -> float:
    """Of the word, from the top, in the page's units."""
    word = next(word for word in drawing.words if word.text == text)
    return word.box.center[1] * drawing.pages[0].height


@recognizes
@pytest.mark.parametrize(("angle", "name"), [(-4.0, "scan.pdf"), (3.0, "scan.png")])
def test_outcome_and_odds_of_a_scan_askew_are_at_one_height(name: str, angle: float) -> None:
    content = paytable(angle)
    drawing = pdf.read(in_pdf(content)) if name.endswith("pdf") else picture.read(content)
    assert drawing.source is DrawingSource.PICTURE
    row = (height(drawing, "Three") - height(drawing, "Royal")) / (len(ROWS) - 1)
    for outcome, pays in (("Royal", "500"), ("Four", "40"), ("Full", "10")):
        assert abs(height(drawing, outcome) - height(drawing, pays)) < row / 3


@pytest.mark.parametrize("kind", ["picture", "pdf"])
def test_page_shows_the_straight_picture(kind: str) -> None:
    content = paytable(3.0)
    ink = np.asarray(preview(kind, in_pdf(content) if kind == "pdf" else content).convert("L")) < DARK
    left, right = (int(np.argmax(half.any(axis=1))) for half in np.array_split(ink, 2, axis=1))
    assert abs(left - right) < NEAR


def test_level_picture_keeps_its_size() -> None:
    assert preview("picture", paytable(0.0)).size == (WIDE, HIGH)
