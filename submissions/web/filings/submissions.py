"""One submission: for the licensee its state, for the Board the evidence and comments; its files, and drafts as PDF.

A draft is marked DRAFT on every page and made by a job (`web.pdf_progress`). Not here: what is decided and remarked on
this page (`review.decisions`); how its parts come about (`submission_context`).
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from submissions.audit.timeline import timeline
from submissions.core.errors import Refusal
from submissions.filings.draft_progress import draft_progress
from submissions.filings.handover import handover_state
from submissions.filings.planned_day import approval_day
from submissions.layouts import draft_queue, readiness
from submissions.layouts.not_cleared import why_not_cleared
from submissions.models import Decision, Document, Person, Revision, Status, Submission
from submissions.orders.approval_conditions import conditions_of
from submissions.permissions import attachments_visible_to, may
from submissions.review.confirmation import to_confirm
from submissions.review.threads import load_threads
from submissions.rules.rules_day import filed_day, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.filings import submission_context
from submissions.web.filings.amendments import version_state
from submissions.web.frames import shows_pdf
from submissions.web.orders.condition_fields import condition_rows
from submissions.web.orders.order_list import order_row
from submissions.web.pdf_progress import draft_response
from submissions.web.responses import STOP_POLLING, file_response, render_page
from submissions.web.review.assignment_panel import assignment_panel

DECIDED = (Status.APPROVED, Status.REJECTED, Status.WITHDRAWN)  # nobody reviews it: the long sections are folded


@shows_pdf  # for the preview of the signed PDF
def show(
    request: HttpRequest,
    number: str,
    *,
    refusal: Refusal | None = None,
    entered: Mapping[str, str] = {},
    form: str = "",
) -> HttpResponse:
    """The page; after a refusal with what was `entered` into its `form`, so that nothing is lost."""
    submission = submission_of(request, number)
    context = _state(request, submission, entered if form == "decision" else {}) | {
        "history": timeline(submission, request.user),
        "folded": submission.status in DECIDED and refusal is None,
        "here": "home",
    }
    context |= assignment_panel(person_of(request), submission)
    context |= _papers(request, submission, context["revision"]) | {"entered": entered, "form": form}
    return render_page(request, "pages/submission.html", context, refusal)


def progress(request: HttpRequest, number: str) -> HttpResponse:
    """What changes by itself: evidence, document and what may be decided. Ends the asking when nothing is under way."""
    context = _state(request, submission_of(request, number), {})
    if context["revision"] is None:
        raise Http404("This submission has not been filed yet.")
    status = 200 if context["under_way"] else STOP_POLLING
    return render(request, "parts/progress.html", context, status=status)


def document(request: HttpRequest, number: str) -> FileResponse:
    """The signed PDF of the latest revision that has one."""
    submission = submission_of(request, number)
    latest = get_object_or_404(Document.objects.filter(revision__submission=submission).order_by("-pk")[:1])
    return file_response(bytes(latest.signed.content), f"{latest.revision.receipt}.pdf", latest.signed.media_type)


def attachment(request: HttpRequest, number: str, sha256: str) -> FileResponse:
    submission = submission_of(request, number)
    file = attachments_visible_to(request.user, submission).filter(stored_id=sha256).first()
    if file is None:
        raise Http404("This submission does not have this file.")
    return file_response(bytes(file.stored.content), file.name, file.stored.media_type)


def draft(request: HttpRequest, number: str) -> HttpResponseBase:
    """The current answers, for the licensee only, while they can be changed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("You cannot change the answers of this submission now.")
    subject = draft_queue.submission_draft(submission, person_of(request))
    return draft_response(request, subject, submission.number, reverse("submission", args=[number]))


def draft_revision(request: HttpRequest, number: str, place: int) -> HttpResponseBase:
    """A filed revision, with the evidence and decisions so far."""
    filed = get_object_or_404(submission_of(request, number).revisions, number=place)
    subject = draft_queue.revision_draft(filed)
    return draft_response(request, subject, filed.receipt, reverse("submission", args=[number]))


def _papers(request: HttpRequest, submission: Submission, revision: Revision | None) -> dict[str, object]:
    """Which papers follow: the draft's answers while its own side prepares it, else those that were filed."""
    not_cleared = ""
    if is_prepared_by(request, submission):
        groups = readiness.readiness_of_draft(submission)
    else:
        groups = readiness.readiness_of_revision(revision) if revision else []
        not_cleared = why_not_cleared(revision, groups, timezone.localdate()) if revision else ""
    return {
        "readiness": groups,
        "cleared_for_play": readiness.is_cleared_for_play(groups),
        "not_cleared": not_cleared,
        "may_lay_out": may(request.user, "lay-out", submission),
    }


def licensee_context(person: Person, submission: Submission) -> dict[str, object]:
    """What only the licensee's side sees: how far a draft is, whether it is sent, whether it may be deleted."""
    if person.at_regulator:
        return {}
    return {
        "draft_progress": draft_progress(submission),
        "handover": handover_state(submission),
        "may_file": may(person, "file", submission),
        "may_delete": may(person, "delete", submission),
    }


def _latest_filing(submission: Submission) -> Revision | None:
    """With all filings of the submission, its own evidence and decisions: what the page reads several times."""
    rows = Revision.objects.select_related("filed_by", "version", "document__signed")
    filings = rows.defer("document__verification", "document__signed__packed")
    prefetch_related_objects([submission], Prefetch("revisions", filings))
    latest: Revision | None = submission.revisions.first()
    if latest:
        prefetch_related_objects([latest], "simulations", Prefetch("decisions", Decision.objects.select_related("by")))
    return latest


def _state(request: HttpRequest, submission: Submission, entered: Mapping[str, str]) -> dict[str, Any]:
    person, revision = person_of(request), _latest_filing(submission)
    evidence = submission_context.evidence_progress(revision) if revision else None
    signing = submission_context.document_progress(revision) if revision else None
    said = load_threads(person, submission)
    shown = submission_context.revision_context(revision, said) if revision else None
    return {
        "submission": submission,
        "revision": revision,
        "rules_on": linked_day(filed_day(revision.content) if revision else rules_day(submission)),
        "threads": said,
        "shown": shown,
        "evidence_progress": evidence,
        "document_progress": signing,
        "under_way": any(work and not work.stopped for work in (evidence, signing)),
        "document": getattr(revision, "document", None),
        "decisions": revision.decisions.all() if revision else (),
        "steps": (steps := submission_context.step_buttons(person, submission)),
        "to_confirm": to_confirm(revision) if revision and any(step.verb == "approve" for step in steps) else (),
        "condition_rows": condition_rows(submission, entered),
        "conditions": [order_row(period, timezone.localdate()) for period in conditions_of(revision.pk)]
        if revision and shown and shown["conditions"] and submission.status == Status.APPROVED
        else [],
        "today": timezone.localdate(),
        "approval_day": approval_day(revision.content) if revision else None,
        "version": version_state(person, submission),
        "may_edit": may(person, "edit", submission),
        **licensee_context(person, submission),
        "may_remark": may(person, "remark", submission),
    }
