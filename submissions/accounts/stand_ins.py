"""Naming a stand-in for the Table Games Manager, from day to day (Eastern Time), and ending it early.

A manager or an administrator names a preparer of the same licensee; a stand-in names nobody. Rows are never changed:
naming and ending are rows of their own. What a stand-in may do is decided in `permissions`.
"""

from datetime import date
from typing import cast

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.dates import date_text
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.models import Organization, Person, Role, StandIn, StandInEnd

NAMED, ENDED = "stand-in-named", "stand-in-ended"  # verbs of events
LONGEST = 180  # days


def stand_in_candidates(actor: Person) -> QuerySet[Person]:
    """Return the people whom the actor may name: active preparers of the same licensee, but not the actor."""
    people = permissions.people_visible_to(actor).filter(role=Role.PREPARER, is_active=True)
    return people.exclude(pk=actor.pk).order_by("name", "pk")


def name_stand_in(actor: Person, person: Person, *, first_day: date, last_day: date, reason: str) -> StandIn:
    """Name the person from the first day to the last one, both included, for a reason.

    Raises:
        Forbidden: the actor is neither a manager nor an administrator of the licensee.
        Refusal: the person cannot be a stand-in, the days are not in order or too many, or the reason is missing.
    """
    permissions.require(actor, "name-stand-in")
    if person not in stand_in_candidates(actor):
        raise Refusal("stand-in-person", option="person")
    _refuse_days(first_day, last_day)
    reason = clean_text(reason, "The reason", option="reason")
    if not reason:
        raise Refusal("reason-missing/stand-in", option="reason")
    with transaction.atomic():
        lock_history()
        row = StandIn.objects.create(
            organization=cast(Organization, person.organization),
            person=person,
            first_day=first_day,
            last_day=last_day,
            reason=reason,
            by=actor,
            at=timezone.now(),
        )
        record_event(actor, None, NAMED, reason=reason, after=_facts(row), seals=(row,))
    return row


def end_stand_in(actor: Person, stand_in: StandIn) -> StandInEnd:
    """End it at once, before its last day; `Conflict` if it has ended already."""
    permissions.require(actor, "name-stand-in")
    with transaction.atomic():
        lock_history()
        row = permissions.stand_ins_visible_to(actor).get(pk=stand_in.pk)
        if StandInEnd.objects.filter(stand_in=row).exists() or row.last_day < timezone.localdate():
            raise Conflict("stand-in-over", name=row.person.name, last_day=date_text(row.last_day))
        end = StandInEnd.objects.create(stand_in=row, by=actor, at=timezone.now())
        record_event(actor, None, ENDED, after=_facts(row), seals=(end,))
    return end


def _refuse_days(first_day: date, last_day: date) -> None:
    today = timezone.localdate()
    if first_day < today:
        raise Refusal("stand-in-days/past", option="first_day", first_day=date_text(first_day), today=date_text(today))
    if last_day < first_day:
        raise Refusal("stand-in-days/order", option="last_day", last_day=date_text(last_day))
    if (days := (last_day - first_day).days + 1) > LONGEST:
        raise Refusal("stand-in-days/long", option="last_day", days=days, longest=LONGEST)


def _facts(row: StandIn) -> dict[str, str | int]:
    return {
        "person": row.person_id,
        "name": row.person.name,
        "first_day": row.first_day.isoformat(),
        "last_day": row.last_day.isoformat(),
    }
