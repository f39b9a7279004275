"""What the Board's staff decide: return with questions, recommend, approve, reject. Approval takes two people."""

from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.core.text_cleaning import clean_text
from submissions.filings import questions, versions
from submissions.filings.planned_day import approval_day, refuse_other_rules
from submissions.filings.snapshot import refuse_damaged
from submissions.jobs import leases
from submissions.models import Decision, Job, Person, Submission
from submissions.permissions import workflow
from submissions.review import comments
from submissions.review.confirmation import to_confirm


@transaction.atomic
def recommend_approval(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """Recommend that the revision be approved; its simulation has passed."""
    return _decide(actor, submission, "recommend", version=version, reason=reason)


@transaction.atomic
def return_to_licensee(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """Return the submission with the remarks that are open for the licensee as its questions, and only those lines.

    Without such a remark the reason is the question, about the whole filing.
    """
    return _decide(actor, submission, "return", version=version, reason=reason)


@transaction.atomic
def reject_submission(actor: Person, submission: Submission, *, version: int, reason: str) -> Decision:
    """Reject the submission for a reason, which ends it."""
    return _decide(actor, submission, "reject", version=version, reason=reason)


@transaction.atomic
def approve_submission(
    actor: Person,
    submission: Submission,
    *,
    version: int,
    from_day: date | None = None,
    reason: str = "",
    confirmed: bool = False,
) -> Decision:
    """Approve it, effective from `from_day` (default: the planned day, else today). A job makes and signs the document.

    Raise `Refusal` if something has to be confirmed (`review.confirmation`) and is not `confirmed`, and if the rules of
    that day are not those that the filing was judged by.
    """
    decision = _decide(
        actor, submission, "approve", version=version, reason=reason, from_day=from_day, confirmed=confirmed
    )
    leases.enqueue(Job.Kind.DOCUMENT, decision.revision.pk)
    return decision


def _decide(
    actor: Person,
    submission: Submission,
    verb: str,
    *,
    version: int,
    reason: str,
    from_day: date | None = None,
    confirmed: bool = False,
) -> Decision:
    submission = workflow.lock_row(submission)
    workflow.check_version(submission, version, verb)
    permissions.require(actor, verb, submission)
    revision = submission.revisions.latest("number")
    content = revision.content
    reason = clean_text(reason, "The reason")
    if verb == "return" and not comments.open_remarks(submission).exists():
        comments.ask_about_all(actor, revision, reason)
    if workflow.TRANSITIONS[verb].needs_evidence:
        from_day = from_day or approval_day(content)
        refuse_damaged(revision)
        refuse_other_rules(revision, content, from_day)
        questions.refuse_unresolved(submission)
    reservations = list(to_confirm(revision)) if verb == "approve" else []
    if reservations and not confirmed:
        raise Refusal("approval-not-confirmed", option="confirmed", what=" ".join(reservations))
    workflow.apply_transition(submission, verb, version=version, reason=reason)
    decision = Decision.objects.create(
        revision=revision, kind=verb, by=actor, at=timezone.now(), reason=reason, confirmed=reservations or None
    )
    from_day = from_day if verb == "approve" else None
    version_rows = [versions.put_in_effect(actor, revision, from_day)] if from_day else []
    sent = comments.send_with(decision)
    payload: dict[str, Any] = {"receipt": revision.receipt}
    payload |= {"from_day": from_day.isoformat()} if from_day else {}
    payload |= {"remarks": [questions.question_subject(comment) for comment in sent]} if sent else {}
    payload |= {"confirmed": reservations} if reservations else {}
    rows = (submission, decision, *version_rows, *sent)
    record_event(actor, submission, workflow.TRANSITIONS[verb].done, reason=reason, after=payload, seals=rows)
    return decision
