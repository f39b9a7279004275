"""Layout, payout sign and gaming guide as PDF files: pages with details and record, in letters as large as fit.

The same content gives the same bytes. An approved paper has a field for the seal and its record attached; a draft is
marked as one and has neither. Not here: the content (`reference_drawing`, `paper_content`), the seal (`paper_jobs`).
"""

import hashlib
from base64 import b64encode
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Any

from django.template.loader import render_to_string

from games.rules.model import Answers, Chapter
from submissions.core.dates import date_text, start_of
from submissions.core.digests import canonical_json
from submissions.documents.context import qr
from submissions.documents.signed_pdf import add_field
from submissions.documents.weasyprint_pdf import PdfPages, RenderedPdf, attached_file, render_pages, write_pdf
from submissions.layouts.paper_content import guide_content, payout_sign_content
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.models import Part

FORMAT = 1

END = "end"  # id of the template's last element
GROWTH = 1.6  # letters twice as large take 2 ** GROWTH times the height, between unbroken and broken lines
FOOT = 0.07  # approximate share of a sheet below its content

Content = Mapping[str, Any]
PageAllowance = tuple[int, Sequence[float]]  # most pages, and the letter sizes to try (points, largest first)
Layouter = Callable[[float], PdfPages]  # renders the content in letters of that many points


@dataclass(frozen=True, slots=True)
class PaperDetails:
    """The licensee, version and day that are printed on the paper. Without a version it is a draft."""

    licensee: str
    day: date
    version: str = ""  # the receipt of what was approved: RS-2026-00001-R1
    tables: str = ""  # which tables, if not all
    filing: str = ""  # the receipt of its own filing (§ 601a.10): LF-2026-00001-R1
    filing_sha256: str = ""  # the digest of that filing (`layout_digest`)
    history: Mapping[str, Any] | None = None  # the checkpoint of the history at its approval
    verify_at: str = ""  # the address of the verification page
    in_effect_at: str = ""  # of a sign: the address of the public page of what governs the game at this licensee
    demo: bool = False  # made with demonstration keys

    @property
    def draft(self) -> bool:
        return not self.version


@dataclass(frozen=True, slots=True)
class FiledDrawing:
    """The file of the drawing that a layout was filed with."""

    name: str  # as uploaded, cleaned
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One part (layout, sign, guide) for these answers; its template and stylesheet have the part's name."""

    part: str
    chapter: Chapter
    answers: Answers
    details: PaperDetails
    source: FiledDrawing | None = None

    @property
    def name(self) -> str:
        """The name of the file and its record: LF-2026-00001-R1-sign."""
        return f"{self.details.filing or self.details.version}-{self.part}"

    def record(self) -> dict[str, Any]:
        """Return the data that the paper is made from; attached to an approved paper."""
        details = self.details
        record = {
            "format": FORMAT,
            "part": self.part,
            "chapter": {"number": self.chapter.number, "title": self.chapter.title},
            "licensee": details.licensee,
            "tables": details.tables,
            "version": details.version,
            "filing": details.filing,
            "day": details.day.isoformat(),
            "answers": dict(self.answers),
            "rules_digest": self.chapter.digest,
            "verify_at": details.verify_at,
            "demo": details.demo,
            "drawing": {"name": self.source.name, "sha256": self.source.sha256} if self.source else None,
        }
        if details.in_effect_at:
            record["in_effect_at"] = details.in_effect_at
        if details.history:
            record |= {"filing_sha256": details.filing_sha256, "history": details.history}
        return record

    def html(self, content: Content) -> str:
        details = self.details
        context = {
            "part": self.part,
            "kind": Part(self.part).label,
            "game": self.chapter.title,
            "chapter": self.chapter.number,
            "details": details,
            "day": date_text(details.day),
            "qr": qr(details.verify_at) if details.verify_at else "",
            "in_effect_qr": qr(details.in_effect_at) if details.in_effect_at else "",
        }
        return render_to_string(f"documents/{self.part}.html", {**content, **context})


def render_paper(sheet: PaperSheet, content: Content) -> RenderedPdf:
    """Return the page as a tagged PDF/A; with an empty signature field and its record unless it is a draft."""
    return _written(sheet, render_pages(sheet.html(content)))


def as_large_as_fits(sheet: PaperSheet, contents: Sequence[Content], *allowed: PageAllowance) -> RenderedPdf:
    """Return the PDF in the largest letters within the first page allowance, else the next; the best arrangement."""

    def layouter(content: Content) -> Layouter:
        return cache(lambda size: render_pages(sheet.html({**content, "size": size})))

    layouters = [layouter(content) for content in contents]
    for pages, sizes in allowed:
        rendered = largest_that_fits(layouters, sizes, pages)
        if len(rendered.pages) <= pages:
            break
    return _written(sheet, rendered)


