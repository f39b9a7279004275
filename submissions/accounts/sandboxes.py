"""The service account of an API key, which acts for it; and, for test keys, the sandbox of the organization.

A sandbox is a second organization in which nobody signs in: its filings are read only by the test systems of the Board
and are never in effect. `permissions` separates it from the real one as it separates two casinos.
"""

import secrets
from collections.abc import Sequence

from submissions.audit.record import record_event
from submissions.models import MailPreference, Organization, Person, Role, Scope

ROLES = {Scope.READ: Role.READER, Scope.PREPARE: Role.PREPARER, Scope.FILE: Role.PREPARER, Scope.REVIEW: Role.ANALYST}
SIGNER = "Sandbox signer"
SIGNERS: dict[str, Role] = {Organization.Kind.LICENSEE: Role.MANAGER, Organization.Kind.REGULATOR: Role.ANALYST}


def sandbox_of(organization: Organization) -> Organization:
    """The organization's sandbox, created when it is first needed. The caller has locked the organization."""
    sandbox, made = Organization.objects.get_or_create(
        sandbox_of=organization,
        defaults={
            "kind": organization.kind,
            "name": f"{organization.name[:110]} (sandbox)",
            "slug": f"{organization.slug[:42]}-sandbox",
        },
    )
    if made:
        signer = _person(sandbox, SIGNER, SIGNERS[organization.kind])
        after = {"organisation": sandbox.pk, "name": sandbox.name, "kind": sandbox.kind}
        record_event(None, None, "founded", after=after, seals=(sandbox, signer))
    return sandbox


def sandbox_signer(sandbox: Organization) -> Person:
    """The account that takes the signed steps of a sandbox, where nothing is signed."""
    rows = Person.objects.filter(organization=sandbox, name=SIGNER, role=SIGNERS[sandbox.kind])
    return rows.earliest("pk")  # later service accounts may have the same name


def create_service_account(organization: Organization, name: str, scopes: Sequence[str]) -> Person:
    """The actor of a credential's calls; its role follows from the scopes."""
    return _person(organization, name, ROLES[max(map(Scope, scopes), key=list(Scope).index)])


def _person(organization: Organization, name: str, role: Role) -> Person:
    return Person.objects.create_user(
        f"{secrets.token_hex(8)}@programs.invalid",
        None,
        name=name,
        organization=organization,
        role=role,
        is_system=True,
        mails=MailPreference.NONE,
    )
