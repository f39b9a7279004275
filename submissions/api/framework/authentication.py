"""Authentication by the credential in the header, the check of its scopes, and the limit of requests in a minute.

The limit is for a credential, or for an address that sends none.

Requests are counted in Redis, for all processes together; the headers are those of
draft-ietf-httpapi-ratelimit-headers. What a credential may see is `permissions.credentials`.
"""

import logging
from datetime import datetime
from functools import cache
from math import ceil
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from submissions.accounts.api_credentials import NOTED_EVERY, note_credential_use
from submissions.core.log_context import SELDOM
from submissions.models import AccessRecord, Credential, Person
from submissions.permissions.credentials import (
    UnrecognizedCredential,
    credential_named_in,
    credential_of_access_token,
    credential_of_token,
    is_access_token,
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
    """Write one row in the security log for the request, with the part of the key that may be displayed."""
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
    """Permission for a caller with a scope that the view asks for; a view that asks for none is public."""

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
    """Return the caller's network address, behind as many proxies as are trusted: as the sign-in reckons it."""
    return str(get_adapter().get_client_ip(request._request))


class RequestThrottle(SimpleRateThrottle):
    """A throttle that counts each request in the current minute, with the settings' `DEFAULT_THROTTLE_RATES`."""

    def __init__(self) -> None:
        """Leave the rate to `allow_request`: it depends on the caller."""

    def get_cache_key(self, request: Request, view: Any) -> str:
        try:
            credential = cast("Credential | None", request.auth)
        except UnrecognizedCredential:  # counted by address, like a request without a credential
            credential = None
        self.scope = "credential" if credential else "address"
        return f"{self.scope}:{credential.prefix if credential else address_of(request)}"

    def allow_request(self, request: Request, view: Any) -> bool:
        caller = self.get_cache_key(request, view)
        limit, seconds = self.parse_rate(self.get_rate())
        if limit is None or seconds is None:
            return True
        minute, elapsed = divmod(self.timer(), seconds)
        self.remaining_seconds = ceil(seconds - elapsed)
        view.request_limit = limit
        requests = _count(f"{caller}:{minute:.0f}", seconds)
        view.headers["RateLimit-Policy"] = f'"minute";q={limit};w={seconds}'
        view.headers["RateLimit"] = f'"minute";r={max(limit - requests, 0)};t={self.remaining_seconds}'
        if requests > limit:
            view.headers["Retry-After"] = str(self.remaining_seconds)
        return requests <= limit

    def wait(self) -> float:
        return self.remaining_seconds


class TokenThrottle(RequestThrottle):
    """A throttle of an address's requests for access tokens: a client needs one in ten minutes."""

    def get_cache_key(self, request: Request, view: Any) -> str:
        self.scope = "token"
        return f"{self.scope}:{address_of(request)}"


def _count(key: str, seconds: int) -> int:
    """Return the number of requests under this key, with this one; 0 without Redis, so that nothing is refused."""
    name = f"throttle:{key}"
    try:
        calls = _counts(settings.THROTTLE_URL).pipeline(transaction=False)  # one round trip; Django's cache takes two
        calls.incr(name)
        calls.expire(name, 2 * seconds)
        return int(calls.execute()[0])
    except (RedisError, ValueError) as error:  # ValueError: the URL is none of Redis
        log.warning("requests are not counted: %s", error, extra=SELDOM)
        return 0


@cache
def _counts(url: str) -> Redis:
    """Return the client of this process, whose pool keeps connections."""
    return Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)
