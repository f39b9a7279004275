"""The decisions of the Board's staff: return with questions, recommend, approve, reject.

Approval takes two people; the director confirms odds that no text at hand prints, a chapter that is not final and
findings on holds, and the orders that the filing needs must be in effect on its first day.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from games.rules.findings import is_on_sources
from games.rules.model import Finding
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.text import clean_text
from submissions.filings import questions, versions
from submissions.filings.filing import change_status
from submissions.filings.hold_findings import filed_hold_findings
from submissions.filings.judging import judge_filed, refuse_filed_missing_text
from submissions.filings.orders.order_entry import ConditionText, add_conditions
from submissions.filings.orders.waived_findings import CHAPTER_ENDED
from submissions.filings.planned_day import approval_day, refuse_other_rules
from submissions.filings.review import comments
from submissions.filings.snapshot import refuse_damaged
from submissions.jobs import leases
from submissions.models import Decision, Job, Person, Revision, Submission
from submissions.permissions import workflow
from submissions.rules import chapter_on_or_none, filed_chapter_or_none, filed_day


@dataclass(frozen=True, slots=True)
class ApprovalTerms:
    """The terms of an approval. `from_day` is None until it is known which filing is approved."""

    from_day: date | None
    confirmed: bool
    conditions: tuple[ConditionText, ...]

    @property
    def day(self) -> date:
        """Return the effective day, once it is known."""
        if self.from_day is None:
            raise ValueError("The effective day is not known yet.")
        return self.from_day


def recommend_approval(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """Recommend that the revision be approved; its simulation has passed."""
    return _decide(actor, submission, "recommend", version=version, reason=reason)


def return_to_licensee(actor: Person, submission: Submission, *, version: int, reason: str = "") -> Decision:
    """Return the submission with the remarks that are open for the licensee as its questions, and only those lines.

    Without such a remark the reason is the question, about the whole filing.
    """
    return _decide(actor, submission, "return", version=version, reason=reason)


def reject_submission(actor: Person, submission: Submission, *, version: int, reason: str) -> Decision:
    """Reject the submission for a reason, which ends it."""
    return _decide(actor, submission, "reject", version=version, reason=reason)


def missing_entries(submission: Submission, verb: str, *, reason: str, confirmed: bool) -> tuple[Refusal, ...]:
    """Return the refusals of a form that lacks the reason or the confirmation, to be shown beside another refusal."""
    revision = submission.revisions.first() if verb == "approve" else None
    lacking = (
        workflow.missing_reason(workflow.TRANSITIONS[verb], reason),
        _missing_confirmation(list(to_confirm(revision)), confirmed) if revision else None,
    )
    return tuple(filter(None, lacking))


@transaction.atomic
def approve_submission(
    actor: Person,
    submission: Submission,
    *,
    version: int,
    from_day: date | None = None,
    reason: str = "",
    confirmed: bool = False,
    conditions: Sequence[ConditionText] = (),
) -> Decision:
    """Approve it under these conditions, effective from `from_day` (default: the planned day, else today).

    A job makes and signs the document. Raises `Refusal` if something has to be confirmed (`to_confirm`) and is not
    `confirmed`, if the rules of that day are not those that the filing was judged by, if an order that the filing needs
    is not in effect on it, if it rests on text that is missing then (`filings.judging`), or if a condition cannot
    be stored.
    """
    terms = ApprovalTerms(from_day, confirmed, tuple(conditions))
    decision = _decide(actor, submission, "approve", version=version, reason=reason, approval=terms)
    leases.enqueue(Job.Kind.DOCUMENT, decision.revision.pk)
    return decision


def take_step(actor: Person, submission: Submission, verb: str, *, version: int, reason: str = "") -> None:
    """Take a step that needs nothing but a version and a reason: a decision on the latest filing, or another status."""
    if verb in ("file", "delete", "approve"):
        raise ValueError(f"“{verb}” has an action of its own.")
    if verb in Decision.Kind.values:
        _decide(actor, submission, verb, version=version, reason=reason)
    else:
        change_status(actor, submission, verb, version=version, reason=reason)


@transaction.atomic
def _decide(
    actor: Person,
    submission: Submission,
    verb: str,
    *,
    version: int,
    reason: str,
    approval: ApprovalTerms | None = None,
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
        approval = replace(approval, from_day=approval.from_day or approval_day(content)) if approval else None
        refuse_damaged(revision)
        day = approval.day if approval else approval_day(content)
        refuse_other_rules(revision, content, day)
        refuse_filed_missing_text(content, day)
        questions.refuse_unresolved(submission)
    reservations = _reservations(revision, approval) if approval else []
    workflow.apply_transition(submission, verb, version=version, reason=reason)
    decision = Decision.objects.create(
        revision=revision, kind=verb, by=actor, at=timezone.now(), reason=reason, confirmed=reservations or None
    )
    made, payload = _put_in_effect(decision, approval) if approval else ((), {})
    sent = comments.send_with(decision)
    payload = {"receipt": revision.receipt, "sha256": revision.sha256} | payload
    payload |= {"confirmed": reservations} if reservations else {}
    rows = (submission, decision, *made, *sent)
    record_event(actor, submission, workflow.TRANSITIONS[verb].done, reason=reason, after=payload, seals=rows)
    return decision


def _reservations(revision: Revision, approval: ApprovalTerms) -> list[str]:
    """Return what the director confirms; refuse what is not confirmed, and a day on which the filing is not allowed."""
    refuse_uncovered(revision, approval.day)
    reservations = list(to_confirm(revision))
    if missing := _missing_confirmation(reservations, approval.confirmed):
        raise missing
    return reservations


def _missing_confirmation(reservations: Sequence[str], confirmed: bool) -> Refusal | None:
    if confirmed or not reservations:
        return None
    return Refusal("approval-not-confirmed", option="confirmed", what=" ".join(reservations))


def _put_in_effect(decision: Decision, approval: ApprovalTerms) -> tuple[tuple[Model, ...], dict[str, Any]]:
    """Put the approval in effect; return its version and conditions, and what the event says of them."""
    version = versions.put_in_effect(decision.by, decision.revision, approval.day)
    conditions = add_conditions(decision, approval.conditions, approval.day)
    payload: dict[str, Any] = {"from_day": approval.day.isoformat()}
    payload |= {"conditions": [row.number for row in conditions]} if conditions else {}
    return (version, *conditions), payload


def to_confirm(revision: Revision) -> tuple[str, ...]:
    """Return in words what has to be confirmed, each once; nothing for a chapter that the portal no longer has."""
    content = revision.content
    chapter = filed_chapter_or_none(content)
    if chapter is None:
        return ()
    day = max(filed_day(content), timezone.localdate())
    judged = (judge_filed(chapter, content, place, day) for place in range(len(content["configurations"])))
    on_sources = (finding for judgment in judged for finding in judgment.findings if is_on_sources(finding))
    return tuple(dict.fromkeys(finding.message for finding in chain(on_sources, *filed_hold_findings(revision))))


def refuse_uncovered(revision: Revision, from_day: date) -> None:
    """Refuse if on that day a waiver that the filing was judged by is not in effect, or its chapter has ended."""
    if findings := uncovered_findings(revision, from_day):
        raise Refusal(
            "approval-not-covered",
            option="from_day",
            citation=findings[0].citation,
            findings=findings,
            from_day=date_text(from_day),
            text=findings[0].message,
            more=f" ({len(findings) - 1} more)" if len(findings) > 1 else "",
        )


def uncovered_findings(revision: Revision, day: date) -> list[Finding]:
    """Return the findings that block on that day and were waived at filing, and those on the end of its chapter."""
    content, chapter = revision.content, chapter_on_or_none(revision.content["chapter"]["number"], day)
    if chapter is None:
        return []
    uncovered = []
    for place, row in enumerate(content["configurations"]):
        lost = {finding["rule"] for finding in row["findings"] if "waiver" in finding}
        lost.add(f"{chapter.number}.{CHAPTER_ENDED}")
        uncovered += [finding for finding in judge_filed(chapter, content, place, day).blocking if finding.rule in lost]
    return uncovered
