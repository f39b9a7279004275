"""Authentication by the credential in the header, and the check of its scopes. What a credential may see is
`permissions.credentials`."""

import logging
from datetime import datetime
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.db import OperationalError
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from submissions.accounts.api_credentials import NOTED_EVERY, note_credential_use
from submissions.models import Credential, Person
from submissions.permissions.credentials import UnrecognizedCredential, credential_of_token, require_scope

log = logging.getLogger(__name__)
_noted: dict[str, datetime] = {}  # prefix → when this process noted its use last


class CredentialAuthentication(BaseAuthentication):
    """`Authorization: Bearer rsp_live_<prefix>_<secret>`; without the header, the caller is anonymous.

    `request.user` is the credential's service_account, `request.auth` the credential.
    """

    def authenticate(self, request: Request) -> tuple[Person, Credential] | None:
        header = get_authorization_header(request).decode("latin-1")
        if not header:
            return None
        scheme, _, token = header.partition(" ")
        now = timezone.now()
        credential = credential_of_token(token.strip() if scheme.lower() == "bearer" else "", address_of(request), now)
        _note(credential, now)
        return credential.service_account, credential


def _note(shown: Credential, now: datetime) -> None:
    """Note the use, once in a while; a call does not fail because the database is locked by another writer."""
    if now - _noted.get(shown.prefix, now - NOTED_EVERY) < NOTED_EVERY:
        return
    _noted[shown.prefix] = now
    try:
        note_credential_use(shown, now)
    except OperationalError as error:
        log.warning("the use of %s is not noted: %s", shown.key_id, error)


class HasScope(BasePermission):
    """Whether the caller has a scope that the view asks for; a view that asks for none is public."""

    def has_permission(self, request: Request, view: Any) -> bool:
        scopes = view.scopes(request.method)
        if not scopes:
            return True
        if request.auth is None:
            raise UnrecognizedCredential(
                "credential-missing",
                "This takes a credential; none was sent.",
                fix="Send the header “Authorization: Bearer rsp_live_…”; an administrator makes one.",
            )
        require_scope(cast(Credential, request.auth), *scopes)
        return True


def address_of(request: Request) -> str:
    """The caller's network address, behind as many proxies as are trusted: as the sign-in reckons it."""
    return str(get_adapter().get_client_ip(request._request))
