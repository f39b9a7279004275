"""Posts of the review page: send to manager, send back to preparer; and what pages show of the handover.

After a refusal the page follows with the note that was typed.
"""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from submissions.core.errors import Refusal
from submissions.filings import handover
from submissions.models import Handover
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.filings.filing import review_page, version_of

SENT_MESSAGE = "Sent to manager. They have a task, a notice and an e-mail."
SENT_BACK_MESSAGE = "Sent back to preparer, with your note."


@require_POST
def send(request: HttpRequest, number: str) -> HttpResponse:
    """Send a draft or a returned filing to the managers, with a note."""
    return _hand_over(request, number, handover.send_to_manager, SENT_MESSAGE)


@require_POST
def send_back(request: HttpRequest, number: str) -> HttpResponse:
    """Send it back to the preparers, with a note."""
    return _hand_over(request, number, handover.send_back, SENT_BACK_MESSAGE)


def _hand_over(request: HttpRequest, number: str, action: Callable[..., Handover], done: str) -> HttpResponse:
    submission = submission_of(request, number)
    try:
        action(person_of(request), submission, version=version_of(request), note=request.POST.get("note", ""))
    except Refusal as refusal:
        if not is_prepared_by(request, submission):
            raise
        return review_page(request, submission, refusal)
    messages.success(request, done)
    return redirect("submission", number)
