"""Who may see an organization's people, and what was changed about them."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from submissions.models import Event, Invitation, Person
from submissions.permissions.may import may
from submissions.permissions.read_scope import Visitor

ABOUT_PEOPLE = (
    "invited", "uninvited", "joined", "assigned", "deactivated", "reactivated",
    "second-factor-set-up", "second-factor-given-up", "second-factor-removed",
    "stand-in-named", "stand-in-ended",
)  # fmt: skip


def people_visible_to(person: Visitor) -> QuerySet[Person]:
    """The people of the same organization, including those who left; no service accounts."""
    people = Person.objects.filter(is_system=False).select_related("organization", "account__organization")
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return people.none()
    return people.filter(organization=person.organization).order_by("-is_active", "name", "pk")


def invitations_visible_to(person: Visitor) -> QuerySet[Invitation]:
    """The invitations that still wait, for who administers: those that ended by themselves, too."""
    invitations = Invitation.objects.filter(accepted_by=None, withdrawn_at=None).select_related("by")
    if isinstance(person, AnonymousUser) or not may(person, "administer"):
        return invitations.none()
    return invitations.filter(organization=person.organization)


def people_history_visible_to(person: Visitor) -> QuerySet[Event]:
    """What was changed about an organization's people, for who administers it."""
    # None of them is about a submission: an index finds those, however many events there are.
    about = Event.objects.filter(submission=None, verb__in=ABOUT_PEOPLE)
    events = about.select_related("actor").order_by("-sequence")
    if isinstance(person, AnonymousUser) or not may(person, "administer"):
        return events.none()
    return events.filter(organization=person.organization)
