"""Whom programs act as: the seat of a credential; and, for test credentials, a sandbox of the organisation.

A sandbox is an organisation beside the real one, in which nobody signs in: what is filed there goes to no reviewer but
the test systems of the Board, and is never in force. What keeps the two apart is `access`, as between two casinos.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from submissions.models import Mails, Organisation, Person, Role, Scope

ROLES = {Scope.READ: Role.READER, Scope.PREPARE: Role.PREPARER, Scope.FILE: Role.PREPARER, Scope.REVIEW: Role.ANALYST}
SIGNER = "Sandbox signer"
SIGNERS = {Organisation.Kind.LICENSEE: Role.MANAGER, Organisation.Kind.REGULATOR: Role.ANALYST}


def of(organisation: Organisation) -> Organisation:
    """The organisation's sandbox, made when it is first needed. The caller holds the organisation."""
    sandbox, made = Organisation.objects.get_or_create(
        sandbox_of=organisation,
        defaults={
            "kind": organisation.kind,
            "name": f"{organisation.name[:110]} (sandbox)",
            "slug": f"{organisation.slug[:42]}-sandbox",
        },
    )
    if made:
        _person(sandbox, SIGNER, SIGNERS[Organisation.Kind(organisation.kind)])
    return sandbox


def signer_of(sandbox: Organisation) -> Person:
    """Who takes the steps there that a named person takes in life: confirmed through the API, nothing is signed."""
    role = SIGNERS[Organisation.Kind(sandbox.kind)]
    return Person.objects.filter(organisation=sandbox, name=SIGNER, role=role).earliest("pk")  # seats may be called so


def seat(organisation: Organisation, name: str, scopes: Sequence[str]) -> Person:
    """The person whom a credential's calls are done by; what it may do at most follows from the scopes."""
    return _person(organisation, name, ROLES[max(map(Scope, scopes), key=list(Scope).index)])


def _person(organisation: Organisation, name: str, role: Role) -> Person:
    return Person.objects.create_user(
        f"{secrets.token_hex(8)}@programs.invalid",
        None,
        name=name,
        organisation=organisation,
        role=role,
        is_system=True,
        mails=Mails.NONE,
    )
