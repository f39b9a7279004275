"""Memberships: what an account does at another property of its company. Accepted while signed in, by invitation.

An administrator of the property invites, and chooses the role; the account's own passphrase and second factors sign in.
Not here: who can be invited (`eligibility`); as which rows an account may act (`permissions.properties`); deactivating
and reactivating (`members`).
"""

import secrets

from django.db import transaction

from submissions.accounts.eligibility import refuse_outsider
from submissions.accounts.invitations import refuse_expired
from submissions.audit.record import record_event
from submissions.core.errors import Forbidden
from submissions.models import Invitation, Organization, Person


def accept_membership(account: Person, invitation: Invitation) -> Person:
    """The account's new row at the inviting property, with the role of the invitation."""
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
        membership = _create(account, invitation)
        invitation.accepted_by = membership
        invitation.save(update_fields=["accepted_by"])
        after = {"person": membership.pk, "account": account.pk, "name": membership.name, "email": account.email}
        after |= {"role": membership.role, "administrator": membership.administrator}
        record_event(membership, None, "joined", after=after, seals=(membership, invitation))
    return membership


def _create(account: Person, invitation: Invitation) -> Person:
    return Person.objects.create_user(
        f"{secrets.token_hex(8)}@memberships.invalid",
        None,  # no passphrase opens it
        name=account.name,
        account=account,
        organization=invitation.organization,
        role=invitation.role,
        administrator=invitation.administrator,
        mails=account.mails,
    )
