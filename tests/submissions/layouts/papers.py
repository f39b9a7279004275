"""What the tests of sign and guide share: what is stated on them, and the words of a PDF."""

from __future__ import annotations

import re
from datetime import date

import pypdfium2

from submissions.layouts.paper import PaperDetails

APPROVED = PaperDetails("Keystone Downs Casino", date(2026, 11, 22), "RS-2026-00001-R1")
DRAFT = PaperDetails("Keystone Downs Casino", date(2026, 11, 22))


def words(pdf: bytes) -> str:
    """All text of a PDF in one line."""
    pages = pypdfium2.PdfDocument(pdf)
    return re.sub(r"\s+", " ", " ".join(page.get_textpage().get_text_range() for page in pages))


def squeezed(text: str) -> str:
    """Without spaces and hyphens, which a line break may add or take."""
    return re.sub(r"[\s\u00ad\ufffe-]+", "", text)
