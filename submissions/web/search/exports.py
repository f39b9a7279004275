"""What a search finds as files: the table, and the signed documents. All of it, not only the open page.

A long table is written by a job, whose page shows how far it is (`web.exports`).
"""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.jobs.export_files import ExportRequest
from submissions.models import Submission
from submissions.search.exports import KIND, signed_documents, table
from submissions.search.results import find_submissions
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.exports import CSV, ZIP, archive_response, queued_export
from submissions.web.search.search_page import searched

MOST_AT_ONCE = 500  # rows that are written without a job: less than half a second


@require_safe
def csv(request: HttpRequest) -> HttpResponseBase:
    """The table; of many rows, the page that waits for it."""
    rows = _matches(request)
    if request.META[EXPORTED_ROWS] > MOST_AT_ONCE:
        return queued_export(request, _export(request, rows, "csv"))
    response = StreamingHttpResponse(table(rows), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{_name()}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
def zip_archive(request: HttpRequest) -> HttpResponseBase:
    """The documents with the table; of many rows, the page that waits for the table."""
    rows = _matches(request)
    documents = signed_documents(rows)
    if request.META[EXPORTED_ROWS] > MOST_AT_ONCE:
        return queued_export(request, _export(request, rows, "zip", list(documents.values_list("pk", flat=True))))
    index = "".join(table(rows)).encode()
    return archive_response(f"{_name()}.zip", index, documents)


def _export(
    request: HttpRequest, rows: QuerySet[Submission], ending: str, documents: list[int] | None = None
) -> ExportRequest:
    keys = list(rows.values_list("pk", flat=True))
    content = {"keys": keys} | ({} if documents is None else {"documents": documents})
    media_type = CSV if documents is None else ZIP
    return ExportRequest(KIND, f"{_name()}.{ending}", media_type, len(keys), request.GET.urlencode(), content)


def _matches(request: HttpRequest) -> QuerySet[Submission]:
    """What the search of this address finds; its first fault is raised, so that nothing else is exported instead."""
    rows = find_submissions(request.user, searched(request, request.GET).understood)
    request.META[EXPORTED_ROWS] = rows.count()
    return rows


def _name() -> str:
    return f"rules-submissions-{timezone.localdate():%Y-%m-%d}"