def _written(sheet: PaperSheet, rendered: PdfPages) -> RenderedPdf:
    pages, source, moment = len(rendered.pages), sheet.source, start_of(sheet.details.day)
    if sheet.details.draft:
        return RenderedPdf(write_pdf(rendered), pages)
    about = f"The {Part(sheet.part).label.lower()} as data: licensee, tables, version, answers, digest of the rules"
    attached = [attached_file(f"{sheet.name}.json", canonical_json(sheet.record()).encode(), about, moment)]
    if source:
        drawn = attached_file(source.name, source.content, "The drawing as it was filed", moment, source=True)
        attached.append(drawn)
    return RenderedPdf(add_field(write_pdf(rendered, *attached), rendered), pages)


def largest_that_fits(layouters: Sequence[Layouter], sizes: Sequence[float], pages: int) -> PdfPages:
    """Return the content in the largest of the sizes (largest first) that keeps it within the pages, or the smallest.

    Rendering takes a third of a second: the next size to try follows from how far the last one filled its sheets.
    """
    chosen = layouters[0]
    best = _place(chosen, sizes, pages, len(sizes) - 1, first=len(sizes) * 3 // 5)
    for layouter in layouters[1:]:
        place = _place(layouter, sizes, pages, best, first=best - 1)
        if place < best:
            best, chosen = place, layouter
    return chosen(sizes[best])


def _place(layouter: Layouter, sizes: Sequence[float], pages: int, fits: int, *, first: int) -> int:
    """Return the place of the largest size before `fits` that keeps it within the pages; else `fits`."""
    tight, place = -1, first
    while fits - tight > 1:
        rendered = layouter(sizes[place])
        if len(rendered.pages) <= pages:
            fits = place
            place = min(max(_filling(rendered, sizes, place, pages), tight + 1), fits - 1)
        else:
            tight, place = place, (place + fits) // 2  # broken pages have gaps, so their filling is unknown
    return fits


def _filling(rendered: PdfPages, sizes: Sequence[float], place: int, pages: int) -> int:
    """Return the place of the size that would fill the pages."""
    wanted = sizes[place] * ((pages - FOOT) / pages_filled(rendered)) ** (1 / GROWTH)
    return bisect_left(sizes, -wanted, key=lambda size: -size)


def pages_filled(rendered: PdfPages) -> float:
    """Return the number of sheets that the content takes: 1.5 ends in the middle of the second."""
    for number, page in enumerate(rendered.pages):
        if END in page.anchors:
            bottom: float = page.anchors[END][3]
            return number + bottom / float(page.height)
    raise LookupError(f"the template does not end with an element with the id {END!r}")


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
    """Return the guide on one page if it fits in legible letters, else on two or more; `GuideMissing` without text."""
    sheet = PaperSheet("guide", chapter, answers, details)
    return as_large_as_fits(sheet, [guide_content(chapter, answers)], (1, GUIDE_SIZES[:-1]), (2, GUIDE_SIZES))


def payout_sign_pdf(chapter: Chapter, answers: Answers, details: PaperDetails, *, size: str = "letter") -> RenderedPdf:
    """Return the sign in the largest letters that fit on one upright sheet; `size`: one of `SIGN_SIZES`."""
    two_columns = {**payout_sign_content(chapter, answers), "paper": size}
    one_column = {**two_columns, "columns": [[table for column in two_columns["columns"] for table in column]]}
    sheet = PaperSheet("sign", chapter, answers, details)
    contents = [two_columns, one_column] if two_columns["columns"] else [two_columns]
    return as_large_as_fits(sheet, contents, (1, SIGN_SIZES[size]))


def reference_layout_pdf(chapter: Chapter, answers: Answers, details: PaperDetails, positions: int = 0) -> RenderedPdf:
    """Return the reference layout as a PDF, Tabloid on its long side; `positions` as in `required_elements`."""
    caption = Caption(date=date_text(details.day))
    if not details.draft:
        caption = replace(caption, version=details.version, note="Drawn from the options of the Rules Submission.")
    svg = layout_svg(chapter, answers, licensee=details.licensee, caption=caption, positions=positions)
    picture = PagePicture("image/svg+xml", svg.encode())
    return render_paper(PaperSheet("layout", chapter, answers, details), {"pictures": [picture]})


def filed_layout_pdf(
    chapter: Chapter, answers: Answers, details: PaperDetails, source: FiledDrawing, pictures: Sequence[PagePicture]
) -> RenderedPdf:
    """Return a filed drawing, a sheet for each of its pages; the file is attached to an approved paper."""
    sheet = PaperSheet("layout", chapter, answers, details, source)
    return render_paper(sheet, {"pictures": pictures, "source": source})
