"""What the Board's staff decide: return with questions, recommend, approve, reject. Approval takes two people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.db import transaction
from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from submissions import access, workflow
from submissions.actions import jobs, questions, remarks, versions
from submissions.actions.history import record
from submissions.actions.snapshot import refuse_damaged
from submissions.actions.wording import clean_text
from submissions.errors import Refusal
from submissions.models import Decision, Job, Person, Revision, Submission


def recommend(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """The analyst's word that the revision may be approved; its simulation has passed."""
    with transaction.atomic():
        return _decide(actor, submission, "recommend", version=version, reason=reason)


def send_back(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """Return the submission with the remarks that are open for the licensee as its questions, and only those lines.

    Without such a remark the reason is the question, about the whole filing.
    """
    with transaction.atomic():
        return _decide(actor, submission, "return", version=version, reason=reason)


def reject(actor: Person, submission: Submission, *, version: int, reason: str) -> Decision:
    """The director's no, with reasons: the end of this submission."""
    with transaction.atomic():
        return _decide(actor, submission, "reject", version=version, reason=reason)


def approve(
    actor: Person, submission: Submission, *, version: int, from_day: date | None = None, reason: str = ""
) -> Decision:
    """The director's approval, in force from `from_day` (today, where none is named); the document is made apart."""
    with transaction.atomic():
        from_day = from_day or timezone.localdate()
        decision = _decide(
            actor, submission, "approve", version=version, reason=reason, after={"from_day": from_day.isoformat()}
        )
        versions.put_in_force(actor, decision.revision, from_day)
        jobs.enqueue(Job.Kind.DOCUMENT, decision.revision.pk)
    return decision


def _decide(
    actor: Person,
    submission: Submission,
    verb: str,
    *,
    version: int,
    reason: str,
    after: Mapping[str, str] | None = None,
) -> Decision:
    submission = workflow.locked(submission)
    workflow.expect(submission, version, verb)
    access.demand(actor, verb, submission)
    revision = submission.revisions.latest("number")
    reason = clean_text(reason, "The reason")
    if verb == "return" and not remarks.has_questions(submission):
        _ask_the_reason(actor, revision, reason)
    if workflow.TRANSITIONS[verb].needs_evidence:
        _refuse_changed_rules(submission, revision)
        refuse_damaged(revision)
        questions.refuse_unresolved(submission)
    workflow.apply(submission, verb, version=version, reason=reason)
    decision = Decision.objects.create(revision=revision, kind=verb, by=actor, at=timezone.now(), reason=reason)
    sent = [questions.about(one) for one in remarks.send_with(decision)]
    told = {"receipt": revision.receipt, **(after or {}), **({"remarks": sent} if sent else {})}
    record(actor, submission, workflow.TRANSITIONS[verb].done, reason=reason, after=told)
    return decision


def _ask_the_reason(actor: Person, revision: Revision, reason: str) -> None:
    """The reason of a return that has no other question is the question, about the whole filing."""
    if not reason:
        raise Refusal(
            "question-missing",
            "A return asks something.",
            fix="Write a remark for the licensee beside a line, or the question about the whole filing here.",
        )
    remarks.ask_about_all(actor, revision, reason)


def _refuse_changed_rules(submission: Submission, revision: Revision) -> None:
    """A revision was judged by the rules it pins; other rules mean another filing, never a new reading of this one."""
    if chapter_of(submission.chapter).digest != revision.rules_digest:
        raise Refusal(
            "rules-changed",
            f"The rules of chapter {submission.chapter} changed after {revision.receipt} was filed.",
            fix="Return it, so that the licensee files it again under the rules of today.",
        )
