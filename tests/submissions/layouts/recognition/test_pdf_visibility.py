"""Words of a PDF that people see: no invisible text speaks for a picture, and pictures beside text are recognized.

Not found here: words that another viewer shows or hides unlike PDFium, which reads and paints them here; words hidden
by a layer, a soft mask or a clipping path.
"""

from __future__ import annotations

import io

import pikepdf
import pytest
from PIL import Image, ImageDraw, ImageFont

from submissions.layouts.drawing_model import DrawingSource
from submissions.layouts.recognition import pdf as reader
from submissions.layouts.recognition.svg_geometry import subpaths
from submissions.layouts.typeface import font_file
from tests.submissions.layouts.recognition.built import lines, pdf

pytestmark = pytest.mark.proof

WHOLE = b"q 400 0 0 200 0 0 cm /Scan Do Q "
SCANNED = "Blackjack pays 6 to 5"
BESIDE = b"BT /F 10 Tf 40 180 Td (Must qualify) Tj ET "


def scan(text: str) -> Image.Image:
    """A page of 400 × 200 points with a line of text in its middle."""
    image = Image.new("L", (1600, 800), "white")
    font = ImageFont.truetype(str(font_file("regular")), 64)
    ImageDraw.Draw(image).text((200, 360), text, font=font, fill="black")
    return image


def with_resources(content: bytes, image: Image.Image | None = None) -> bytes:
    """A page with an image as /Scan, a state without opacity as /Clear and a Type 3 font as /Three."""
    with pikepdf.open(io.BytesIO(pdf(content))) as paper:
        resources = paper.pages[0].Resources
        resources.ExtGState = pikepdf.Dictionary(Clear=pikepdf.Dictionary(ca=0, CA=0))
        resources.Font.Three = paper.make_indirect(type_three(paper))
        if image:
            values = {"Width": image.width, "Height": image.height, "BitsPerComponent": 8}
            names = {"Type": "XObject", "Subtype": "Image", "ColorSpace": "DeviceGray"}
            kinds = {key: pikepdf.Name(f"/{name}") for key, name in names.items()}
            stream = paper.make_stream(image.tobytes(), **values, **kinds)
            resources.XObject = pikepdf.Dictionary(Scan=stream)
        kept = io.BytesIO()
        paper.save(kept)
    return kept.getvalue()


def type_three(paper: pikepdf.Pdf) -> pikepdf.Dictionary:
    """A font whose letters A to E are bars."""
    bar = paper.make_stream(b"600 0 0 0 500 700 d1 0 0 400 700 re f")
    letters = [pikepdf.Name(f"/{letter}") for letter in "ABCDE"]
    codes = paper.make_stream(
        b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <41> <45> <0041> endbfrange"
    )
    return pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, FontBBox=[0, 0, 1000, 1000], FirstChar=65, LastChar=69,
        ToUnicode=codes,
        FontMatrix=[0.001, 0, 0, 0.001, 0, 0], Widths=[600] * 5, Resources=pikepdf.Dictionary(),
        CharProcs=pikepdf.Dictionary({str(letter): bar for letter in letters}),
        Encoding=pikepdf.Dictionary(Type=pikepdf.Name.Encoding, Differences=[65, *letters]),
    )  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        WHOLE + b"BT 3 Tr /F 16 Tf 50 94 Td (Blackjack pays 3 to 2) Tj ET",
        WHOLE + b"BT 7 Tr /F 16 Tf 50 94 Td (Blackjack pays 3 to 2) Tj ET",
        b"BT /F 16 Tf 50 94 Td (Blackjack pays 3 to 2) Tj ET " + WHOLE,
        WHOLE + b"q /Clear gs BT /F 16 Tf 50 94 Td (Blackjack pays 3 to 2) Tj ET Q",
    ],
    ids=["invisible", "clip only", "under the scan", "transparent"],
)
def test_hidden_text_never_speaks_for_a_scan(content: bytes) -> None:
    found = reader.read(with_resources(content, scan(SCANNED)))
    assert (found.source, lines(found)) == (DrawingSource.PICTURE, [SCANNED])


