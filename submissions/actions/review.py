"""What the Board's staff decide: return with questions, recommend, approve. Two different people for the last two."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from submissions import access, workflow
from submissions.actions import jobs
from submissions.actions.history import record
from submissions.actions.snapshot import refuse_damaged
from submissions.actions.wording import clean_text
from submissions.errors import Refusal
from submissions.models import Decision, Job, Person, Revision, Submission


def recommend(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """The analyst's word that the revision may be approved; its simulation has passed."""
    with transaction.atomic():
        return _decide(actor, submission, "recommend", version=version, reason=reason)


def send_back(actor: Person, submission: Submission, *, version: int, reason: str) -> Decision:
    """Return the submission to its licensee with the reason; its answers can be changed and filed again."""
    with transaction.atomic():
        return _decide(actor, submission, "return", version=version, reason=reason)


def approve(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """The director's approval; the signed document follows in the background."""
    with transaction.atomic():
        decision = _decide(actor, submission, "approve", version=version, reason=reason)
        jobs.enqueue(Job.Kind.DOCUMENT, decision.revision.pk)
    return decision


def _decide(actor: Person, submission: Submission, verb: str, *, version: int, reason: str) -> Decision:
    submission = workflow.locked(submission)
    workflow.expect(submission, version)
    access.demand(actor, verb, submission)
    revision = submission.revisions.latest("number")
    reason = clean_text(reason, "The reason")
    if workflow.TRANSITIONS[verb].needs_evidence:
        _refuse_changed_rules(submission, revision)
        refuse_damaged(revision)
    workflow.apply(submission, verb, version=version, reason=reason)
    record(actor, submission, workflow.TRANSITIONS[verb].done, reason=reason, after={"receipt": revision.receipt})
    return Decision.objects.create(revision=revision, kind=verb, by=actor, at=timezone.now(), reason=reason)


def _refuse_changed_rules(submission: Submission, revision: Revision) -> None:
    """A revision was judged by the rules it pins; other rules mean another filing, never a new reading of this one."""
    if chapter_of(submission.chapter).digest != revision.rules_digest:
        raise Refusal(
            "rules-changed",
            f"The rules of chapter {submission.chapter} changed after {revision.receipt} was filed.",
            fix="Return it, so that the licensee files it again under the rules of today.",
        )
