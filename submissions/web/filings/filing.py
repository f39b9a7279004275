"""From a draft to a receipt: the last look, the attestation, the filing; and withdrawing."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.registry import chapter as chapter_of
from submissions.audit.timeline import timeline
from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.models import Person, Submission
from submissions.permissions import may
from submissions.review.threads import load_threads
from submissions.web.access_gate import is_prepared_by, submission_of
from submissions.web.accounts import reauthentication
from submissions.web.filings import submission_context


def file(request: HttpRequest, number: str) -> HttpResponse:
    """GET: everything in words, findings and attestation. POST: file it."""
    submission = submission_of(request, number)
    if request.method == "POST":
        return _file(request, submission)
    if not is_prepared_by(request, submission):
        return redirect("submission", number)
    return _page(request, submission)


def _file(request: HttpRequest, submission: Submission) -> HttpResponse:
    try:
        reauthentication.require_confirmation(request)
        filing.file_submission(
            cast(Person, request.user),
            submission,
            version=version_of(request),
            attested=request.POST.get("attested") == "yes",
        )
    except reauthentication.Unconfirmed as refusal:
        if not may(request.user, "file", submission):  # the page is not for this person, or over
            raise
        return _page(request, submission, refusal)
    except Refusal as refusal:
        if refusal.code not in ("blocking-findings", "attestation-missing", "question-open"):
            raise
        return _page(request, submission, refusal)
    return redirect("receipt", submission.number)


def _page(request: HttpRequest, submission: Submission, refusal: Refusal | None = None) -> HttpResponse:
    chapter = chapter_of(submission.chapter)
    blocking = filing.blocking_findings(chapter, submission)
    context = {
        "submission": submission,
        "chapter": chapter,
        "blocking": blocking,
        "wrong": [one for one in blocking if not one.finding.unanswered],
        "unanswered": [one for one in blocking if one.finding.unanswered],
        "shown": submission_context.draft_context(submission, chapter, cast(Person, request.user)),
        "attestation": filing.ATTESTATION,
        "talks": load_threads(cast(Person, request.user), submission),
        "may_file": may(request.user, "file", submission),
        "refusal": refusal,
        "history": timeline(submission, request.user),
        "here": "home",
    }
    return render(request, "pages/file.html", context, status=refusal.status if refusal else 200)


def receipt(request: HttpRequest, number: str) -> HttpResponse:
    submission = submission_of(request, number)
    revision = submission.revisions.select_related("filed_by").first()
    if revision is None:
        return redirect("submission", number)
    context = {
        "submission": submission,
        "revision": revision,
        "history": timeline(submission, request.user),
        "here": "home",
    }
    return render(request, "pages/receipt.html", context)


def version_of(request: HttpRequest) -> int:
    """The version of the submission that the person saw; 0, which never is, where the form does not say."""
    text = request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0
