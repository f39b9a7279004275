"""The page that asks before a draft is deleted."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from submissions.core.errors import Refusal
from submissions.filings.draft_deletion import delete_draft
from submissions.filings.draft_progress import draft_progress
from submissions.permissions import may
from submissions.web.access_gate import person_of, submission_of
from submissions.web.filings.filing import version_of
from submissions.web.responses import render_page


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, number: str) -> HttpResponse:
    """GET: what deleting means, and the button. POST: delete it; the first page follows."""
    submission, refusal = submission_of(request, number), None
    if request.method == "POST":
        try:
            delete_draft(person_of(request), submission, version=version_of(request))
        except Refusal as refused:
            refusal = refused
        else:
            messages.success(request, f"{number} is deleted. It stays in the history.")
            return redirect("home")
    context = {
        "submission": submission,
        "verdict": may(request.user, "delete", submission),
        "progress": draft_progress(submission),
        "here": "home",
    }
    return render_page(request, "pages/draft_deletion.html", context, refusal)
