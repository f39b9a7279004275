"""Who calls: the credential in the header, and what stands before a view. What it may reach is `access.programs`."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.db import OperationalError
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from submissions.access.programs import Unrecognised, demand_scope, identify
from submissions.actions.credentials import NOTED_EVERY, note_use
from submissions.models import Credential, Person

log = logging.getLogger(__name__)
_noted: dict[str, datetime] = {}  # prefix → when this process noted its use last


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
        _note(found, now)
        return found.seat, found


def _note(shown: Credential, now: datetime) -> None:
    """Note the use: of calls at once the first one does, and none fails where somebody else is writing for long."""
    if now - _noted.get(shown.prefix, now - NOTED_EVERY) < NOTED_EVERY:
        return
    _noted[shown.prefix] = now
    try:
        note_use(shown, now)
    except OperationalError as error:
        log.warning("the use of %s is not noted: %s", shown.shown, error)


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
