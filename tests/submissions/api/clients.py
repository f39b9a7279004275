"""Systems that call the portal: credentials of each organization, and clients that show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.models import Organization, Person, Role
from tests.cast import person


def administrator(organization: Organization) -> Person:
    """A person who administers the organization; the same one each time."""
    found = Person.objects.filter(organization=organization, administrator=True).first()
    if found is None:
        found = person(organization, Role.READER, f"Administrator {organization.slug}")
        found.administrator = True
        found.save()
    return found


def made(
    organization: Organization, *, scopes: Sequence[str] = ("read",), **given: Any
) -> api_credentials.IssuedCredential:
    wanted = {"name": "Nightly", "live": True, "expires_at": timezone.now() + timedelta(days=90), **given}
    return api_credentials.issue_credential(administrator(organization), scopes=scopes, **wanted)


def system(token: str = "", **given: Any) -> Client:
    """A program that shows this credential; none, if it has none."""
    return Client(headers={"Authorization": f"Bearer {token}"} if token else None, **given)
