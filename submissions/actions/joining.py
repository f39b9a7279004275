"""Joining: an invitation is accepted with a name and a passphrase, once. Who was invited is `invitations`."""

from __future__ import annotations

import hashlib

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from submissions.actions.history import record
from submissions.actions.invitations import day_of, name_of, refuse_taken
from submissions.errors import Refusal
from submissions.models import Invitation, Person


class Over(Refusal):
    """The link worked once, or for a while, and does no longer."""

    status = 410


def invitation_of(secret: str) -> Invitation | None:
    """The invitation whose link has this secret, whatever became of it."""
    digest = hashlib.sha256(secret.encode()).hexdigest()
    return Invitation.objects.select_related("organisation", "by").filter(secret_sha256=digest).first()


def refuse_over(invitation: Invitation) -> None:
    """Raise `Over` unless the invitation can still be accepted."""
    ask = f"Ask whoever administers {invitation.organisation} to invite you anew."
    if invitation.accepted_by_id:
        raise Over("invitation-used", "This invitation was accepted already.", fix="Sign in with your e-mail address.")
    if invitation.withdrawn_at:
        raise Over("invitation-withdrawn", "This invitation was withdrawn, or replaced by a newer one.", fix=ask)
    if invitation.expires_at <= timezone.now():
        raise Over("invitation-expired", f"This invitation ended on {day_of(invitation)}.", fix=ask)


def accept(invitation: Invitation, *, name: str, passphrase: str) -> Person:
    """Join, with a name and a passphrase of one's own. Whoever is second with the same link is told so."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
        refuse_over(invitation)
        refuse_taken(invitation.email)
        person = _joining(invitation, name_of(name), passphrase)
        invitation.accepted_by = person
        invitation.save(update_fields=["accepted_by"])
        after = {"person": person.pk, "name": person.name, "email": person.email, "role": person.role}
        record(person, None, "joined", after={**after, "administrator": person.administrator})
    return person


def _joining(invitation: Invitation, name: str, passphrase: str) -> Person:
    person = Person(
        email=invitation.email,
        name=name,
        organisation=invitation.organisation,
        role=invitation.role,
        administrator=invitation.administrator,
    )
    try:
        validate_password(passphrase, person)
    except ValidationError as error:
        words = " ".join(error.messages).replace("password", "passphrase")
        raise Refusal("passphrase-weak", words, fix="Make up a sentence of your own.", option="passphrase") from None
    person.set_password(passphrase)
    try:
        with transaction.atomic():
            person.save(force_insert=True)
    except IntegrityError:  # the same address joined elsewhere in this very moment
        refuse_taken(invitation.email)
        raise
    return person
