"""Every permission in the system: what a person may see (`visible_to`) and do (`may`), with the reason if not.

A row without an owner is seen by nobody; a person without an organisation sees nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from submissions.errors import Forbidden
from submissions.models import (
    ROLES_OF,
    Attachment,
    Decision,
    Event,
    Organisation,
    Person,
    Role,
    Simulation,
    Status,
    Submission,
)
from submissions.workflow import TRANSITIONS, Transition

Visitor = Person | AnonymousUser


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether, and if not why not: a button can say why it is grey."""

    allowed: bool
    reason: str = ""

    def __bool__(self) -> bool:
        return self.allowed


YES = Verdict(True)


def visible_to(person: Visitor) -> QuerySet[Submission]:
    """The submissions that a person may read: one's own casino's; at the Board, whatever was ever filed."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organisation is None:
        return Submission.objects.none()
    if person.at_regulator:
        return Submission.objects.filter(revisions__isnull=False).distinct()
    return Submission.objects.filter(organisation=person.organisation)


def may(person: Visitor, verb: str, submission: Submission | None = None) -> Verdict:
    """Whether the person may `start` a submission, `edit` its answers, or take a step of the workflow."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organisation is None:
        return Verdict(False, "Sign in first.")
    if verb == "start":
        return _is_one_of(person, (Role.PREPARER, Role.MANAGER))
    if submission is None or not visible_to(person).filter(pk=submission.pk).exists():
        return Verdict(False, "This submission belongs to another licensee.")
    if verb == "edit":
        return _may_edit(person, submission)
    return _may_step(person, TRANSITIONS[verb], verb, submission)


def demand(person: Visitor, verb: str, submission: Submission | None = None) -> None:
    """Raise `Forbidden` with the reason unless `may` says yes."""
    verdict = may(person, verb, submission)
    if not verdict:
        raise Forbidden("not-allowed", verdict.reason)


def _may_edit(person: Person, submission: Submission) -> Verdict:
    if not submission.editable:
        return Verdict(False, f"The submission is “{submission.get_status_display()}”: its answers no longer change.")
    return _is_one_of(person, (Role.PREPARER, Role.MANAGER))


def _may_step(person: Person, step: Transition, verb: str, submission: Submission) -> Verdict:
    if submission.status not in step.sources:
        return Verdict(False, f"Not possible while the submission is “{submission.get_status_display()}”.")
    verdict = _is_one_of(person, step.roles)
    if verdict and step.needs_evidence:
        verdict = _evidence_passed(submission)
    if verdict and verb == "approve":
        verdict = _not_the_recommender(person, submission)
    return verdict


def _is_one_of(person: Person, roles: tuple[Role, ...]) -> Verdict:
    if person.role in roles and person.role in _roles_of_its_side(person):
        return YES
    names = (f"an {role.label}" if role.label[0] in "AEIOU" else f"a {role.label}" for role in roles)
    return Verdict(False, f"Only {' or '.join(names)} may do this.")


def _roles_of_its_side(person: Person) -> tuple[Role, ...]:
    """A role counts only where it belongs: a casino has no analysts, the Board no preparers."""
    return ROLES_OF[Organisation.Kind(person.organisation.kind)] if person.organisation else ()


def _evidence_passed(submission: Submission) -> Verdict:
    revision = submission.revisions.first()
    runs = list(Simulation.objects.filter(revision=revision).values_list("passed", flat=True))
    if not runs:
        return Verdict(False, "Nothing was simulated for this filing: return it, so that it is filed again.")
    if all(runs):
        return YES
    if False in runs:
        return Verdict(False, "The simulation does not agree with the exact figures.")
    return Verdict(False, "The simulation has not ended yet.")


def _not_the_recommender(person: Person, submission: Submission) -> Verdict:
    recommended = Decision.objects.filter(
        revision=submission.revisions.first(), kind=Decision.Kind.RECOMMEND, by=person
    ).exists()
    if recommended:
        return Verdict(False, "You recommended this submission: somebody else has to approve it.")
    return YES


def history_visible_to(person: Visitor, submission: Submission) -> QuerySet[Event]:
    """The events that a person may read. What a licensee changes after its last filing is not the Board's yet."""
    events = submission.events.select_related("actor").order_by("sequence")
    if isinstance(person, AnonymousUser) or not visible_to(person).filter(pk=submission.pk).exists():
        return events.none()
    if not person.at_regulator:
        return events
    filed = events.filter(verb="filed").last()
    return events.exclude(verb__in=("saved", "attached"), sequence__gt=filed.sequence if filed else 0)


def attachments_visible_to(person: Visitor, submission: Submission) -> QuerySet[Attachment]:
    """The files that a person may open: the licensee's own; for the Board those of a filing."""
    files = submission.attachments.select_related("stored")
    if isinstance(person, AnonymousUser) or not visible_to(person).filter(pk=submission.pk).exists():
        return files.none()
    if not person.at_regulator:
        return files
    filed = {file["sha256"] for revision in submission.revisions.all() for file in revision.content["attachments"]}
    return files.filter(stored_id__in=filed)


def is_public(submission: Submission) -> bool:
    """Approved versions are in the public register; nothing else is."""
    return submission.status == Status.APPROVED
