"""The demonstration's API key: a new one at each start, because only its digest is stored."""

from datetime import timedelta

from django.utils import timezone

from portal.demo import cast
from submissions.accounts import api_credentials
from submissions.models import SCOPES_OF, Credential, Organization

NAME = "First call"
LIFETIME = timedelta(days=30)


def issue() -> str:
    """A new API key of Demo Casino East with every scope of a licensee. Revokes the key of the previous start."""
    manager = cast.person("manager", "east")
    for old in Credential.objects.filter(organization=manager.organization, name=NAME, revoked_at=None):
        api_credentials.revoke_credential(manager, old, reason="The demonstration started again")
    issued = api_credentials.issue_credential(
        manager,
        name=NAME,
        scopes=SCOPES_OF[Organization.Kind.LICENSEE],
        live=True,
        expires_at=timezone.now() + LIFETIME,
    )
    return issued.token
