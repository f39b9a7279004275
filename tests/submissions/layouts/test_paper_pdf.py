"""The reference layout as a PDF: one sheet, its text still text, complete by the portal's own inspection."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest
from PIL import Image

from games.registry import chapter
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.paper_pdf import FiledDrawing, PagePicture, filed_layout_pdf, reference_layout_pdf
from submissions.layouts.recognition import pdf as reader
from submissions.layouts.required_elements import required_elements
from tests.games.chapters.examples import example
from tests.soak import also
from tests.submissions.layouts.papers import APPROVED, DRAFT, FILED, example_paper, words


@pytest.mark.parametrize("number", also(["682a", "688a"], ["592", "678a"]))
def test_own_inspection_finds_the_sheet_complete(number: str) -> None:
    made = example_paper("layout", number, DRAFT)
    called_for = required_elements(chapter(number), example(number), licensee=DRAFT.licensee)
    assert inspect(
        reader.read(made.content), called_for, chapter(number), example(number), licensee=DRAFT.licensee
    ).complete


def test_layout_is_one_tabloid_sheet_on_its_long_side_and_is_tagged() -> None:
    made = example_paper("layout", "682a", FILED)
    pdf = pikepdf.open(BytesIO(made.content))
    assert len(pdf.pages) == made.pages == 1
    assert [float(side) for side in pdf.pages[0].mediabox][2:] == [1224, 792]
    assert pdf.Root.MarkInfo.Marked is True
    assert pdf.open_metadata()["pdfaid:conformance"] == "A"


def test_layout_states_version_day_and_scale() -> None:
    text = words(example_paper("layout", "682a", FILED).content)
    for said in ("Chapter 682a", "RS-2026-00001-R1", "November 22, 2026", "Keystone Downs Casino", "20 in (508 mm)"):
        assert said in text
    assert "not an approval" not in text


def test_draft_of_a_layout_says_so() -> None:
    text = words(example_paper("layout", "682a", DRAFT).content)
    assert "Draft: not approved" in text
    assert "This drawing is not an approval." in text


def test_layout_has_the_positions_asked_for() -> None:
    assert "4 positions" in words(reference_layout_pdf(chapter("682a"), example("682a"), DRAFT, positions=4).content)


def test_same_answers_give_the_same_layout_in_bytes() -> None:
    again = reference_layout_pdf(chapter("682a"), example("682a"), FILED)
    assert again.sha256 == example_paper("layout", "682a", FILED).sha256


def test_drawing_of_two_pages_is_shown_as_filed_on_two_sheets_with_the_file_attached() -> None:
    green, brown = (PagePicture("image/png", _png(color)) for color in ("green", "brown"))
    source = FiledDrawing("felt.pdf", b"the file as uploaded")
    made = filed_layout_pdf(chapter("682a"), example("682a"), APPROVED, source, [green, brown])
    pdf = pikepdf.open(BytesIO(made.content))
    assert len(pdf.pages) == made.pages == 2
    assert pdf.attachments["felt.pdf"].get_file().read_bytes() == source.content
    text = words(made.content)
    for said in ("layout as filed: felt.pdf, page 1 of 2", "felt.pdf, page 2 of 2", source.sha256):
        assert said in text


def _png(color: str) -> bytes:
    written = BytesIO()
    Image.new("RGB", (300, 200), color).save(written, "PNG")
    return written.getvalue()
