"""The files of a layout filing: a drawing as it was uploaded, and a picture of each of its pages for the page.

Whatever a drawing holds, a browser neither guesses about it nor lets it act. Not here: reading it (`layouts.reading`).
"""

from __future__ import annotations

from io import BytesIO

from django.http import FileResponse, Http404, HttpRequest
from django.shortcuts import get_object_or_404

from submissions.access import drawings_visible_to
from submissions.models import LayoutDrawing, LayoutInspection, StoredFile
from submissions.web.layouts import filing_of

NOTHING = "default-src 'none'; sandbox"
PICTURE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"


def drawing(request: HttpRequest, number: str, pk: int) -> FileResponse:
    """The file itself, as a download."""
    found = _drawing(request, number, pk)
    return _served(found.stored, found.name, NOTHING, download=True)


def picture(request: HttpRequest, number: str, pk: int, page: int) -> FileResponse:
    """What an `<img>` shows of a page, from 1: the SVG itself, or the picture that the worker made."""
    found = _drawing(request, number, pk)
    if found.kind == "svg" and page == 1:
        return _served(found.stored, found.name, PICTURE)
    inspection = get_object_or_404(LayoutInspection, drawing=found)
    if not 1 <= page <= len(inspection.previews):
        raise Http404("There is no picture of that page.")
    return _served(StoredFile.objects.get(pk=inspection.previews[page - 1]), f"{found.name}-{page}.png", NOTHING)


def _drawing(request: HttpRequest, number: str, pk: int) -> LayoutDrawing:
    return get_object_or_404(drawings_visible_to(request.user, filing_of(request, number)), pk=pk)


def _served(stored: StoredFile, name: str, policy: str, *, download: bool = False) -> FileResponse:
    content = BytesIO(bytes(stored.content))
    response = FileResponse(content, as_attachment=download, filename=name, content_type=stored.media_type)
    response["Content-Security-Policy"] = policy
    response["X-Content-Type-Options"] = "nosniff"
    return response
