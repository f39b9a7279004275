"""HTML onto paper: a tagged PDF/A-3a, the same bytes for the same page. Any paper of the portal is printed here.

Not here: what is said and how it is worded (`render`, `submissions.layouts`), the seal (`sign`).

Whatever could differ between two runs is decided here: nothing is fetched but our own static files, the file's
identifier follows from what it was made from. Fonts are embedded whole: cut down, their bytes would depend on whether
libharfbuzz-subset is installed.
"""

from __future__ import annotations

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
_one_at_a_time = Lock()  # Pango's and fontconfig's state is shared by a process's threads


class StaticFetcher(URLFetcher):  # type: ignore[misc]
    """Serves `static:` (files of the portal itself) and `data:`; anything else is refused."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols=("data",), allow_redirects=False)

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        if not url.startswith("static:"):
            return super().fetch(url, headers)
        name = unquote(url.removeprefix("static:"))
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, static_file(name).read_bytes(), {"Content-Type": media_type})


def static_file(name: str) -> Path:
    """A static file of the portal; never one outside of its folders."""
    found = finders.find(name)
    if not isinstance(found, str):
        # WeasyPrint would go on without it: a document in another typeface is worse than none.
        raise FatalURLFetchingError(f"The static file {name} is missing; `make run` installs it (npm ci).")
    return Path(found)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A PDF ready to be signed, or to be printed as a draft."""

    content: bytes
    pages: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Attached:
    """A file within the PDF. `moment` is the time that it bears; data, or the source that the paper was made from."""

    name: str
    content: bytes
    description: str
    moment: datetime
    source: bool = False


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A page as it will be printed, to be measured or written."""

    html: str
    document: Any  # WeasyPrint's

    @property
    def pages(self) -> Sequence[Any]:
        """Each with its `height` and `anchors`, in pixels: where the elements that have an id are."""
        found: Sequence[Any] = self.document.pages
        return found


def lay_out(html: str) -> LaidOut:
    with _printing():
        source = HTML(string=html, base_url="static:documents/", url_fetcher=StaticFetcher())
        return LaidOut(html, source.render(font_config=FontConfiguration(), pdf_variant=VARIANT))


def write(laid_out: LaidOut, *attached: Attached, made_from: str = "") -> bytes:
    """The PDF; its identifier follows from what it was made from, the page itself where nothing else is said."""
    identifier = hashlib.sha256((made_from or laid_out.html).encode()).digest()[:16]
    with _printing():
        pdf: bytes = laid_out.document.write_pdf(
            pdf_variant=VARIANT,
            pdf_identifier=identifier,
            full_fonts=True,
            attachments=[_attachment(file) for file in attached],
        )
    return pdf


def _attachment(file: Attached) -> Attachment:
    """Made anew for each writing: it can be read once."""
    moment = file.moment.astimezone(UTC)
    return Attachment(
        file_obj=BytesIO(file.content),
        name=file.name,
        description=file.description,
        created=moment,
        modified=moment,
        relationship="Source" if file.source else "Data",
    )


@contextmanager
def _printing() -> Iterator[None]:
    try:
        with _one_at_a_time:
            yield
    except FatalURLFetchingError as error:  # no Exception by itself: it would end the whole worker
        raise FileNotFoundError(str(error)) from None
