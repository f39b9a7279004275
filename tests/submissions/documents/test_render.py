"""The PDF before its seal: the same bytes everywhere, tagged, with its record inside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from weasyprint.urls import FatalURLFetchingError

from submissions.core.digests import canonical_json
from submissions.documents.submission_document import render_document
from submissions.documents.verify import FIELD
from submissions.documents.weasyprint_pdf import RenderedPdf, StaticFetcher
from tests.submissions.documents import sample

HOUSE = Path(__file__).resolve().parents[3]
PRINT_DIGEST = """
import django
django.setup()
from submissions.documents.submission_document import render_document
from tests.submissions.documents import sample
print(render_document(sample.record()).sha256)
"""
ELSEWHERE = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "4242", "SOURCE_DATE_EPOCH": "1"}


@pytest.fixture
def rendered(sample_pdf: RenderedPdf) -> RenderedPdf:
    return sample_pdf


@pytest.fixture
def pdf(rendered: RenderedPdf) -> pikepdf.Pdf:
    return pikepdf.open(BytesIO(rendered.content))


def test_bytes_repeat_in_another_process_zone_locale_and_hash_seed(rendered: RenderedPdf) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings", "PORTAL_LOG": "ERROR", **ELSEWHERE}
    ended = subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST], env=environment, cwd=HOUSE, capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == rendered.sha256


def test_document_is_tagged_pdfa_3a(pdf: pikepdf.Pdf) -> None:
    metadata = pdf.open_metadata()
    assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
    assert pdf.Root.MarkInfo.Marked is True
    assert str(pdf.Root.Lang) == "en-US"
    assert str(pdf.Root.OutputIntents[0].S) == "/GTS_PDFA1"
    assert str(pdf.docinfo.Title) == "Rules Submission RS-2026-00001-R1: DJ Wild Stud Poker, Casino East"


def test_times_are_the_approvals(pdf: pikepdf.Pdf) -> None:
    assert str(pdf.docinfo.CreationDate) == str(pdf.docinfo.ModDate) == "D:20261120091400-05'00"


def test_pages_say_nothing_of_the_figures_that_the_board_printed(rendered: RenderedPdf) -> None:
    assert any(row["published"] for row in sample.analysis()["wagers"])
    text = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(rendered.content))
    assert "Volatility index" in text
    assert ("Figures published" in text, "98.843" in text) == (False, False)


def test_attached_record_is_the_record(pdf: pikepdf.Pdf) -> None:
    assert list(pdf.attachments) == ["RS-2026-00001-R1.json"]
    attached = pdf.attachments["RS-2026-00001-R1.json"].get_file().read_bytes()
    assert attached.decode() == canonical_json(sample.record())
    assert json.loads(attached) == sample.record()


def test_fonts_are_embedded_and_ours(pdf: pikepdf.Pdf) -> None:
    fonts = {str(font.BaseFont).split("+")[1] for page in pdf.pages for font in page.Resources.Font.values()}
    assert fonts == {"Public-Sans", "Public-Sans-Bold", "Public-Sans-Italic", "Roboto-Mono"}


def test_signature_field_is_empty_named_and_in_the_structure(pdf: pikepdf.Pdf) -> None:
    (field,) = pdf.Root.AcroForm.Fields
    assert str(field.T) == FIELD
    assert "/V" not in field
    assert str(field.TU) == "Electronic seal of the Rules Submission Portal"
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    form = numbers[numbers.index(field.StructParent) + 1]
    assert str(form.S) == "/Form"
    assert form.K[0].Obj == field
    assert {str(page.obj.Tabs) for page in pdf.pages} == {"/S"}


def test_signature_field_lies_on_its_page(pdf: pikepdf.Pdf) -> None:
    (field,) = pdf.Root.AcroForm.Fields
    left, bottom, right, top = (float(value) for value in field.Rect)
    assert 0 < left < right < 612
    assert 0 < bottom < top < 792


def test_markup_in_an_answer_is_printed_not_obeyed_in_other_bytes(short_pdf: RenderedPdf) -> None:
    record = sample.record([sample.short_configuration()])
    record["snapshot"]["configurations"][0]["lines"][0]["answer"] = '<img src="file:///etc/passwd"><b>Yes</b>'
    changed = render_document(record)
    assert _figures(changed.content) == _figures(short_pdf.content)
    assert changed.sha256 != short_pdf.sha256


def test_table_groups_have_a_part_each(short_pdf: RenderedPdf) -> None:
    groups = [sample.short_configuration("All other tables"), sample.short_configuration("High limit", "1-4")]
    assert render_document(sample.record(groups)).pages > short_pdf.pages


def test_pages_name_only_the_pictures_that_they_show(rendered: RenderedPdf) -> None:
    pages = pikepdf.open(BytesIO(rendered.content)).pages
    named = [name for page in pages for name in page.Resources.XObject]
    assert named
    assert len(named) == len(set(named))


def test_figures_can_be_copied_as_they_read(rendered: RenderedPdf) -> None:
    text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(rendered.content))
    assert len(re.findall(r"\d+\.\d+ %", text)) > 5
    assert re.findall(r"[^\W\d_a-zA-Z\u0370-\u03ff]", text) == []  # letters of no word here: another glyph's


def test_draft_has_no_field_and_no_seal() -> None:
    record = sample.record([sample.short_configuration()]) | {"approved": None, "verify_at": "", "decisions": []}
    drafted = pikepdf.open(BytesIO(render_document(record, draft=True).content))
    assert "/AcroForm" not in drafted.Root


@pytest.mark.parametrize("address", ["http://example.test/a.css", "file:///etc/passwd", "ftp://example.test/a"])
def test_fetcher_refuses_what_is_not_ours(address: str) -> None:
    with pytest.raises(ValueError, match="disallowed protocol"):
        StaticFetcher().fetch(address)


@pytest.mark.parametrize("name", ["documents/none.css", "../settings.py", "%2e%2e/settings.py"])
def test_fetcher_stops_at_a_static_file_that_is_not_there(name: str) -> None:
    with pytest.raises((FatalURLFetchingError, Exception), match=r"missing|outside|located"):
        StaticFetcher().fetch(f"static:{name}")


def _figures(content: bytes) -> int:
    """How many pictures a PDF's structure names."""
    return sum(
        1
        for each in pikepdf.open(BytesIO(content)).objects
        if isinstance(each, pikepdf.Dictionary) and str(each.get("/S", "")) == "/Figure"
    )
