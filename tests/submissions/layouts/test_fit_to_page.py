"""The largest letters that keep within the sheets allowed: found whatever the content, in few layings out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from submissions.documents.weasyprint_pdf import PdfPages, render_pages
from submissions.layouts import paper_pdf

SIZES = tuple(size / 2 for size in range(44, 16, -1))


@dataclass
class Pages:
    """A stand-in for a document: content that takes so many sheets at a size."""

    takes: float
    pages: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        whole = int(self.takes)
        last = Sheet({paper_pdf.END: (0, 0, 0, (self.takes - whole) * 1000)})
        self.pages = [*(Sheet({}) for _ in range(whole)), last]


@dataclass
class Sheet:
    anchors: dict[str, tuple[float, ...]]
    height: float = 1000


@pytest.mark.parametrize("growth", [1.4, 1.6, 2.0])
@pytest.mark.parametrize("fits", SIZES)
def test_largest_size_that_fits_is_found_in_few_steps(fits: float, growth: float) -> None:
    tried: list[float] = []

    def way(size: float) -> PdfPages:
        tried.append(size)
        return PdfPages(str(size), Pages((size / (fits + 0.1)) ** growth))

    assert paper_pdf.largest_that_fits([way], SIZES, 1).html == str(fits)
    assert len(tried) <= 8


def test_end_of_the_content_tells_how_many_sheets_it_takes() -> None:
    style = "<style>@page { margin: 0; size: 100px } body { margin: 0 } p { margin: 0; height: 150px }</style>"
    assert paper_pdf.pages_filled(render_pages(f'{style}<p></p><div id="end"></div>')) == 1.5
    with pytest.raises(LookupError, match="does not end"):
        paper_pdf.pages_filled(render_pages("<p>no end</p>"))
