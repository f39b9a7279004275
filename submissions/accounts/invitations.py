"""Invitations to join an organization, by a link that works once and for a week: issued, withdrawn, accepted.

Only the digest of the link's secret is stored. A person with an account at another property of the same company accepts
while signed in, and gets a membership; anyone else chooses a passphrase. A new organization is created by the portal's
operator, with its first administrators. Not here: deactivating people (`members`), as whom an account may act
(`permissions`).
"""

import hashlib
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email, validate_slug
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import timezone

from submissions import permissions
from submissions.accounts.members import FEWEST_ADMINISTRATORS, clean_company, lock_administered, role_of
from submissions.audit.record import record_event
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.core.text import clean_name, clean_text
from submissions.models import Invitation, Organization, Person, Role


def account_at(address: str) -> Person | None:
    """Return the account that signs in with this address; None for a person who would choose a passphrase."""
    rows = Person.objects.filter(email__iexact=address, account=None, is_system=False, is_active=True)
    return rows.select_related("organization").first()


def refuse_taken(address: str, organization: Organization | None) -> None:
    """Refuse the address of someone who signs in already and may get no membership here (None: a new person joins)."""
    person = Person.objects.filter(email__iexact=address).select_related("organization").first()
    if person is None:
        return
    if organization is None or not organization.company or not person.is_active:
        raise Refusal("email-taken", option="email", address=address)
    refuse_outsider(person, organization)


def refuse_outsider(account: Person, organization: Organization) -> None:
    """Refuse an account that cannot get a membership here: of another company, or here already."""
    home = account.organization
    if home is not None and home.pk == organization.pk:
        raise Refusal("email-taken", option="email", address=account.email)
    if home is None or account.is_system or account.account_id or not home.is_of_same_company(organization):
        raise Refusal("company-differs", option="email", address=account.email, organization=organization)
    if Person.objects.filter(account=account, organization=organization).exists():
        raise Refusal("member-already", option="email", address=account.email, organization=organization)


OPEN_FOR = timedelta(days=7)
LONGEST_NAME = 120  # characters, as in the database
LONGEST_ADDRESS = 254
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IssuedInvitation:
    """An open invitation with its link, which is shown only once, and whether it was mailed."""

    invitation: Invitation
    link: str
    mailed: bool


class InvitationExpired(Refusal):
    """The link no longer works."""

    status = 410


def invite(actor: Person, *, email: str, name: str, role: str, administrator: bool = False) -> IssuedInvitation:
    """Invite a person to the actor's organization."""
    with transaction.atomic():
        organization = lock_administered(actor)
        invitation = Invitation(
            organization=organization,
            email=address_of(email, organization),
            name=name_of(name),
            role=role_of(organization, role),
            administrator=administrator,
            by=actor,
        )
        if permissions.invitations_visible_to(actor).filter(email=invitation.email).exists():
            raise Refusal("invited-already", option="email", email=invitation.email)
        secret = store_invitation(invitation)
    return issue_link(invitation, secret)


def send_again(actor: Person, invitation: Invitation) -> IssuedInvitation:
    """Withdraw the invitation and issue the same one with another link, for another week."""
    with transaction.atomic():
        organization = lock_administered(actor)
        old = _withdrawn(actor, invitation)
        refuse_taken(old.email, organization)
        copied = {name: getattr(old, name) for name in ("email", "name", "role", "administrator")}
        replacement = Invitation(organization=organization, by=actor, **copied)
        secret = store_invitation(replacement, old)
    return issue_link(replacement, secret)


def withdraw_invitation(actor: Person, invitation: Invitation) -> None:
    """Withdraw the invitation: its link no longer works."""
    with transaction.atomic():
        lock_administered(actor)
        old = _withdrawn(actor, invitation)
        record_event(actor, None, "uninvited", before={"email": old.email, "name": old.name}, seals=(old,))


