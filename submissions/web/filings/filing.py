"""From a draft to a receipt: the last look, the attestation, the filing; and withdrawing."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from submissions.audit.timeline import timeline
from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.filings.diff_base import compare_draft
from submissions.filings.handover import handover_state
from submissions.filings.versions import version_in_effect
from submissions.layouts.paper_states import parts_in_words
from submissions.layouts.readiness import readiness_of_revision
from submissions.models import Submission
from submissions.permissions import may
from submissions.review.threads import load_threads
from submissions.rules.rules_day import draft_chapter, filed_chapter, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.accounts import reauthentication
from submissions.web.filings import submission_context
from submissions.web.filings.planned_day import planned_changes
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
    chapter = draft_chapter(submission)
    blocking = filing.blocking_findings(chapter, submission)
    returned = submission.revisions.first()
    context = {
        "submission": submission,
        "chapter": chapter,
        "returned": returned,
        "corrections": compare_draft(returned, submission, person_of(request)) if returned else None,
        "blocking": blocking,
        "wrong": [blocking_finding for blocking_finding in blocking if not blocking_finding.finding.unanswered],
        "unanswered": [blocking_finding for blocking_finding in blocking if blocking_finding.finding.unanswered],
        "shown": submission_context.draft_context(submission, chapter, person_of(request)),
        "attestation": filing.attestation_by(person_of(request)),
        "threads": load_threads(person_of(request), submission),
        "may_file": (may_file := may(request.user, "file", submission)),
        "handover": (state := handover_state(submission)),
        "may_send": not may_file and may(request.user, "send-to-manager", submission),
        "may_send_back": state and state.is_sent and may(request.user, "send-back", submission),
        "entered": request.POST.dict(),
        "history": timeline(submission, request.user),
        "planned": planned_changes(submission),
        "unattested": next((part for part in _parts(refusal) if part.code == "attestation-missing"), None),
        "rules_on": linked_day(rules_day(submission)),
        "here": "home",
    }
    return render_page(request, "pages/file.html", context, refusal)


def _parts(refusal: Refusal | None) -> tuple[Refusal, ...]:
    return (refusal, *refusal.further) if refusal else ()


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
    """The version of the submission that the person saw; 0, which never is, where the form does not say."""
    return whole_number(request.POST.get("version", ""), otherwise=0)
