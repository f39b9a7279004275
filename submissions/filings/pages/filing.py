"""From a draft to a receipt: the last look, the handover between preparer and manager, the attestation, the filing."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.accounts.pages import reauthentication
from submissions.audit.timeline import timeline
from submissions.core.errors import Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import compose_record
from submissions.filings import filing, handover
from submissions.filings.diff import compare_draft, draft_content, draft_figures
from submissions.filings.hold_findings import findings_by_place
from submissions.filings.pages.changed_rules import planned_changes
from submissions.filings.review.comments import load_threads
from submissions.filings.versions import version_in_effect
from submissions.layouts.readiness import parts_in_words, readiness_of_revision
from submissions.models import Handover, Submission
from submissions.permissions import may
from submissions.rules import draft_chapter, filed_chapter, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.responses import render_page, whole_number

# The refusals shown on the page itself
BESIDE_BUTTON = ("blocking-findings", "text-missing", "attestation-missing", "question-open")


def file(request: HttpRequest, number: str) -> HttpResponse:
    """GET: everything in words, findings and attestation. POST: file it."""
    submission = submission_of(request, number)
    if request.method == "POST":
        return _file(request, submission)
    if not is_prepared_by(request, submission):
        return redirect("submission", number)
    return review_page(request, submission)


def _file(request: HttpRequest, submission: Submission) -> HttpResponse:
    attested = request.POST.get("attested") == "yes"
    try:
        reauthentication.require_confirmation(request)
        filing.file_submission(person_of(request), submission, version=version_of(request), attested=attested)
    except Refusal as refusal:
        is_unconfirmed = isinstance(refusal, reauthentication.Unconfirmed)  # shown if the page is for this person
        if not (may(request.user, "file", submission) if is_unconfirmed else refusal.code in BESIDE_BUTTON):
            raise
        if is_unconfirmed and (missing := filing.missing_attestation(attested)):
            refusal.further = (missing,)
        return review_page(request, submission, refusal)
    return redirect("receipt", submission.number)


def review_page(request: HttpRequest, submission: Submission, refusal: Refusal | None = None) -> HttpResponse:
    """Everything in words, with what this person may do (file it, or send it to the manager), and a refusal."""
    chapter, person = draft_chapter(submission), person_of(request)
    content = draft_content(submission, chapter, person)
    blocking = filing.blocking_findings(chapter, submission)
    returned = submission.revisions.first()
    parts = (refusal, *refusal.further) if refusal else ()
    context = {
        "submission": submission,
        "chapter": chapter,
        "returned": returned,
        "corrections": compare_draft(returned, chapter, content) if returned else None,
        "blocking": blocking,
        "wrong": [blocking_finding for blocking_finding in blocking if not blocking_finding.finding.unanswered],
        "unanswered": [blocking_finding for blocking_finding in blocking if blocking_finding.finding.unanswered],
        "shown": document_context(
            compose_record(content, hold_findings=findings_by_place(content, draft_figures(chapter, content)))
        ),
        "attestation": filing.attestation_by(person),
        "threads": load_threads(person, submission),
        "may_file": (may_file := may(request.user, "file", submission)),
        "handover": (state := handover.handover_state(submission)),
        "may_send": not may_file and may(request.user, "send-to-manager", submission),
        "may_send_back": state and state.is_sent and may(request.user, "send-back", submission),
        "entered": request.POST.dict(),
        "history": timeline(submission, request.user),
        "planned": planned_changes(submission),
        "unattested": next((part for part in parts if part.code == "attestation-missing"), None),
        "rules_on": linked_day(rules_day(submission)),
        "here": "home",
    }
    return render_page(request, "pages/file.html", context, refusal)


def receipt(request: HttpRequest, number: str) -> HttpResponse:
    submission = submission_of(request, number)
    revision = submission.revisions.select_related("filed_by").first()
    if revision is None:
        return redirect("submission", number)
    groups = readiness_of_revision(revision)
    context = {
        "submission": submission,
        "revision": revision,
        "history": timeline(submission, request.user),
        "dealt": bool(filed_chapter(revision).paytables),  # else no wager is made against the house
        "in_effect": version_in_effect(submission.organization, submission.chapter, timezone.localdate()),
        "papers": parts_in_words({part.part for group in groups for part in group.missing}),
        "may_lay_out": may(request.user, "lay-out", submission),
    }
    return render(request, "pages/receipt.html", context | {"here": "home"})


def version_of(request: HttpRequest) -> int:
    """Return the version of the submission that the person saw; 0, which no version has, if the form does not say."""
    return whole_number(request.POST.get("version", ""), otherwise=0)


@require_POST
def send_to_manager(request: HttpRequest, number: str) -> HttpResponse:
    """Send a draft or a returned filing to the managers, with a note."""
    done = "Sent to manager. They have a task, a notice and an e-mail."
    return _hand_over(request, number, handover.send_to_manager, done)


@require_POST
def send_back(request: HttpRequest, number: str) -> HttpResponse:
    """Send it back to the preparers, with a note."""
    return _hand_over(request, number, handover.send_back, "Sent back to preparer, with your note.")


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
