"""QR codes to cut out, one for each table: each leads to the public page of the rules in effect at that table.

The code names the table, not its game: it stays right when the table changes its game. Not sealed: it states nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from submissions.documents.context import qr
from submissions.documents.weasyprint_pdf import render_pages, write_pdf

CARDS = 12  # on a Letter sheet, three beside each other


@dataclass(frozen=True, slots=True)
class QrCard:
    """A table and the address of its page."""

    number: str
    address: str

    @property
    def code(self) -> SafeString:
        return qr(self.address)


def qr_sheet_pdf(licensee: str, cards: Sequence[QrCard]) -> bytes:
    """Return the sheets of a licensee (by its name), 12 codes each; the same cards give the same bytes."""
    sheets = [cards[start : start + CARDS] for start in range(0, len(cards), CARDS)]
    return write_pdf(
        render_pages(render_to_string("documents/qr_sheet.html", {"licensee": licensee, "sheets": sheets}))
    )
