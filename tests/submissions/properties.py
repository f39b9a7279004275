"""People who act for several properties of one company, for the tests of several modules."""

from __future__ import annotations

import secrets

from submissions.models import Organization, Person, Role

COMPANY = "Keystone Gaming"


def one_company(*organizations: Organization, company: str = COMPANY) -> None:
    """They belong to one company, as the Board named it."""
    for organization in organizations:
        organization.company = company
        organization.save(update_fields=["company"])


def membership(account: Person, organization: Organization, role: Role = Role.MANAGER, **fields: object) -> Person:
    """What the account does at another property of its company, as if it had been invited and had accepted."""
    one_company(account.organization, organization)
    row = Person.objects.create_user(
        f"{secrets.token_hex(8)}@memberships.invalid",
        None,
        name=account.name,
        account=account,
        organization=organization,
        role=role,
        **fields,
    )
    return Person.objects.select_related("organization", "account__organization").get(pk=row.pk)