def invitation_of(secret: str) -> Invitation | None:
    """Return the invitation whose link has this secret, open or not."""
    digest = hashlib.sha256(secret.encode()).hexdigest()
    return Invitation.objects.select_related("organization", "by").filter(secret_sha256=digest).first()


def refuse_expired(invitation: Invitation) -> None:
    """Raise `InvitationExpired` unless the invitation is open."""
    organization = invitation.organization
    if invitation.accepted_by_id:
        raise InvitationExpired("invitation-used")
    if invitation.withdrawn_at:
        raise InvitationExpired("invitation-withdrawn", organization=organization)
    if invitation.expires_at <= timezone.now():
        raise InvitationExpired("invitation-expired", organization=organization, day=day_of(invitation))


def accept_invitation(invitation: Invitation, *, name: str, passphrase: str) -> Person:
    """Join with a name and a passphrase; a second use of the link is refused."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
        refuse_expired(invitation)
        refuse_taken(invitation.email, None)
        person = _create_person(invitation, name_of(name), passphrase)
        _record_joining(person, invitation, {"person": person.pk})
    return person


def _record_joining(person: Person, invitation: Invitation, keys: dict[str, Any]) -> None:
    invitation.accepted_by = person
    invitation.save(update_fields=["accepted_by"])
    after = keys | {"name": person.name, "email": person.address, "role": person.role}
    after["administrator"] = person.administrator
    record_event(person, None, "joined", after=after, seals=(person, invitation))


def name_of(name: str) -> str:
    """Return a person's name as it is stored and printed."""
    return clean_name(name, most=LONGEST_NAME, missing="The name is missing.", fix="Enter first and last name.")


def address_of(email: str, organization: Organization | None) -> str:
    """Return the address as it is stored; raise `Refusal` if this organization (None: a new one) cannot invite it."""
    address = check_address(email)
    refuse_taken(address, organization)
    return address


def check_address(email: str) -> str:
    """Return the e-mail address in lower case; a `Refusal` if it is not one. Whether it is free is `address_of`."""
    address = clean_text(email, "The e-mail address", option="email").lower()
    try:
        validate_email(address)
    except ValidationError:
        met = f"“{address[:60]}” is not" if address else "The line is empty: it needs"
        raise Refusal("email-wrong/unreadable", option="email", met=met) from None
    if len(address) > LONGEST_ADDRESS:
        raise Refusal("email-wrong/too-long", option="email")
    return address


def store_invitation(invitation: Invitation, *also: Invitation) -> str:
    """Store the invitation with its event, which seals `also`; returns the secret, which is not stored."""
    secret = secrets.token_urlsafe(32)
    invitation.secret_sha256 = hashlib.sha256(secret.encode()).hexdigest()
    invitation.at = timezone.now()
    invitation.expires_at = invitation.at + OPEN_FOR
    invitation.save(force_insert=True)
    after = {name: getattr(invitation, name) for name in ("email", "name", "role", "administrator")}
    record_event(invitation.by, None, "invited", after=after, seals=(invitation, *also))
    return secret


def _withdrawn(actor: Person, invitation: Invitation) -> Invitation:
    invitations = Invitation.objects.select_for_update(no_key=True).filter(organization=actor.organization_id)
    old = invitations.filter(pk=invitation.pk).first()
    if old is None:
        raise Forbidden("not-allowed/of-another-organization", what="invitation")
    if old.accepted_by_id or old.withdrawn_at:
        raise Conflict("invitation-over")
    old.withdrawn_at = timezone.now()
    old.save(update_fields=["withdrawn_at"])
    return old


def issue_link(invitation: Invitation, secret: str) -> IssuedInvitation:
    """Return the link, mailed now or not at all: a queued mail would store the secret."""
    link = f"{settings.PUBLIC_URL}/invitations/{secret}/"
    words = {"invitation": invitation, "link": link, "day": day_of(invitation)}
    words["has_account"] = account_at(invitation.email) is not None
    subject = f"{invitation.organization} invites you to the Rules Submission Portal"
    mail = EmailMessage(subject, render_to_string("mail/invitation.txt", words), to=[invitation.email])
    try:
        mailed = mail.send() > 0
    except (OSError, SMTPException) as error:
        log.warning("invitation %s could not be mailed: %s", invitation.pk, type(error).__name__)
        mailed = False
    return IssuedInvitation(invitation, link, mailed)