def test_hidden_text_over_a_scan_is_left_out_beside_visible_text() -> None:
    hidden = b"BT 3 Tr /F 16 Tf 50 94 Td (Blackjack pays 3 to 2) Tj ET "
    found = reader.read(with_resources(WHOLE + hidden + b"0 Tr " + BESIDE, scan(SCANNED)))
    assert lines(found) == ["Must qualify", SCANNED]
    assert [word.certainty < 1 for word in found.words] == [False] * 2 + [True] * 5


def test_picture_beside_text_is_recognized_and_text_over_it_is_read_once() -> None:
    found = reader.read(with_resources(WHOLE + BESIDE, scan(SCANNED)))
    assert (found.source, found.outlined) == (DrawingSource.PDF, False)
    assert lines(found) == ["Must qualify", SCANNED]


def outlines(text: str) -> bytes:
    """The letters of the portal's typeface as paths, 16 points high, in the middle of the page."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.ttLib import TTFont

    font = TTFont(font_file("regular"))
    glyphs, names, x, content = font.getGlyphSet(), font.getBestCmap(), 50.0, b""
    scale = 16 / font["head"].unitsPerEm
    for letter in text:
        pen = SVGPathPen(glyphs)
        glyphs[names[ord(letter)]].draw(pen)
        for part in subpaths(pen.getCommands()):
            steps = [b"%f %f" % (x + scale * across, 94 + scale * up) for across, up in part.points]
            content += steps[0] + b" m " + b" ".join(step + b" l" for step in steps[1:]) + b" h "
        x += scale * glyphs[names[ord(letter)]].width
        content += b"f "
    return content


def test_outlines_beside_text_are_recognized() -> None:
    found = reader.read(pdf(BESIDE + outlines("Insurance pays 2 to 1")))
    assert (found.source, lines(found)) == (DrawingSource.PDF, ["Must qualify", "Insurance pays 2 to 1"])


def test_shapes_beside_text_are_not_taken_for_letters() -> None:
    circles = b"".join(b"%d 40 60 30 re S " % x for x in range(10, 400, 70))
    assert lines(reader.read(pdf(BESIDE + circles))) == ["Must qualify"]


def test_letters_of_type_three_are_visible() -> None:
    assert lines(reader.read(with_resources(b"BT /Three 10 Tf 50 94 Td (ABCDE) Tj ET"))) == ["ABCDE"]


def test_letters_too_small_to_read_are_left_out() -> None:
    assert reader.read(pdf(b"BT /F .3 Tf 50 94 Td (Ante) Tj ET " + BESIDE)).words[0].text == "Must"


def test_word_half_covered_is_unclear() -> None:
    found = reader.read(pdf(b"BT /F 16 Tf 50 94 Td (qualification) Tj ET 1 g 95 80 90 40 re f 0 g " + BESIDE))
    assert ([word.text for word in found.words], [word.text for word in found.unclear]) == (
        ["Must", "qualify"],
        ["qualification"],
    )


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F 10 Tf -1 0 0 1 200 100 Tm (Blackjack) Tj ET",
        b"BT /F 10 Tf 1 0 0 -1 100 100 Tm (Blackjack) Tj ET",
        b"BT /F 10 Tf .1 0 0 1 100 100 Tm (Blackjack) Tj ET",
        b"BT /F 10 Tf 1 0 3 1 100 100 Tm (Blackjack) Tj ET",
        b"BT /F 10 Tf -4 Tc 100 100 Td (Blackjack) Tj ET",
        b".9 g BT /F 10 Tf 100 100 Td (Blackjack) Tj ET",
    ],
    ids=["mirrored", "upside down and mirrored", "squeezed", "slanted", "letters on each other", "faint"],
)
def test_word_that_is_hard_to_read_is_unclear(content: bytes) -> None:
    found = reader.read(pdf(content))
    assert (len(found.words), len(found.unclear) > 0) == (0, True)


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F 10 Tf -1 0 0 -1 200 100 Tm (Blackjack) Tj ET",
        b"BT /F 10 Tf 1 0 .3 1 100 100 Tm (Blackjack) Tj ET",
        b"BT /F 10 Tf -.5 Tc 60 Tz 100 100 Td (Blackjack) Tj ET",
        b".8 g BT /F 10 Tf 100 100 Td (Blackjack) Tj ET",
    ],
    ids=["for the other side of the table", "italic", "condensed", "gray"],
)
def test_word_of_another_form_is_read(content: bytes) -> None:
    assert lines(reader.read(pdf(content))) == ["Blackjack"]
