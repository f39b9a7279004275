"""A new organization, created by the portal's operator, with its first administrators, who invite everybody else."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from submissions.accounts.companies import clean_company
from submissions.accounts.invitations import IssuedInvitation, address_of, issue_link, name_of, store_invitation
from submissions.accounts.members import FEWEST_ADMINISTRATORS
from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.models import Invitation, Organization, Role


def create_organization(
    name: str, *, kind: str, slug: str, administrators: Sequence[str], company: str = ""
) -> list[IssuedInvitation]:
    """Create the organization and invite its administrators, at least two; their role is read-only.

    `company`: who owns the licensee, as the Board names it; people of licensees of one company can act for several.
    """
    addresses = list(dict.fromkeys(address_of(email, None) for email in administrators))
    if len(addresses) < FEWEST_ADMINISTRATORS:
        raise Refusal("too-few-administrators/organization", fewest=FEWEST_ADMINISTRATORS, count=len(addresses))
    with transaction.atomic():
        organization = _organization(name_of(name), kind, slug, clean_company(company))
        invitations = [
            Invitation(organization=organization, email=address, role=Role.READER, administrator=True)
            for address in addresses
        ]
        stored = [(invitation, store_invitation(invitation)) for invitation in invitations]
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
