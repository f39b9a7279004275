"""Rulemakings: who may see and write them. Everyone sees what was published; drafts are for the Board's staff."""

from django.db.models import QuerySet

from submissions.core.errors import Forbidden
from submissions.models import Person, Role, Rulemaking
from submissions.permissions.may import Verdict, is_named, is_one_of, with_second_factor
from submissions.permissions.visible import Visitor, read_scope_of
from submissions.permissions.workflow import REVIEWER_ROLES

BOARD_ONLY = Verdict(False, "Only the Board writes rulemakings.")
OWN_TEXT = Verdict(False, "You wrote the last change of this rulemaking. Another director must publish it.")


def rulemakings_visible_to(person: Visitor) -> QuerySet[Rulemaking]:
    """Return the rulemakings that a person may read."""
    if sees_drafts(person):
        return Rulemaking.objects.all()
    return Rulemaking.objects.filter(state=Rulemaking.State.PUBLISHED)


def sees_drafts(person: Visitor) -> bool:
    """Return whether the person is of the Board itself: not of a sandbox, whose rules are nobody's."""
    scope = read_scope_of(person)
    return scope is not None and scope.at_regulator and scope.live


def may_write(person: Visitor) -> Verdict:
    """Return whether the person may start rulemakings, write their changes, try and withdraw them."""
    if not isinstance(person, Person) or not sees_drafts(person):
        return BOARD_ONLY
    return is_one_of(person, REVIEWER_ROLES) and is_named(person)


def may_publish(person: Visitor, rulemaking: Rulemaking) -> Verdict:
    """Return whether the person may publish it: a director, but not the one who wrote its last change."""
    if not isinstance(person, Person) or not sees_drafts(person):
        return BOARD_ONLY
    verdict = is_one_of(person, (Role.DIRECTOR,)) and is_named(person)
    if verdict and rulemaking.written_by_id == person.pk:
        return OWN_TEXT
    return verdict and with_second_factor(person)


def require_allowed(verdict: Verdict) -> None:
    """Raise `Forbidden` with the reason unless it says yes."""
    if not verdict:
        raise Forbidden(verdict.code, verdict.reason)
