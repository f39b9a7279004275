"""Papers in tests: their statements, the papers of the examples, and the words of a PDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache

import pypdfium2
from django.utils.html import strip_tags

from games.registry import chapter
from games.rules.model import Answers, Chapter
from submissions.documents.weasyprint_pdf import RenderedPdf
from submissions.layouts import paper_pdf
from submissions.layouts.paper_pdf import PaperDetails
from tests.games.chapters.examples import example

APPROVED = PaperDetails("Keystone Downs Casino", date(2026, 11, 22), "RS-2026-00001-R1")
DRAFT = PaperDetails("Keystone Downs Casino", date(2026, 11, 22))
FILED = PaperDetails(
    APPROVED.licensee,
    APPROVED.day,
    APPROVED.version,
    tables="tables 3, 7-9",
    filing="LF-2026-00001-R1",
    verify_at="https://portal.example/verify/LF-2026-00001-R1-sign",
    demo=True,
)
MAKERS: dict[str, Callable[[Chapter, Answers, PaperDetails], RenderedPdf]] = {
    "layout": paper_pdf.reference_layout_pdf,
    "sign": paper_pdf.payout_sign_pdf,
    "guide": paper_pdf.guide_pdf,
}


@cache
def example_paper(part: str, number: str, details: PaperDetails) -> RenderedPdf:
    """Return the paper of the chapter's example, rendered once for the tests that read it."""
    return MAKERS[part](chapter(number), example(number), details)


def words(pdf: bytes) -> str:
    """All text of a PDF in one line."""
    pages = pypdfium2.PdfDocument(pdf)
    return re.sub(r"\s+", " ", " ".join(page.get_textpage().get_text_range() for page in pages))


def words_of_html(page: str) -> str:
    """All text of a paper before it is rendered, in one line."""
    return " ".join(strip_tags(page).split())


def squeezed(text: str) -> str:
    """Without spaces and hyphens, which a line break may add or take."""
    return re.sub(r"[\s\u00ad\ufffe-]+", "", text)
