"""What is read from a PDF: words, lines, figures; hidden words are left out; outlines are told."""

from __future__ import annotations

import io

import pikepdf
import pytest
import weasyprint

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import DrawingSource
from submissions.layouts.recognition import pdf as reader
from submissions.layouts.recognition.drawing_files import admit
from submissions.layouts.recognition.svg import WIDTHS
from tests.submissions.layouts.recognition.built import box, lines, near, pdf


def test_words_and_figures_stand_where_they_are_drawn() -> None:
    found = reader.read(pdf(b"BT /F 10 Tf 100 100 Td (Ante wager) Tj ET 100 50 100 40 re S"))
    assert (found.source, found.outlined, lines(found)) == (DrawingSource.PDF, False, ["Ante wager"])
    assert near(box(found, "Ante").center, (0.276, 0.49))
    assert [near(shape.box.center, (0.375, 0.65), 0.001) for shape in found.shapes] == [True]
    assert near((found.pages[0].width, found.pages[0].height), (141.1, 70.56))


@pytest.mark.parametrize(
    ("content", "center"),
    [
        (b"q 0 1 -1 0 300 100 cm BT /F 10 Tf (Ante) Tj ET Q", (0.74, 0.45)),
        (b"q 2 0 0 2 200 100 cm BT /F 5 Tf (Ante) Tj ET Q", (0.527, 0.49)),
        (b"BT /F 1 Tf 7.07 7.07 -7.07 7.07 200 100 Tm [(An) -20 (te)] TJ ET", (0.51, 0.44)),  # codespell:ignore te
    ],
)
def test_turned_and_scaled_words_keep_together(content: bytes, center: tuple[float, float]) -> None:
    found = reader.read(pdf(content))
    assert lines(found) == ["Ante"]
    assert near(box(found, "Ante").center, center), box(found, "Ante").center


def letter_by_letter(words: str, x: float, y: float) -> bytes:
    """Each letter an object of its own on a line that is slanted by 35 degrees, as browsers print it."""
    content = b""
    for letter in words:
        content += b"BT /F 10 Tf .819 .574 -.574 .819 %f %f Tm (%s) Tj ET " % (x, y, letter.encode())
        width = 10 * WIDTHS.get(letter, 0.556)
        x, y = x + 0.819 * width, y + 0.574 * width
    return content


def test_slanted_lines_are_read_letter_by_letter() -> None:
    found = reader.read(pdf(letter_by_letter("All-Six tells", 100, 50) + letter_by_letter("Bonus", 106, 41)))
    assert lines(found) == ["All-Six tells", "Bonus"]


def test_page_that_is_turned_is_read_as_it_is_seen() -> None:
    import io

    with pikepdf.open(io.BytesIO(pdf(b"BT /F 10 Tf 10 180 Td (Ante) Tj ET"))) as paper:
        paper.pages[0].Rotate = 90
        kept = io.BytesIO()
        paper.save(kept)
    found = reader.read(kept.getvalue())
    assert (found.pages[0].width, found.pages[0].height) == (70.56, 141.11)
    assert near(box(found, "Ante").center, (0.92, 0.05), 0.03)


@pytest.mark.parametrize(
    "content",
    [
        b"1 g BT /F 10 Tf 100 100 Td (Ante) Tj ET",
        b"BT 3 Tr /F 10 Tf 100 100 Td (Ante) Tj ET",
        b"BT /F 10 Tf 100 100 Td (Ante) Tj ET 0 .5 0 rg 0 0 400 200 re f",
        b"0 0 9 9 re W n BT /F 10 Tf 100 100 Td (Ante) Tj ET",
        b"BT /F 10 Tf 900 100 Td (Ante) Tj ET",
    ],
    ids=["white on white", "invisible", "covered", "clipped", "off the page"],
)
def test_what_cannot_be_seen_is_left_out(content: bytes) -> None:
    assert reader.read(pdf(content)).words == ()


def test_columns_make_lines_and_pages_are_kept_apart() -> None:
    column = b"BT /F 10 Tf 100 100 Td (Royal Flush) Tj 0 -14 Td (Flush) Tj ET "
    pays = b"BT /F 10 Tf 172 100 Td (100 to 1) Tj 0 -14 Td (6 to 1) Tj ET"
    found = reader.read(pdf(column + pays, b"BT /F 10 Tf 9 9 Td (Tip box) Tj ET"))
    assert lines(found)[0] == "Royal Flush 100 to 1"
    assert lines(found, 1) == ["Tip box"]


def test_paper_of_another_program_is_read() -> None:
    html = """<style>@page{size:200mm 100mm;margin:9mm}p{font:12pt sans-serif;margin:0}b{letter-spacing:.3pt}</style>
        <p>Dealer must <b>qualify</b> with pair of 4s</p>
        <svg width="60" height="60"><circle cx="30" cy="30" r="20"/></svg>"""
    found = reader.read(weasyprint.HTML(string=html).write_pdf())
    assert lines(found) == ["Dealer must qualify with pair of 4s"]
    assert len(found.shapes) == 1


def test_letters_as_outlines_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = reader.read(pdf(b"10 10 m 20 10 l 15 20 l f " * 40))
    assert (found.outlined, found.words, found.source) == (True, (), DrawingSource.PDF)


def annotated(kind: str, **values: object) -> bytes:
    """A drawing with an annotation of this kind."""
    with pikepdf.open(io.BytesIO(pdf(b"BT /F 10 Tf 100 100 Td (Ante) Tj ET"))) as paper:
        rectangle = pikepdf.Array([20, 20, 200, 40])
        note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f"/{kind}"), Rect=rectangle, **values)
        paper.pages[0].Annots = pikepdf.Array([paper.make_indirect(note)])
        kept = io.BytesIO()
        paper.save(kept)
    return kept.getvalue()


APPEARANCE = pikepdf.Dictionary(N=pikepdf.Dictionary())


@pytest.mark.parametrize(
    "content",
    [
        *(annotated(kind, Contents="Blackjack pays 6 to 5", F=4) for kind in ("FreeText", "Stamp", "Square", "Text")),
        annotated("FreeText", Contents="Blackjack pays 6 to 5"),
        annotated("Widget", FT=pikepdf.Name.Tx, V="Blackjack pays 6 to 5"),
        annotated("Link", AP=APPEARANCE),
    ],
    ids=("free text", "stamp", "square", "text", "hidden from print", "form field", "link with a picture"),
)
def test_annotation_on_a_page_is_refused(content: bytes) -> None:
    """Its words are not those of the page, and a reviewer may see them or not."""
    with pytest.raises(Refusal, match=r"Page 1 of the PDF has a comment") as refusal:
        reader.read(content)
    assert refusal.value.code == "layout-damaged"


def test_annotation_on_a_page_is_refused_at_the_upload() -> None:
    with pytest.raises(Refusal, match=r"Page 1 of the PDF has a comment") as refusal:
        admit("table.pdf", annotated("FreeText", Contents="Blackjack pays 6 to 5"))
    assert refusal.value.code == "layout-damaged"


@pytest.mark.parametrize(
    "content",
    [annotated("Link"), annotated("Popup"), annotated("Square", F=2)],
    ids=("link", "pop-up", "hidden square"),
)
def test_annotation_that_shows_nothing_is_no_matter(content: bytes) -> None:
    assert lines(reader.read(content)) == ["Ante"]
