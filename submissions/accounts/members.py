"""Changes to the people of an organization by its administrators, and the company to which a licensee belongs.

Nobody is ever deleted: people who leave are deactivated, and their steps keep their name. Which licensees belong to one
company is set by the Board, through the portal's operator: their people can act for each other. How people join is in
`invitations`.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import Q

from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.errors import Forbidden, NotFound, Refusal
from submissions.core.text import clean_text
from submissions.models import ROLES_OF, Organization, Person, Role

FEWEST_ADMINISTRATORS = 2  # so that an organization is not locked out when one is absent


def assign_role(actor: Person, person: Person, *, role: str, administrator: bool) -> None:
    """Give the person another role, or make them an administrator, or no longer one."""
    with _changing(actor, person) as colleague:
        chosen = role_of(actor.organization, role)
        before = {"role": colleague.role, "administrator": colleague.administrator}
        after = {"role": chosen.value, "administrator": administrator}
        if before == after:
            return
        if colleague.administrator and not administrator:
            _refuse_too_few(colleague)
        colleague.role, colleague.administrator = chosen, administrator
        colleague.save(update_fields=["role", "administrator"])
        record_event(actor, None, "assigned", before=before, after={**_who(colleague), **after}, seals=(colleague,))


def deactivate_member(actor: Person, person: Person) -> None:
    """End the person's access and sessions at once; of an account, its memberships at other properties as well."""
    with _changing(actor, person) as colleague:
        if not colleague.is_active:
            return
        if colleague.administrator:
            _refuse_too_few(colleague)
        colleague.is_active = False
        colleague.save(update_fields=["is_active"])
        memberships = end_memberships(colleague.memberships.filter(is_active=True))
        _end_sessions(colleague)
        record_event(actor, None, "deactivated", after=_who(colleague), seals=(colleague,))
        record_ended_memberships(actor, memberships)


def reactivate_member(actor: Person, person: Person) -> None:
    """Give the person access again, with the same role."""
    with _changing(actor, person) as colleague:
        if colleague.is_active:
            return
        _refuse_ended_account(colleague)
        colleague.is_active = True
        colleague.save(update_fields=["is_active"])
        record_event(actor, None, "reactivated", after=_who(colleague), seals=(colleague,))


def remove_second_factor(actor: Person, person: Person) -> None:
    """Remove app and recovery codes, and end every session: for a person who lost them. Not of a membership."""
    with _changing(actor, person) as colleague:
        if colleague.account:
            raise Forbidden("factor-of-account", name=colleague.name, organization=colleague.account.organization)
        removed, _ = Authenticator.objects.filter(user=colleague).delete()
        if not removed:
            return
        _end_sessions(colleague)
        record_event(actor, None, "second-factor-removed", after=_who(colleague))


def record_second_factor_set_up(person: Person, *, here: str) -> None:
    """Record it and end every other session: another person may know the passphrase. `here`: key of this session."""
    with transaction.atomic():
        _end_sessions(person, but=here)
        record_event(person, None, "second-factor-set-up", after=_who(person))


def record_second_factor_given_up(person: Person) -> None:
    with transaction.atomic():
        record_event(person, None, "second-factor-given-up", after=_who(person))


def too_few_administrators(organization: Organization) -> bool:
    """Return whether the organization needs another administrator."""
    return _administrators(organization.pk) < FEWEST_ADMINISTRATORS


def role_of(organization: Organization | None, role: str) -> Role:
    """Return the role with this name; a `Refusal` if people of this organization cannot have it."""
    allowed = ROLES_OF[organization.kind] if organization else ()
    if role in allowed:
        return Role(role)
    labels = ", ".join(str(allowed_role.label) for allowed_role in allowed)
    if not role:
        raise Refusal("role-elsewhere/none", option="role", allowed=labels)
    raise Refusal("role-elsewhere/unknown", option="role", allowed=labels, role=role[:40], organization=organization)


def lock_administered(actor: Person) -> Organization:
    """Return the actor's organization, locked, so that two administrators take turns; `Forbidden` for others."""
    permissions.require(actor, "administer")
    return Organization.objects.select_for_update(no_key=True).get(people=actor)


