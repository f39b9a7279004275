"""Exports that a job writes: the page with the rows done of all rows and the time left, and the file once it is ready.

Not here: what is exported (the views of each domain), how the job writes it (`jobs.export_files`).
"""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from submissions.jobs.export_files import ExportRequest, export_size, request_export, request_of
from submissions.jobs.progress import Progress
from submissions.models import Computation, Document, Job
from submissions.permissions import exports_visible_to
from submissions.search.exports import archive, archive_size
from submissions.security_log.records import EXPORTED_FILTER, EXPORTED_ROWS
from submissions.web.access_gate import person_of
from submissions.web.responses import STOP_POLLING

CSV, ZIP = "text/csv; charset=utf-8", "application/zip"
REFRESH = 5  # seconds, without script


def queued_export(request: HttpRequest, wanted: ExportRequest) -> HttpResponseRedirect:
    """Enqueue the export and go to its page."""
    return redirect("export", request_export(person_of(request), wanted).pk)


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """How far the export is, or its download; for htmx, the part of the page that changes."""
    row = get_object_or_404(exports_visible_to(request.user), pk=pk)
    is_ready, is_part = row.result is not None, bool(getattr(request, "htmx", False))
    progress = None if is_ready else Progress.of(Job.objects.filter(kind=Job.Kind.EXPORT, subject=row.pk))
    has_ended = progress is None or progress.stopped
    context = {
        "export": request_of(row),
        "row": row,
        "progress": progress,
        "refresh": None if has_ended else REFRESH,
        "here": "home",
    }
    template = "parts/export_progress.html" if is_part else "pages/export.html"
    return render(request, template, context, status=STOP_POLLING if is_part and has_ended else 200)


@require_safe
def file(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """The file, once it is ready."""
    row = get_object_or_404(exports_visible_to(request.user), pk=pk)
    if row.result is None:
        raise Http404("The export is not ready.")
    wanted = request_of(row)
    request.META[EXPORTED_ROWS], request.META[EXPORTED_FILTER] = wanted.rows, wanted.query
    if "documents" in wanted.content:
        documents = Document.objects.filter(pk__in=wanted.content["documents"])
        return archive_response(wanted.file_name, b"".join(_parts(row)), documents)
    return _download(wanted.file_name, wanted.media_type, export_size(row), _parts(row))


def archive_response(name: str, index: bytes, documents: QuerySet[Document]) -> StreamingHttpResponse:
    """A ZIP as it is written. Its size is known before, so the browser shows how far the download is."""
    return _download(name, ZIP, archive_size(len(index), documents), archive(index, documents))


def _download(name: str, media_type: str, size: int, content: Iterator[bytes]) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)}
    return StreamingHttpResponse(content, media_type, headers=headers)


def _parts(row: Computation) -> Iterator[bytes]:
    """The file, one part in memory at a time."""
    for text in row.parts.values_list("text", flat=True).iterator(chunk_size=1):
        yield text.encode()
