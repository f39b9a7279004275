"""One submission for whoever reads it: the licensee's state of things, the Board's evidence and decision."""

from __future__ import annotations

from io import BytesIO
from typing import cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from submissions.access import attachments_visible_to, may
from submissions.actions import filing, review
from submissions.models import Document, Person, Revision, StoredFile, Submission
from submissions.web import dossier
from submissions.web.filing import version_of
from submissions.web.guard import submission_of
from submissions.web.story import history

STOP_POLLING = 286  # htmx's own status: swap this in and ask no more
DONE = {
    "recommend": "You recommended approval. A director decides.",
    "return": "Returned to the licensee with your questions.",
    "approve": "Approved. The signed document is being made.",
    "withdraw": "Withdrawn. It stays in the history.",
}


def page(request: HttpRequest, number: str) -> HttpResponse:
    submission = submission_of(request, number)
    context = _state(request, submission) | {"history": history(submission, request.user), "here": "home"}
    return render(request, "pages/submission.html", context)


def progress(request: HttpRequest, number: str) -> HttpResponse:
    """What changes by itself: evidence, document and what may be decided. Ends the asking when nothing is under way."""
    context = _state(request, submission_of(request, number))
    status = 200 if context["under_way"] else STOP_POLLING
    return render(request, "parts/progress.html", context, status=status)


@require_POST
def decide(request: HttpRequest, number: str, verb: str) -> HttpResponse:
    submission, person = submission_of(request, number), cast(Person, request.user)
    version, reason = version_of(request), request.POST.get("reason", "")
    if verb == "recommend":
        review.recommend(person, submission, version=version, reason=reason)
    elif verb == "approve":
        review.approve(person, submission, version=version, reason=reason)
    elif verb == "return":
        review.send_back(person, submission, version=version, reason=reason)
    else:
        filing.withdraw(person, submission, version=version, reason=reason)
    messages.success(request, DONE[verb])
    return redirect("submission", number)


def document(request: HttpRequest, number: str) -> FileResponse:
    """The signed PDF of the latest revision that has one."""
    submission = submission_of(request, number)
    found = get_object_or_404(Document.objects.filter(revision__submission=submission).order_by("-pk")[:1])
    return _file(found.signed, f"{found.revision.receipt}.pdf")


def attachment(request: HttpRequest, number: str, sha256: str) -> FileResponse:
    submission = submission_of(request, number)
    found = attachments_visible_to(request.user, submission).filter(stored_id=sha256).first()
    if found is None:
        raise Http404("There is no such file with this submission.")
    return _file(found.stored, found.name)


def _file(stored: StoredFile, name: str) -> FileResponse:
    """As a download that a browser neither guesses about nor lets act."""
    content = BytesIO(bytes(stored.content))
    response = FileResponse(content, as_attachment=True, filename=name, content_type=stored.media_type)
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _state(request: HttpRequest, submission: Submission) -> dict[str, object]:
    revision: Revision | None = submission.revisions.select_related("filed_by").first()
    person = cast(Person, request.user)
    evidence = dossier.evidence_progress(revision) if revision else None
    signing = dossier.document_progress(revision) if revision else None
    return {
        "submission": submission,
        "revision": revision,
        "shown": dossier.of(revision) if revision else None,
        "evidence_progress": evidence,
        "document_progress": signing,
        "under_way": any(one and not one.stopped for one in (evidence, signing)),
        "document": Document.objects.filter(revision=revision).select_related("signed").first(),
        "decisions": list(revision.decisions.select_related("by")) if revision else [],
        "steps": dossier.steps(person, submission),
        "may_edit": may(person, "edit", submission),
    }
