"""Layout, payout sign and gaming guide as PDF files.

Not here: the portal's drawing of a table (`reference_drawing`), the content of sign and guide (`paper_content`), the
page with its foot and its fields (`paper`).
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.rules.model import Answers, Chapter
from submissions.core.dates import date_text
from submissions.documents.weasyprint_pdf import RenderedPdf
from submissions.layouts.paper import FiledDrawing, PaperDetails, PaperSheet, as_large_as_fits, render_paper
from submissions.layouts.paper_content import guide_content, payout_sign_content
from submissions.layouts.reference_drawing import Caption, layout_svg

GUIDE_SIZES = (11, 10.5, 10, 9.5, 9)  # points
SIGN_SIZES: dict[str, Sequence[float]] = {  # points; a sign that needs smaller letters takes several sheets
    "letter": tuple(size / 2 for size in range(44, 16, -1)),
    "tabloid": tuple(size / 2 for size in range(68, 22, -1)),
}


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page of a drawing that a browser can show: an SVG or PNG."""

    media_type: str
    content: bytes

    @property
    def address(self) -> str:
        """The picture as a `data:` address."""
        return f"data:{self.media_type};base64,{b64encode(self.content).decode()}"


def guide_pdf(chapter: Chapter, answers: Answers, details: PaperDetails) -> RenderedPdf:
    """The guide on Letter: on one page if it fits in legible letters, else on two, else on more.

    Raises:
        GuideMissing: the chapter's text is not available.
    """
    sheet = PaperSheet("guide", chapter, answers, details)
    return as_large_as_fits(sheet, [guide_content(chapter, answers)], (1, GUIDE_SIZES[:-1]), (2, GUIDE_SIZES))


def payout_sign_pdf(chapter: Chapter, answers: Answers, details: PaperDetails, *, size: str = "letter") -> RenderedPdf:
    """The sign in the largest letters that fit on one upright sheet; `size`: one of `SIGN_SIZES`."""
    two_columns = {**payout_sign_content(chapter, answers), "paper": size}
    one_column = {**two_columns, "columns": [[table for column in two_columns["columns"] for table in column]]}
    sheet = PaperSheet("sign", chapter, answers, details)
    contents = [two_columns, one_column] if two_columns["columns"] else [two_columns]
    return as_large_as_fits(sheet, contents, (1, SIGN_SIZES[size]))


def reference_layout_pdf(chapter: Chapter, answers: Answers, details: PaperDetails, positions: int = 0) -> RenderedPdf:
    """The reference layout as a PDF, Tabloid on its long side; `positions` as in `required_elements`."""
    caption = Caption(date=date_text(details.day))
    if not details.draft:
        caption = replace(caption, version=details.version, note="Drawn from the options of the Rules Submission.")
    svg = layout_svg(chapter, answers, licensee=details.licensee, caption=caption, positions=positions)
    picture = PagePicture("image/svg+xml", svg.encode())
    return render_paper(PaperSheet("layout", chapter, answers, details), {"pictures": [picture]})


def filed_layout_pdf(
    chapter: Chapter, answers: Answers, details: PaperDetails, source: FiledDrawing, pictures: Sequence[PagePicture]
) -> RenderedPdf:
    """A drawing that was filed, a sheet for each of its pages; the file itself is attached to an approved paper."""
    sheet = PaperSheet("layout", chapter, answers, details, source)
    return render_paper(sheet, {"pictures": pictures, "source": source})
