"""What a search finds, to take away: the table, and the signed documents. All of it, not only the open page."""

from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.models import Submission
from submissions.search.exports import archive, table
from submissions.search.results import find_submissions
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.search.search_page import searched


@require_safe
def csv(request: HttpRequest) -> StreamingHttpResponse:
    response = StreamingHttpResponse(table(_matches(request)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_name()}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
def zip_archive(request: HttpRequest) -> FileResponse:
    return FileResponse(
        archive(_matches(request)), as_attachment=True, filename=f"{_name()}.zip", content_type="application/zip"
    )


def _matches(request: HttpRequest) -> QuerySet[Submission]:
    """What the search of this address finds; its first fault is raised, so that nothing else is taken away instead."""
    rows = find_submissions(request.user, searched(request, request.GET).understood)
    request.META[EXPORTED_ROWS] = rows.count()
    return rows


def _name() -> str:
    return f"rules-submissions-{timezone.localdate():%Y-%m-%d}"
