"""Accepting an invitation: a person joins with a name and a passphrase. Issuing them is in `invitations`."""

import hashlib

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from submissions.accounts.invitations import day_of, name_of, refuse_taken
from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.models import Invitation, Person


class InvitationExpired(Refusal):
    """The link no longer works."""

    status = 410


def invitation_of(secret: str) -> Invitation | None:
    """The invitation whose link has this secret, open or not."""
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
        refuse_taken(invitation.email)
        person = _create_person(invitation, name_of(name), passphrase)
        invitation.accepted_by = person
        invitation.save(update_fields=["accepted_by"])
        after = {"person": person.pk, "name": person.name, "email": person.email, "role": person.role}
        record_event(person, None, "joined", after={**after, "administrator": person.administrator})
    return person


def _create_person(invitation: Invitation, name: str, passphrase: str) -> Person:
    copied = {field: getattr(invitation, field) for field in ("email", "organization", "role", "administrator")}
    person = Person(name=name, **copied)
    try:
        validate_password(passphrase, person)
    except ValidationError as error:
        words = " ".join(error.messages).replace("password", "passphrase")
        raise Refusal("passphrase-weak", words, fix="Make up a sentence of your own.", option="passphrase") from None
    person.set_password(passphrase)
    try:
        with transaction.atomic():
            person.save(force_insert=True)
    except IntegrityError:  # the same address joined elsewhere at the same time
        refuse_taken(invitation.email)
        raise
    return person
