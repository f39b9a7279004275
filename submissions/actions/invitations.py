"""Inviting: an administrator asks somebody to join, by a link that works once and for a week.

The link's secret is shown to the inviter and mailed; only its digest is kept. Accepting it is `joining`.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from submissions import access
from submissions.actions.history import record
from submissions.actions.people import role_of
from submissions.actions.wording import clean_name, clean_text
from submissions.errors import Conflict, Forbidden, Refusal
from submissions.models import Invitation, Organisation, Person

OPEN_FOR = timedelta(days=7)
LONGEST_NAME = 120  # characters, as the records keep them
LONGEST_ADDRESS = 254
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Invited:
    """An open invitation with its link, which is told here and never again; and whether a mail took it along."""

    invitation: Invitation
    link: str
    mailed: bool


def invite(actor: Person, *, email: str, name: str, role: str, administrator: bool = False) -> Invited:
    """Ask somebody to join the actor's organisation."""
    with transaction.atomic():
        organisation = _administered(actor)
        asked = Invitation(
            organisation=organisation,
            email=address_of(email),
            name=name_of(name),
            role=role_of(organisation, role),
            administrator=administrator,
            by=actor,
        )
        if access.invitations_visible_to(actor).filter(email=asked.email).exists():
            raise Refusal(
                "invited-already",
                f"{asked.email} is invited already.",
                fix="Send that invitation anew, or withdraw it first.",
                option="email",
            )
        secret = open_now(asked)
    return hand_out(asked, secret)


def send_anew(actor: Person, invitation: Invitation) -> Invited:
    """Withdraw the invitation and open the same one with another link, for another week."""
    with transaction.atomic():
        organisation = _administered(actor)
        old = _taken_back(actor, invitation)
        refuse_taken(old.email)
        anew = Invitation(
            organisation=organisation,
            email=old.email,
            name=old.name,
            role=old.role,
            administrator=old.administrator,
            by=actor,
        )
        secret = open_now(anew)
    return hand_out(anew, secret)


def withdraw(actor: Person, invitation: Invitation) -> None:
    """Take the invitation back: its link no longer works."""
    with transaction.atomic():
        _administered(actor)
        old = _taken_back(actor, invitation)
        record(actor, None, "uninvited", before={"email": old.email, "name": old.name})


def name_of(name: str) -> str:
    """A person's name as it is kept and printed."""
    return clean_name(name, most=LONGEST_NAME, missing="The name is missing.", fix="Enter first and last name.")


def _administered(actor: Person) -> Organisation:
    """The actor's organisation, held, so that two administrators invite one after the other."""
    access.demand(actor, "administer")
    return Organisation.objects.select_for_update(no_key=True).get(people=actor)


def address_of(email: str) -> str:
    address = clean_text(email, "The e-mail address", option="email").lower()
    try:
        validate_email(address)
    except ValidationError:
        met = f"“{address[:60]}” is not" if address else "The line is empty: it needs"
        raise Refusal(
            "email-wrong", f"{met} an e-mail address.", fix="Write it like name@casino.example.", option="email"
        ) from None
    if len(address) > LONGEST_ADDRESS:
        raise Refusal("email-wrong", "The e-mail address is too long.", fix="Use a shorter one.", option="email")
    refuse_taken(address)
    return address


def refuse_taken(address: str) -> None:
    if Person.objects.filter(email__iexact=address).exists():
        raise Refusal(
            "email-taken",
            f"Somebody signs in with {address} already.",
            fix="Use another address: everyone has their own.",
            option="email",
        )


def open_now(invitation: Invitation) -> str:
    """Store the invitation and tell its history; the secret is the caller's alone."""
    secret = secrets.token_urlsafe(32)
    invitation.secret_sha256 = hashlib.sha256(secret.encode()).hexdigest()
    invitation.at = timezone.now()
    invitation.expires_at = invitation.at + OPEN_FOR
    invitation.save(force_insert=True)
    after = {"email": invitation.email, "name": invitation.name, "role": invitation.role}
    record(invitation.by, None, "invited", after={**after, "administrator": invitation.administrator})
    return secret


def _taken_back(actor: Person, invitation: Invitation) -> Invitation:
    found = Invitation.objects.select_for_update(no_key=True).filter(organisation=actor.organisation_id)
    old = found.filter(pk=invitation.pk).first()
    if old is None:
        raise Forbidden("not-allowed", "This invitation belongs to another organisation.")
    if old.accepted_by_id or old.withdrawn_at:
        raise Conflict("invitation-over", "This invitation is no longer open.", fix="Reload the page to see what is.")
    old.withdrawn_at = timezone.now()
    old.save(update_fields=["withdrawn_at"])
    return old


def hand_out(invitation: Invitation, secret: str) -> Invited:
    """The link, and a mail with it. Sent now or not at all: a mail that waits would have to keep the secret."""
    link = f"{settings.PUBLIC_URL}/invitations/{secret}/"
    words = {"invitation": invitation, "link": link, "day": day_of(invitation)}
    subject = f"{invitation.organisation} invites you to the Rules Submission Portal"
    mail = EmailMessage(subject, render_to_string("mail/invitation.txt", words), to=[invitation.email])
    try:
        mailed = mail.send() > 0
    except (OSError, SMTPException) as error:
        log.warning("invitation %s could not be mailed: %s", invitation.pk, type(error).__name__)
        mailed = False
    return Invited(invitation, link, mailed)


def day_of(invitation: Invitation) -> str:
    return f"{timezone.localtime(invitation.expires_at):%B %-d, %Y}"
