"""One submission: for the licensee its state, for the Board the evidence, comments and assignment.

Also its files, and drafts as PDF. A filing is worded by `submissions.documents.context`, so that page and paper are the
same. A draft is marked DRAFT on every page and made by a job (`documents.pages`). Not here: posts of this page
(`review.pages.decisions`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from submissions.audit.timeline import timeline
from submissions.core.configurations import group_at
from submissions.core.errors import Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.documents.pages import draft_response, shows_pdf
from submissions.filings.diff import base_revision, compare_revisions
from submissions.filings.drafts import draft_progress
from submissions.filings.handover import handover_state
from submissions.filings.orders.order_entry import conditions_of
from submissions.filings.orders.pages.order_forms import condition_rows
from submissions.filings.orders.pages.orders import order_row
from submissions.filings.pages.amendments import version_state
from submissions.filings.planned_day import approval_day
from submissions.filings.questions import unresolved_questions
from submissions.filings.review.assignments import assignable_people, assignment_of
from submissions.filings.review.comments import Threads, load_threads
from submissions.filings.review.decisions import to_confirm
from submissions.jobs.progress import Progress
from submissions.layouts import draft_queue, readiness
from submissions.layouts.readiness import why_not_cleared
from submissions.models import Decision, Document, Job, LayoutFiling, Person, Revision, Role, Status, Submission
from submissions.permissions import ALLOWED, Verdict, attachments_visible_to, may
from submissions.permissions.workflow import TRANSITIONS, Transition, page_steps
from submissions.rules import filed_day, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.forms import ANY_ENTRY
from submissions.web.responses import STOP_POLLING, file_response, render_page

ERROR_FIELDS = {"decision": {"reason-missing": "reason"}, "assignment": {ANY_ENTRY: "assignee"}}  # of each form
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
    """Return the page; after a refusal with what was `entered` into its `form`, so that nothing is lost."""
    submission = submission_of(request, number)
    context = _state(request, submission, entered if form == "decision" else {}) | {
        "history": timeline(submission, request.user),
        "folded": submission.status in DECIDED and refusal is None,
        "here": "home",
    }
    context |= assignment_panel(person_of(request), submission)
    context |= _papers(request, submission, context["revision"]) | {"entered": entered, "form": form}
    if form.startswith(("line-", "remark-")) and refusal and refusal.code != "question-closed":  # which has no field
        context["error_fields"] = {ANY_ENTRY: f"{form}-text"}
    else:
        context["error_fields"] = ERROR_FIELDS.get(form, {})
    return render_page(request, "pages/submission.html", context, refusal)


def progress(request: HttpRequest, number: str) -> HttpResponse:
    """Show the evidence, the document and the possible decisions; end the polling when nothing is under way."""
    context = _state(request, submission_of(request, number), {})
    if context["revision"] is None:
        raise Http404("This submission has not been filed yet.")
    status = 200 if context["under_way"] else STOP_POLLING
    return render(request, "parts/progress.html", context, status=status)


def document(request: HttpRequest, number: str) -> FileResponse:
    """Return the signed PDF of the latest revision that has one."""
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
    """Return the current answers as a PDF, for the licensee only, while they can be changed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("You cannot change the answers of this submission now.")
    subject = draft_queue.submission_draft(submission, person_of(request))
    return draft_response(request, subject, submission.number, reverse("submission", args=[number]))


def draft_revision(request: HttpRequest, number: str, place: int) -> HttpResponseBase:
    """Return a filed revision, with the evidence and decisions so far."""
    filed = get_object_or_404(submission_of(request, number).revisions, number=place)
    subject = draft_queue.revision_draft(filed)
    return draft_response(request, subject, filed.receipt, reverse("submission", args=[number]))


def _papers(request: HttpRequest, submission: Submission, revision: Revision | None) -> dict[str, object]:
    """Return the papers: of the draft's answers while its own side prepares it, else those that were filed."""
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
    """Return the part for the licensee's side only: a draft's progress, its handover, whether it may be deleted."""
    if person.at_regulator:
        return {}
    return {
        "draft_progress": draft_progress(submission),
        "handover": handover_state(submission),
        "may_file": may(person, "file", submission),
        "may_delete": may(person, "delete", submission),
    }


