"""Who is stand-in for the Table Games Manager on a day. During these days `may` treats that person as a manager.

Only a preparer can be one: a read-only member, a service account or someone who left acts for nobody. Not here: naming
a stand-in and ending it (`accounts.stand_ins`).
"""

from datetime import date

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, QuerySet
from django.utils import timezone

from submissions.models import Organization, Person, Role, StandIn

STAND_IN_TITLE = "stand-in for the Table Games Manager"


def stand_ins_on(day: date) -> QuerySet[StandIn]:
    """Those that count on this day (Eastern Time): both days are included, and an ended one counts no longer."""
    return StandIn.objects.filter(
        first_day__lte=day,
        last_day__gte=day,
        end=None,
        organization=F("person__organization"),
        organization__kind=Organization.Kind.LICENSEE,
        person__role=Role.PREPARER,
        person__is_active=True,
        person__is_system=False,
    )


def is_stand_in(person: Person) -> bool:
    """Whether the person acts for the Table Games Manager today."""
    return person.role == Role.PREPARER and stand_ins_on(timezone.localdate()).filter(person=person).exists()


def role_title(person: Person) -> str:
    """The role as it is written where the person signs: "Preparer, stand-in for the Table Games Manager"."""
    return f"{person.get_role_display()}, {STAND_IN_TITLE}" if is_stand_in(person) else str(person.get_role_display())


def stand_ins_visible_to(person: Person | AnonymousUser) -> QuerySet[StandIn]:
    """The stand-ins of the person's own licensee, the latest first."""
    rows = StandIn.objects.select_related("person", "by", "end", "end__by")
    if isinstance(person, AnonymousUser) or not person.is_active or not person.at_licensee:
        return rows.none()
    return rows.filter(organization=person.organization)
