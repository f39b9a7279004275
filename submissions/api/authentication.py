"""Who calls: the credential in the header, and what stands before a view. What it may reach is `access.programs`."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from submissions.access.programs import Unrecognised, demand_scope, identify
from submissions.actions.credentials import note_use
from submissions.models import Credential, Person


class ByCredential(BaseAuthentication):
    """`Authorization: Bearer rsp_live_<prefix>_<secret>`; without the header, one is anybody.

    `request.user` is the credential's seat, `request.auth` the credential.
    """

    def authenticate(self, request: Request) -> tuple[Person, Credential] | None:
        header = get_authorization_header(request).decode("latin-1")
        if not header:
            return None
        scheme, _, token = header.partition(" ")
        now = timezone.now()
        found = identify(token.strip() if scheme.lower() == "bearer" else "", address_of(request), now)
        note_use(found, now)
        return found.seat, found


class HasScope(BasePermission):
    """Whether the caller has a scope that the view asks for; if it asks for none, everybody is welcome."""

    def has_permission(self, request: Request, view: Any) -> bool:
        scopes = view.scopes(request.method)
        if not scopes:
            return True
        if request.auth is None:
            raise Unrecognised(
                "credential-missing",
                "This takes a credential; none was sent.",
                fix="Send the header “Authorization: Bearer rsp_live_…”; an administrator makes one.",
            )
        demand_scope(cast(Credential, request.auth), *scopes)
        return True


def address_of(request: Request) -> str:
    """The caller's network address, behind as many proxies as are trusted: as the sign-in reckons it."""
    return str(get_adapter().get_client_ip(request._request))
