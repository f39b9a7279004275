"""Reference layouts that went through other programs and a scanner are read and inspected; how each was made stands in
`files/README.md`.

Not found here: drawings of programs other than Inkscape and LibreOffice Draw; errors of a real scanner, since the scans
are computed; an element that the reference layout and the inspection both leave out.
"""

from __future__ import annotations

import io
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image, ImageFilter

from games.registry import chapter
from submissions.layouts.drawing_model import Drawing, DrawingSource
from submissions.layouts.inspection.findings import DifferenceKind, Inspection
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.recognition import pdf, picture, svg
from submissions.layouts.required_elements import DEFICIENT, ElementStatus, required_elements
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import left_to_a_person
from tests.submissions.layouts.recognition.built import lines, quickly

pytestmark = pytest.mark.proof
FILES = Path(__file__).parent / "files"
recognizes = pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed")
READERS = {".pdf": pdf.read, ".svg": svg.read}


@cache
def read_file(name: str) -> Drawing:
    with quickly(8):
        return READERS[Path(name).suffix]((FILES / name).read_bytes())


@cache
def read_scan(name: str) -> Drawing:
    """The drawing that is read of a scan turned by two degrees."""
    scanned = scan(name, turned=2.0)
    with quickly(8):
        return picture.read(scanned)


def scan(name: str, *, turned: float, wide: int = 2550) -> bytes:
    """A print 17 inches wide, put askew on a scanner of 150 dots an inch, with its blur and its grain."""
    with pypdfium2.PdfDocument(FILES / name) as paper:
        page = paper[0]
        image = page.render(scale=wide / max(page.get_size())).to_pil().convert("RGB")
    image = image.rotate(turned, Image.Resampling.BICUBIC, expand=True, fillcolor="#fafaf8")
    pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(0.6))).astype(float)
    pixels += np.random.default_rng(1).normal(0, 5, (*pixels.shape[:2], 1))
    kept = io.BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(kept, "JPEG", quality=80, dpi=(150, 150))
    return kept.getvalue()


def inspected(drawing: Drawing, number: str) -> Inspection:
    rules, answers = chapter(number), example(number)
    needed = required_elements(rules, answers, positions=0, licensee="Example Casino")
    return inspect(drawing, needed, rules, answers, licensee="Example Casino")


def areas(inspection: Inspection) -> dict[str, int]:
    """How often each betting area was found."""
    return {
        one.required.phrases[0]: one.times
        for one in inspection.elements
        if one.required.kind == "area" and one.required.phrases
    }


@pytest.mark.parametrize("name", ["inkscape-text.pdf", "draw.pdf"])
def test_pdf_of_another_program_with_text_as_text_is_complete(name: str) -> None:
    drawing = read_file(name)
    with quickly(2):
        found = inspected(drawing, "683a")
    assert (drawing.source, drawing.outlined) == (DrawingSource.PDF, False)
    assert (found.complete, found.differences) == (True, ())
    assert set(areas(found).values()) == {6}
    shuffler = next(one for one in found.elements if one.required.citation == "§ 683a.5(a)")
    assert shuffler.status is ElementStatus.PRESENT  # its “ffl” is one letter to the program


@recognizes
@pytest.mark.parametrize("name", ["inkscape-outlines.pdf", "inkscape-outlines.svg"])
def test_letters_as_outlines_are_recognized_and_marked(name: str) -> None:
    drawing = read_file(name)
    with quickly(2):
        found = inspected(drawing, "657a")
    assert (drawing.source, drawing.outlined) == (DrawingSource.PICTURE, True)
    assert (found.of(*DEFICIENT), found.differences) == ((), ())
    assert left_to_a_person(found) <= {"tip_box"}  # so small that it is not read every time
    assert areas(found) == {"Ante": 6, "Play": 6, "Super Bonus": 6}


@recognizes
def test_outlines_beside_text_are_recognized() -> None:
    content = (FILES / "inkscape-outlines.svg").read_bytes()
    text = b'<text x="40" y="60" font-size="30">Live words</text></svg>'
    found = svg.read(content.rpartition(b"</svg>")[0] + text)
    alone = {word.text for word in read_file("inkscape-outlines.svg").words if len(word.text) > 1}
    assert lines(found)[0] == "Live words"
    assert {word.text for word in found.words if word.certainty < 1} >= alone


@recognizes
@pytest.mark.parametrize(("name", "number"), [("inkscape-outlines.pdf", "657a"), ("draw.pdf", "683a")])
def test_scan_at_150_dots_turned_by_two_degrees_is_read(name: str, number: str) -> None:
    drawing = read_scan(name)
    with quickly(2):
        found = inspected(drawing, number)
    assert drawing.source is DrawingSource.PICTURE
    assert found.of(*DEFICIENT) == ()
    assert {each.kind for each in found.differences} <= {DifferenceKind.UNCLEAR}
    assert left_to_a_person(found) <= {"tip_box"}  # so small that it is not read every time
    assert set(areas(found).values()) == {6}


@recognizes
def test_drawing_of_another_game_is_told() -> None:
    found = inspected(read_scan("inkscape-outlines.pdf"), "683a")
    assert not found.complete
    raises = {one.status for one in found.elements if one.required.key.startswith("raise")}
    assert raises == {ElementStatus.TO_BE_JUDGED}, "a picture never says that something is not there"
