"""A new organisation, made by whoever operates the portal: with its first administrators, who invite everybody else."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from submissions.actions.history import record
from submissions.actions.invitations import Invited, address_of, hand_out, name_of, open_now
from submissions.actions.people import FEWEST_ADMINISTRATORS
from submissions.errors import Refusal
from submissions.models import Invitation, Organisation, Role


def found(name: str, *, kind: str, slug: str, administrators: Sequence[str]) -> list[Invited]:
    """Make the organisation and invite its administrators: two at least, read-only until one gives the other a role."""
    addresses = list(dict.fromkeys(address_of(email) for email in administrators))
    if len(addresses) < FEWEST_ADMINISTRATORS:
        raise Refusal(
            "too-few-administrators",
            f"An organisation has {FEWEST_ADMINISTRATORS} administrators at least; {len(addresses)} named.",
            fix="Name each with --administrator ADDRESS.",
        )
    with transaction.atomic():
        organisation = _organisation(name_of(name), kind, slug)
        opened = [_invitation(organisation, address) for address in addresses]
        handed = [(one, open_now(one)) for one in opened]
    return [hand_out(one, secret) for one, secret in handed]


def _organisation(name: str, kind: str, slug: str) -> Organisation:
    if kind not in Organisation.Kind.values:
        allowed = " or ".join(Organisation.Kind.values)
        raise Refusal("kind-unknown", f"“{kind}” is no kind of organisation.", fix=f"Say {allowed}.")
    try:
        validate_slug(slug)
    except ValidationError:
        raise Refusal("slug-wrong", f"“{slug}” is no short name.", fix="Use letters, digits and hyphens.") from None
    if Organisation.objects.filter(name=name).exists() or Organisation.objects.filter(slug=slug).exists():
        raise Refusal("organisation-exists", f"{name}, or the short name {slug}, is there already.")
    organisation = Organisation.objects.create(kind=kind, name=name, slug=slug)
    record(None, None, "founded", after={"organisation": organisation.pk, "name": name, "kind": kind})
    return organisation


def _invitation(organisation: Organisation, address: str) -> Invitation:
    return Invitation(organisation=organisation, email=address, role=Role.READER, administrator=True)
