"""To whom of the Board a filing is assigned: assign it, unassign it, and what happens when that person leaves.

An assignment limits nobody. The work of a person who is deactivated, or who no longer reviews, becomes unassigned, so
that the queue shows it as work that nobody has. Only the Board sees assignments.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.audit.row_seals import RowReference
from submissions.core.errors import Refusal
from submissions.models import Assignment, Event, LayoutFiling, Person, Submission
from submissions.permissions import REVIEWER_ROLES, workflow

ASSIGNED, UNASSIGNED = "work-assigned", "work-unassigned"
LEFT = "The person no longer reviews for the Board."
ABOUT_ROLES = ("deactivated", "assigned")  # events of a person after which they may no longer review


def assignable_people(actor: Person) -> QuerySet[Person]:
    """Return the active analysts and directors of the actor's own side, by name."""
    if not actor.at_regulator:
        return Person.objects.none()
    rows = Person.objects.filter(organization=actor.organization_id, role__in=REVIEWER_ROLES, is_active=True)
    return rows.filter(is_system=False).order_by("name", "pk")


def assignee_of(filing: Submission | LayoutFiling) -> Person | None:
    """Return the assigned person of a row that was selected with `assignment__person`."""
    assignment: Assignment | None = getattr(filing, "assignment", None)
    return assignment.person if assignment else None


def assignable_names(actor: Person) -> dict[str, str]:
    """Return the names of the assignable people by their numbers, for filters."""
    people = assignable_people(actor).values_list("pk", "name")
    return {str(key): name for key, name in people}


def assignment_of(filing: Submission | LayoutFiling) -> Assignment | None:
    """Return the assignment of this filing, with its person; None: nobody has it."""
    return Assignment.objects.filter(**_key(filing)).select_related("person").first()


def assign_work(
    actor: Person, filing: Submission | LayoutFiling, person: Person, *, version: int | None = None
) -> Assignment:
    """Assign the filing to an analyst or director of the Board, in the place of anyone else.

    Raise `Refusal` if the person is not an active reviewer, `Conflict` if the filing is not at the `version` that a
    program saw. The same person twice is no change and no event.
    """
    with transaction.atomic():
        filing = _lock(filing)
        permissions.require(actor, "assign", filing)
        if version is not None:
            workflow.check_version(filing, version)
        # Locked before the history: who deactivates the person at this moment takes the same order.
        reviewer = assignable_people(actor).select_for_update(no_key=True, of=("self",)).filter(pk=person.pk).first()
        if reviewer is None:
            raise Refusal("assignee-unfit", name=person.name)
        lock_history()
        existing = assignment_of(filing)
        if existing and existing.person_id == reviewer.pk:
            return existing
        values = {"person": reviewer, "by": actor, "at": timezone.now()}
        assignment, _ = Assignment.objects.update_or_create(**_key(filing), defaults=values)
        before = {"assigned_to": existing.person.name} if existing else {}
        after = {**_about(filing), "person": reviewer.pk, "assigned_to": reviewer.name}
        record_event(actor, _submission(filing), ASSIGNED, before=before, after=after, seals=(assignment,))
    return assignment


def unassign_work(actor: Person, filing: Submission | LayoutFiling, *, version: int | None = None) -> None:
    """Let nobody have the filing; nothing happens if nobody has it. `version`: as for `assign_work`."""
    with transaction.atomic():
        filing = _lock(filing)
        permissions.require(actor, "assign", filing)
        if version is not None:
            workflow.check_version(filing, version)
        lock_history()
        if existing := assignment_of(filing):
            _delete(actor, existing)


def release_work(events: Sequence[Event], **_: object) -> None:
    """Unassign the work of people who were deactivated or got another role; a receiver of `events_recorded`."""
    for event in events:
        if event.verb in ABOUT_ROLES:
            rows = Assignment.objects.filter(person=event.after["person"])
            for assignment in list(rows.select_related("submission", "layout_filing__submission", "person")):
                if not (assignment.person.is_active and assignment.person.role in REVIEWER_ROLES):
                    _delete(event.actor, assignment, reason=LEFT)


def _delete(actor: Person | None, assignment: Assignment, reason: str = "") -> None:
    filing, before = assignment.filing, {"assigned_to": assignment.person.name}
    deleted = RowReference(Assignment, assignment.pk)
    assignment.delete()
    record_event(
        actor, _submission(filing), UNASSIGNED, reason=reason, before=before, after=_about(filing), seals=(deleted,)
    )


def _lock(filing: Submission | LayoutFiling) -> Submission | LayoutFiling:
    if isinstance(filing, Submission):
        return workflow.lock_row(filing)
    return workflow.lock_row(filing)


def _key(filing: Submission | LayoutFiling) -> dict[str, Any]:
    return {"submission" if isinstance(filing, Submission) else "layout_filing": filing}


def _submission(filing: Submission | LayoutFiling) -> Submission:
    return filing if isinstance(filing, Submission) else filing.submission


def _about(filing: Submission | LayoutFiling) -> dict[str, object]:
    """Return the number of a layout filing: its events are those of its submission."""
    return {"filing": filing.number} if isinstance(filing, LayoutFiling) else {}
