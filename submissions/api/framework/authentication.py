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
from submissions.models import AccessRecord, Credential, Person
from submissions.permissions.access_tokens import credential_of_access_token, is_access_token
from submissions.permissions.credentials import (
    UnrecognizedCredential,
    credential_named_in,
    credential_of_token,
    require_scope,
)
from submissions.security_log.records import Access, caller_from, record_access

log = logging.getLogger(__name__)
RECORDED = "portal.key-refused"  # in `request.META`: DRF asks again for a caller whom it could not recognize
_noted: dict[str, datetime] = {}  # prefix → when this process noted its use last


class CredentialAuthentication(BaseAuthentication):
    """`Authorization: Bearer` with an API key or an access token; without the header, the caller is anonymous.

    `request.user` is the credential's service_account, `request.auth` the credential.
    """

    def authenticate(self, request: Request) -> tuple[Person, Credential] | None:
        header = get_authorization_header(request).decode("latin-1")
        if not header:
            return None
        scheme, _, token = header.partition(" ")
        now, token = timezone.now(), token.strip() if scheme.lower() == "bearer" else ""
        try:
            find = credential_of_access_token if is_access_token(token) else credential_of_token
            credential = find(token, address_of(request), now)
        except UnrecognizedCredential as refusal:
            _record_refused_key(request, token, refusal)
            raise
        _note(credential, now)
        return credential.service_account, credential


def _record_refused_key(request: Request, token: str, refusal: UnrecognizedCredential) -> None:
    """One row in the security log for the request, with the part of the key that may be displayed."""
    if request.META.setdefault(RECORDED, refusal) is not refusal:
        return
    key_id, named = credential_named_in(token)
    access = Access(
        AccessRecord.Kind.KEY_REFUSED,
        refusal.code,
        organization=named.organization if named else None,  # whose administrators learn of it
        credential=key_id,
        object_reference=f"{request.method} {request.path}",
    )
    record_access(caller_from(request.META, address_of(request)), access)


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
                "This address requires an API key. None was sent.",
                fix="Send the header “Authorization: Bearer rsp_live_…”. An administrator can create an API key.",
            )
        require_scope(cast(Credential, request.auth), *scopes)
        return True


def address_of(request: Request) -> str:
    """The caller's network address, behind as many proxies as are trusted: as the sign-in reckons it."""
    return str(get_adapter().get_client_ip(request._request))