def day_of(invitation: Invitation) -> str:
    return f"{timezone.localtime(invitation.expires_at):%B %-d, %Y}"


def _create_person(invitation: Invitation, name: str, passphrase: str) -> Person:
    copied = {field: getattr(invitation, field) for field in ("email", "organization", "role", "administrator")}
    person = Person(name=name, **copied)
    try:
        validate_password(passphrase, person)
    except ValidationError as error:
        words = " ".join(error.messages).replace("password", "passphrase")
        raise Refusal("passphrase-weak", words, fix="Make up a sentence of your own.", option="password") from None
    person.set_password(passphrase)
    try:
        with transaction.atomic():
            person.save(force_insert=True)
    except IntegrityError:  # the same address joined elsewhere at the same time
        refuse_taken(invitation.email, None)
        raise
    return person


def accept_membership(account: Person, invitation: Invitation) -> Person:
    """Return the account's new row at the inviting property, with the role of the invitation."""
    with transaction.atomic():
        # As every change of an organization's people, in this order; the company of both stays as it is until the end.
        keys = [key for key in (invitation.organization_id, account.organization_id) if key is not None]
        rows = Organization.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
        organizations = {row.pk: row for row in rows}
        invitation = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
        refuse_expired(invitation)
        account = Person.objects.select_for_update(no_key=True).get(pk=account.pk)
        if not account.is_active or account.email.lower() != invitation.email.lower():
            raise Forbidden("invitation-of-another", email=invitation.email)
        refuse_outsider(account, organizations[invitation.organization_id])
        membership = Person.objects.create_user(
            f"{secrets.token_hex(8)}@memberships.invalid",
            None,  # no passphrase opens it
            name=account.name,
            account=account,
            organization=invitation.organization,
            role=invitation.role,
            administrator=invitation.administrator,
            mails=account.mails,
        )
        _record_joining(membership, invitation, {"person": membership.pk, "account": account.pk})
    return membership


def create_organization(
    name: str, *, kind: str, slug: str, administrators: Sequence[str], company: str = ""
) -> list[IssuedInvitation]:
    """Create the organization, owned by `company`, and invite its administrators, at least two, as read-only."""
    addresses = list(dict.fromkeys(address_of(email, None) for email in administrators))
    if len(addresses) < FEWEST_ADMINISTRATORS:
        raise Refusal("too-few-administrators/organization", fewest=FEWEST_ADMINISTRATORS, count=len(addresses))
    with transaction.atomic():
        organization = _organization(name_of(name), kind, slug, clean_company(company))
        stored = []
        for address in addresses:
            row = Invitation(organization=organization, email=address, role=Role.READER, administrator=True)
            stored.append((row, store_invitation(row)))
    return [issue_link(invitation, secret) for invitation, secret in stored]


def _organization(name: str, kind: str, slug: str, company: str) -> Organization:
    if kind not in Organization.Kind.values:
        raise Refusal("kind-unknown", kind=kind, allowed=" or ".join(Organization.Kind.values))
    try:
        validate_slug(slug)
    except ValidationError:
        raise Refusal("slug-wrong", slug=slug) from None
    if Organization.objects.filter(name=name).exists() or Organization.objects.filter(slug=slug).exists():
        raise Refusal("organisation-exists", name=name, slug=slug)
    if company and kind != Organization.Kind.LICENSEE:
        raise Refusal("company-of-licensees", name=name)
    organization = Organization.objects.create(kind=kind, name=name, slug=slug, company=company)
    after = {"organisation": organization.pk, "name": name, "kind": kind} | ({"company": company} if company else {})
    record_event(None, None, "founded", after=after, seals=(organization,))
    return organization
