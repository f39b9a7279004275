"""What a signed errata report states, as data: attached to the PDF, and all that the PDF is made from.

The same request under the same rules and errata gives the same record. Not here: the pages (`errata_pdf`), the notes
as data (`games.runs.errata_export`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.runs.engine import ENGINE
from games.runs.errata import ErrataReport
from games.runs.errata_export import report_data, summary
from submissions.documents.document_record import DocumentRecord
from submissions.models import ErrataRequest

FORMAT = 1


def errata_record(request: ErrataRequest, reports: Sequence[ErrataReport]) -> DocumentRecord:
    """The record of the request with these reports, one for each of its chapters, in order."""
    at = timezone.localtime(request.at)
    return {
        "format": FORMAT,
        "kind": "errata report",
        "number": request.number,
        "day": at.date().isoformat(),
        "requested": {"at": at.isoformat(), "by": {"name": request.by.name, "role": request.by.get_role_display()}},
        "engine": ENGINE,
        "reports": [report_data(report) for report in reports],
        "summary": summary(reports),
        "verify_at": f"{settings.PUBLIC_URL}/verify/{request.number}",
        "demo": settings.DEMO,
    }


def digests_of(reports: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Chapter → the digests of its rules ("" for the general provisions) and of its errata."""
    return {report["chapter"]: [report["rules_digest"], report["errata_digest"]] for report in reports}