def _latest_filing(submission: Submission) -> Revision | None:
    """Return the latest filing, after loading what the page reads several times: filings, evidence and decisions."""
    rows = Revision.objects.select_related("filed_by", "version", "document__signed")
    filings = rows.defer("document__verification", "document__signed__packed")
    prefetch_related_objects([submission], Prefetch("revisions", filings))
    latest: Revision | None = submission.revisions.first()
    if latest:
        prefetch_related_objects([latest], "simulations", Prefetch("decisions", Decision.objects.select_related("by")))
    return latest


def _state(request: HttpRequest, submission: Submission, entered: Mapping[str, str]) -> dict[str, Any]:
    person, revision = person_of(request), _latest_filing(submission)
    evidence = evidence_progress(revision) if revision else None
    signing = document_progress(revision) if revision else None
    said = load_threads(person, submission)
    shown = revision_context(revision, said) if revision else None
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
        "steps": (steps := step_buttons(person, submission)),
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


@dataclass(frozen=True, slots=True)
class StepButton:
    """A button of the workflow: what it says, and why it is grey if it is."""

    verb: str
    transition: Transition
    verdict: Verdict


def revision_context(revision: Revision, said: Threads) -> dict[str, Any]:
    """Return the filing and its findings, each line with its remarks, and the differences from its base filing."""
    shown, content = document_context(document_record(revision)), revision.content
    for place, configuration in enumerate(shown["configurations"]):
        position = group_at(content, place)
        for line in (line for group in configuration["groups"] for line in group["lines"]):
            line |= {"place": place, "threads": said.of(position, line["key"])}
    base = base_revision(revision)
    filings = revision.submission.revisions.all()
    returned = next((filing for filing in filings if filing.number == revision.number - 1), None)
    return {
        **shown,
        "base": base,
        "returned": returned if returned != base else None,  # the filing that this one corrects
        "in_force": bool(base and base.submission_id != revision.submission_id),
        "differences": compare_revisions(base, revision) if base else None,
        "warnings": sum(len(configuration["findings"]) for configuration in shown["configurations"]),
        "blocking": sum(len(configuration["blocking"]) for configuration in shown["configurations"]),
    }


def step_buttons(person: Person, submission: Submission) -> list[StepButton]:
    """Return the steps that concern this person's side and this state, each with its verdict."""
    steps = page_steps(TRANSITIONS, submission.status, of_board=person.at_regulator)
    left = len(unresolved_questions(submission)) if any(step.needs_evidence for step in steps.values()) else 0
    buttons = [
        StepButton(verb, step, may(person, verb, submission) and _settled(step, left)) for verb, step in steps.items()
    ]
    return buttons if any(step.verdict for step in buttons) or person.role != Role.READER else []


def _settled(step: Transition, left: int) -> Verdict:
    """No button leads to a refusal that is known already: unresolved questions hold up what needs evidence."""
    if not (left and step.needs_evidence):
        return ALLOWED
    return Verdict(False, f"{left} question{'s are' if left > 1 else ' is'} not resolved yet.")


def evidence_progress(revision: Revision) -> Progress | None:
    """Return the progress of the simulation; None once every run has ended."""
    runs = revision.simulations.all()
    if not runs:
        return Progress("This filing has no simulation.", stopped=True)
    if all(run.finished_at for run in runs):
        return None
    return Progress.of(Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=[run.pk for run in runs]))


def document_progress(revision: Revision) -> Progress | None:
    """Return the progress of the signed document; None once it is stored, or if none was requested."""
    if hasattr(revision, "document"):
        return None
    jobs = Job.objects.filter(kind=Job.Kind.DOCUMENT, subject=revision.pk)
    return Progress.of(jobs) if jobs else None


def assignment_panel(reader: Person, filing: Submission | LayoutFiling) -> dict[str, dict[str, object]]:
    """Return who has the filing, and to whom the reader may assign it, for the Board only; a licensee has none."""
    if not reader.at_regulator:
        return {}
    verdict, assignment = may(reader, "assign", filing), assignment_of(filing)
    person = assignment.person if assignment else None
    panel: dict[str, object] = {
        "number": filing.number,
        "person": person,
        "people": tuple(assignable_people(reader)) if verdict else (),
        "verdict": verdict,
        "is_mine": person == reader,
        "words": f"Assigned to {person.name}" if person else "Unassigned",
    }
    return {"assignment": panel} if verdict or person else {}
