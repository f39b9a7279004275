"""Drafts as PDF, marked DRAFT on every page and made for each request.

The current answers are for the licensee only; a filed revision is for everyone who may see the submission. The sealed
document of an approved revision is `web.filings.submissions.document`.
"""

from io import BytesIO
from typing import cast

from django.http import FileResponse, Http404, HttpRequest
from django.shortcuts import get_object_or_404

from submissions.documents.render import draft_of_revision, draft_of_submission
from submissions.models import Person
from submissions.web.access_gate import is_prepared_by, submission_of


def answers(request: HttpRequest, number: str) -> FileResponse:
    """The current answers, while they can be changed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("The answers of this submission are not being prepared.")
    return _paper(draft_of_submission(submission, cast(Person, request.user)), submission.number)


def revision(request: HttpRequest, number: str, place: int) -> FileResponse:
    """A filed revision, with the evidence and decisions so far."""
    filed = get_object_or_404(submission_of(request, number).revisions, number=place)
    return _paper(draft_of_revision(filed), filed.receipt)


def _paper(content: bytes, name: str) -> FileResponse:
    response = FileResponse(
        BytesIO(content), as_attachment=True, filename=f"{name}-draft.pdf", content_type="application/pdf"
    )
    response["X-Content-Type-Options"] = "nosniff"
    return response
