"""HTML as a tagged PDF/A-3a, the same bytes for the same page. Every paper of the portal is made here.

Nothing may differ between two runs: only our own static files are read, and the file's identifier follows from its
source. Fonts are embedded in full: the bytes of a subset would depend on whether libharfbuzz-subset is installed.
"""

import hashlib
import mimetypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import unquote

from django.contrib.staticfiles import finders
from weasyprint import HTML, Attachment
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

VARIANT = "pdf/a-3a"
_weasyprint_lock = Lock()  # the threads of a process share the state of Pango and fontconfig


class StaticFetcher(URLFetcher):  # type: ignore[misc]
    """A fetcher of `static:` (files of the portal itself) and `data:`; anything else is refused."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols=("data",), allow_redirects=False)

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        if not url.startswith("static:"):
            return super().fetch(url, headers)
        name = unquote(url.removeprefix("static:"))
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, static_file(name).read_bytes(), {"Content-Type": media_type})


def static_file(name: str) -> Path:
    """Return a static file of the portal, never one outside its folders."""
    path = finders.find(name)
    if not isinstance(path, str):
        # WeasyPrint would continue without it: a document in another typeface is worse than none.
        raise FatalURLFetchingError(f"The static file {name} is missing; `make run` installs it (npm ci).")
    return Path(path)


@dataclass(frozen=True, slots=True)
class RenderedPdf:
    """An unsigned PDF, final or a draft."""

    content: bytes
    pages: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class PdfPages:
    """Rendered pages, to be measured or written."""

    html: str
    document: Any  # WeasyPrint's

    @property
    def pages(self) -> Sequence[Any]:
        """Each with its `height` and `anchors`, in pixels: the positions of the elements with an id."""
        pages: Sequence[Any] = self.document.pages
        return pages


def render_pages(html: str) -> PdfPages:
    with _printing():
        source = HTML(string=html, base_url="static:documents/", url_fetcher=StaticFetcher())
        return PdfPages(html, source.render(font_config=FontConfiguration(), pdf_variant=VARIANT))


def write_pdf(pages: PdfPages, *attached: Attachment, made_from: str = "") -> bytes:
    """Return the PDF with its files (`attached_file`); its identifier follows from `made_from`, by default the HTML."""
    identifier = hashlib.sha256((made_from or pages.html).encode()).digest()[:16]
    with _printing():
        pdf: bytes = pages.document.write_pdf(
            pdf_variant=VARIANT, pdf_identifier=identifier, full_fonts=True, attachments=list(attached)
        )
    return pdf


def attached_file(name: str, content: bytes, description: str, moment: datetime, *, source: bool = False) -> Attachment:
    """Return a file for one PDF: it can be read only once. `source`: the PDF was made from it, otherwise it is data."""
    return Attachment(
        file_obj=BytesIO(content),
        name=name,
        description=description,
        created=moment.astimezone(UTC),
        modified=moment.astimezone(UTC),
        relationship="Source" if source else "Data",
    )


@contextmanager
def _printing() -> Iterator[None]:
    try:
        with _weasyprint_lock:
            yield
    except FatalURLFetchingError as error:  # not an `Exception`: it would end the worker
        raise FileNotFoundError(str(error)) from None