def end_memberships(memberships: Iterable[Person]) -> list[Person]:
    """Deactivate these memberships, inside the caller's transaction; their events follow (`record_ended_memberships`).

    Rows first and events last: who waits for the history holds rows that this would wait for. Only an administrator of
    its property reactivates a membership.
    """
    ended = list(memberships)
    for membership in ended:
        membership.is_active = False
        membership.save(update_fields=["is_active"])
    return ended


def record_ended_memberships(actor: Person | None, memberships: Iterable[Person]) -> None:
    """Record each in the history of its property."""
    for membership in memberships:
        about, organization = _who(membership), membership.organization
        record_event(actor, None, "deactivated", after=about, organization=organization, seals=(membership,))


def _refuse_ended_account(membership: Person) -> None:
    """Refuse to reactivate what the account may no longer act as."""
    if membership.account_id is None:
        return
    # Locked: who deactivates the account at this moment ends this membership, too, or is seen here.
    rows = Person.objects.select_for_update(no_key=True, of=("self",)).select_related("organization")
    account = rows.get(pk=membership.account_id)
    home, there = account.organization, membership.organization
    if not account.is_active:
        raise Refusal("account-deactivated", name=account.name, organization=home)
    if home is None or there is None or not home.is_of_same_company(there):
        raise Refusal("company-differs/reactivation", name=account.name, home=home, organization=there)


@contextmanager
def _changing(actor: Person, person: Person) -> Iterator[Person]:
    """Yield the current row of a colleague, with the organization locked."""
    with transaction.atomic():
        lock_administered(actor)
        colleague = permissions.people_visible_to(actor).filter(pk=person.pk).first()
        if colleague is None:
            raise Forbidden("not-allowed/of-another-organization", what="person")
        if colleague.pk == actor.pk:
            raise Forbidden("own-account")
        yield colleague


def _refuse_too_few(leaving: Person) -> None:
    """Refuse if fewer than two other administrators would remain."""
    if leaving.is_active and _administrators(leaving.organization_id) <= FEWEST_ADMINISTRATORS:
        raise Refusal("too-few-administrators/leaving", organization=leaving.organization, fewest=FEWEST_ADMINISTRATORS)


def _administrators(organization_id: int | None) -> int:
    return Person.objects.filter(organization=organization_id, administrator=True, is_active=True).count()


def _end_sessions(person: Person, *, but: str = "") -> None:
    for session in UserSession.objects.filter(user=person).exclude(session_key=but):
        session.end()


def _who(person: Person) -> dict[str, object]:
    return {"person": person.pk, "name": person.name, "email": person.address}


LONGEST_COMPANY = 120  # characters, as in the database


def clean_company(company: str) -> str:
    """Return the company's name as it is stored; "" for none."""
    clean = " ".join(clean_text(company, "The company's name", option="company").split())
    if len(clean) > LONGEST_COMPANY:
        raise Refusal("company-too-long", option="company", count=len(clean), most=LONGEST_COMPANY)
    return clean


def set_company(slug: str, company: str) -> list[Organization]:
    """Name the company of a licensee, "" for none; return the other licensees of that company."""
    company = clean_company(company)
    with transaction.atomic():
        organization = Organization.objects.select_for_update(no_key=True).filter(slug=slug).first()
        if organization is None:
            raise NotFound("organization-unknown", slug=slug[:60])
        if organization.kind != Organization.Kind.LICENSEE or not organization.is_live:
            raise Refusal("company-of-licensees", name=organization)
        before, organization.company = organization.company, company
        if before != company:
            organization.save(update_fields=["company"])
            memberships = end_memberships(_crossing(organization))
            was, now = (
                {"organisation": organization.pk, "name": organization.name, "company": name}
                for name in (before, company)
            )
            rows = (organization,)
            record_event(None, None, "company-set", before=was, after=now, organization=organization, seals=rows)
            record_ended_memberships(None, memberships)
    same = Organization.objects.filter(kind=Organization.Kind.LICENSEE, sandbox_of=None, company=company)
    return list(same.exclude(pk=organization.pk).order_by("name")) if company else []


def _crossing(organization: Organization) -> list[Person]:
    """Return the active memberships between this licensee and one of another company."""
    here = Q(organization=organization) | Q(account__organization=organization)
    rows = Person.objects.filter(here, account__isnull=False, is_active=True)
    return [
        row
        for row in rows.select_related("organization", "account__organization").order_by("pk")
        if not ((home := row.sign_in_account.organization) and row.organization)
        or not home.is_of_same_company(row.organization)
    ]
