"""How many requests a caller may make in a minute: a credential, or an address that sends none.

Counted in Redis, for all processes together.
The headers are those of draft-ietf-httpapi-ratelimit-headers.
"""

import logging
from functools import cache
from math import ceil
from typing import Any, cast

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from submissions.api.framework.authentication import address_of
from submissions.core.log_context import SELDOM
from submissions.models import Credential
from submissions.permissions.credentials import UnrecognizedCredential

log = logging.getLogger(__name__)


class RequestThrottle(SimpleRateThrottle):
    """Counts each request in the current minute; the rates are `DEFAULT_THROTTLE_RATES` in the settings."""

    def __init__(self) -> None:
        """The rate depends on the caller, so `allow_request` looks it up."""

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
    """Counts the requests for access tokens of an address: a client needs one in ten minutes."""

    def get_cache_key(self, request: Request, view: Any) -> str:
        self.scope = "token"
        return f"{self.scope}:{address_of(request)}"


def _count(key: str, seconds: int) -> int:
    """The number of requests under this key, with this one. Without Redis nothing is refused: reads need no broker."""
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
    """Connections are kept, a pool for each process."""
    return Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)
