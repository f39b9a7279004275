"""An organisation's people: what an administrator changes about them. How they come in is `invitations`.

Nobody is ever deleted: whoever leaves is deactivated, and every step they took keeps their name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction

from submissions import access
from submissions.actions.history import record
from submissions.errors import Forbidden, Refusal
from submissions.models import ROLES_OF, Organisation, Person, Role

FEWEST_ADMINISTRATORS = 2  # an organisation whose only administrator falls ill is locked out


def assign(actor: Person, person: Person, *, role: str, administrator: bool) -> None:
    """Give the person another role, or make them an administrator, or no longer one."""
    with _changing(actor, person) as colleague:
        chosen = role_of(actor.organisation, role)
        before = {"role": colleague.role, "administrator": colleague.administrator}
        after = {"role": chosen.value, "administrator": administrator}
        if before == after:
            return
        if colleague.administrator and not administrator:
            _refuse_too_few(colleague)
        colleague.role, colleague.administrator = chosen, administrator
        colleague.save(update_fields=["role", "administrator"])
        record(actor, None, "assigned", before=before, after={**_who(colleague), **after})


def deactivate(actor: Person, person: Person) -> None:
    """End the person's access at once, wherever they are signed in. What they did stays."""
    with _changing(actor, person) as colleague:
        if not colleague.is_active:
            return
        if colleague.administrator:
            _refuse_too_few(colleague)
        colleague.is_active = False
        colleague.save(update_fields=["is_active"])
        _end_sessions(colleague)
        record(actor, None, "deactivated", after=_who(colleague))


def reactivate(actor: Person, person: Person) -> None:
    """Let the person in again, as who they were."""
    with _changing(actor, person) as colleague:
        if colleague.is_active:
            return
        colleague.is_active = True
        colleague.save(update_fields=["is_active"])
        record(actor, None, "reactivated", after=_who(colleague))


def remove_second_factor(actor: Person, person: Person) -> None:
    """For whoever lost both phone and recovery codes: app and codes are void, and every session ends."""
    with _changing(actor, person) as colleague:
        removed, _ = Authenticator.objects.filter(user=colleague).delete()
        if not removed:
            return
        _end_sessions(colleague)
        record(actor, None, "second-factor-removed", after=_who(colleague))


def second_factor_set_up(person: Person, *, here: str) -> None:
    """Whoever else has the passphrase is out: every session but the one that set it up ends."""
    with transaction.atomic():
        _end_sessions(person, but=here)
        record(person, None, "second-factor-set-up", after=_who(person))


def second_factor_given_up(person: Person) -> None:
    with transaction.atomic():
        record(person, None, "second-factor-given-up", after=_who(person))


def too_few_administrators(organisation: Organisation) -> bool:
    """Whether somebody has to be made an administrator, or invited as one."""
    return _administrators(organisation.pk) < FEWEST_ADMINISTRATORS


def role_of(organisation: Organisation | None, role: str) -> Role:
    """The role with this name, if people of this organisation may have it."""
    allowed = ROLES_OF[Organisation.Kind(organisation.kind)] if organisation else ()
    if found := next((one for one in allowed if one.value == role), None):
        return found
    raise Refusal(
        "role-elsewhere",
        f"“{role[:40]}” is no role of {organisation}." if role else "No role is chosen.",
        fix=f"Choose one of: {', '.join(str(one.label) for one in allowed)}.",
        option="role",
    )


@contextmanager
def _changing(actor: Person, person: Person) -> Iterator[Person]:
    """A colleague as they are now, held with their organisation, so that two administrators change one by one."""
    with transaction.atomic():
        access.demand(actor, "administer")
        Organisation.objects.select_for_update(no_key=True).get(people=actor)
        colleague = access.people_visible_to(actor).filter(pk=person.pk).first()
        if colleague is None:
            raise Forbidden("not-allowed", "This person belongs to another organisation.")
        if colleague.pk == actor.pk:
            raise Forbidden("own-account", "Nobody changes this about themselves.", fix="Ask another administrator.")
        yield colleague


def _refuse_too_few(leaving: Person) -> None:
    """An administrator may go only while two others stay."""
    if not leaving.is_active:
        return
    if _administrators(leaving.organisation_id) <= FEWEST_ADMINISTRATORS:
        raise Refusal(
            "too-few-administrators",
            f"{leaving.organisation} would be left with fewer than {FEWEST_ADMINISTRATORS} administrators.",
            fix="Make somebody else an administrator first, or invite one.",
        )


def _administrators(organisation_id: int | None) -> int:
    return Person.objects.filter(organisation=organisation_id, administrator=True, is_active=True).count()


def _end_sessions(person: Person, *, but: str = "") -> None:
    for session in UserSession.objects.filter(user=person).exclude(session_key=but):
        session.end()


def _who(person: Person) -> dict[str, object]:
    return {"person": person.pk, "name": person.name, "email": person.email}
