"""A record into a tagged PDF/A-3a with the record attached: the same record gives the same bytes.

Not here: what is said and how it is worded (`record`, `present`), the seal (`sign`).

Whatever could differ between two runs is decided here: times are the approval's, the file's identifier follows
from the record, nothing is fetched but our own static files. Fonts are embedded whole: cut down, their
bytes would depend on whether libharfbuzz-subset is installed.
"""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import unquote

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from weasyprint import HTML, Attachment
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from submissions.canonical import canonical_json
from submissions.documents.field import Place, add_field
from submissions.documents.present import present
from submissions.documents.record import Record

SEAL = "seal"  # id of the element that the signature will cover
POINTS_PER_PIXEL = 0.75
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


def render(record: Record, *, draft: bool = False) -> Rendered:
    """The PDF of a record; with an empty signature field unless it is a draft."""
    text = canonical_json(record)
    html = render_to_string("documents/submission.html", {"document": present(record), "draft": draft})
    try:
        with _one_at_a_time:
            source = HTML(string=html, base_url="static:documents/", url_fetcher=StaticFetcher())
            laid_out = source.render(font_config=FontConfiguration(), **_options(record, text))
            content = laid_out.write_pdf(**_options(record, text))
    except FatalURLFetchingError as error:  # no Exception by itself: it would end the whole worker
        raise FileNotFoundError(str(error)) from None
    return Rendered(content if draft else add_field(content, _seal_place(laid_out)), len(laid_out.pages))


def _options(record: Record, text: str) -> dict[str, Any]:
    return {
        "pdf_variant": "pdf/a-3a",
        "pdf_identifier": hashlib.sha256(text.encode()).digest()[:16],
        "full_fonts": True,
        "attachments": [_attachment(record, text)],
    }


def _attachment(record: Record, text: str) -> Attachment:
    """Made anew for each writing: it can be read once."""
    moment = datetime.fromisoformat((record["approved"] or record["snapshot"]["filed"])["at"]).astimezone(UTC)
    return Attachment(
        string=text,
        name=f"{record['snapshot']['receipt']}.json",
        description="The Rules Submission as data: answers, paytables, exact and simulated figures, decisions",
        created=moment,
        modified=moment,
        relationship="Data",
    )


def _seal_place(laid_out: Any) -> Place:
    """Where the template left room for the seal."""
    for number, page in enumerate(laid_out.pages):
        if SEAL in page.anchors:
            left, top, right, bottom = (value * POINTS_PER_PIXEL for value in page.anchors[SEAL])
            height = page.height * POINTS_PER_PIXEL
            return Place(number, (left, height - bottom, right, height - top))
    raise LookupError(f"the template has no element with the id {SEAL!r} for the signature")
