"""The number and the time of each request, and the one line about it when the response is sent.

The number (request ID) is the proxy's, where a trusted one sends a usable `X-Request-ID`, else made here. It is in
every line of the log that the request writes, in the response, on error pages and in the jobs that the request makes.
The line names the address by its pattern (`submissions/<slug:number>/`), never the address itself, which can contain
secrets, and no person. Not here: how a line looks (`portal.logs`), what is counted (`operations.prometheus_figures`).
"""

import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve

from submissions.core.log_context import VALID_REQUEST_ID, request_id, without_secrets
from submissions.operations.prometheus_figures import count_request

HEADER, KEY = "X-Request-ID", "HTTP_X_REQUEST_ID"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
STATIC, NO_ROUTE = "static", "none"  # in the place of a pattern
PROBES = ("health/", "metrics")  # asked for every few seconds: counted, not logged
log = logging.getLogger("portal.access")


@dataclass(frozen=True, slots=True)
class RequestUnderWay:
    """A request whose response may still be on its way."""

    request: HttpRequest
    response: HttpResponseBase
    started: float

    @property
    def route(self) -> str:
        """Return the pattern of the address; its own names for static files and for what no pattern matches."""
        with suppress(Resolver404):  # a page from the cache was not resolved
            match = self.request.resolver_match or resolve(self.request.path_info)
            return str(match.route) or "/"
        path = self.request.path_info.lstrip("/")
        if path.startswith(PROBES) and self.response.status_code != 404:
            return path
        is_file = path.startswith(settings.STATIC_URL.strip("/") + "/") and self.response.status_code != 404
        return STATIC if is_file else NO_ROUTE


_under_way: ContextVar[RequestUnderWay | None] = ContextVar("request_under_way", default=None)


class RequestLog:
    """Django's middleware, before all others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.monotonic()
        number = _accepted(request) or secrets.token_hex(16)
        request_id.set(number)
        request.META[KEY] = number  # for the security log
        response = self.get_response(request)
        response.headers[HEADER] = number
        _under_way.set(RequestUnderWay(request, response, started))
        return response


def _accepted(request: HttpRequest) -> str:
    """Return the number that a trusted proxy sent; "" if there is no such proxy, or the number is not usable."""
    number = str(request.META.get(KEY, ""))
    is_usable = VALID_REQUEST_ID.fullmatch(number) and without_secrets(number) == number
    return number if settings.ALLAUTH_TRUSTED_PROXY_COUNT and is_usable else ""


def finish(**_: Any) -> None:
    """Count and log the request whose response was just sent; the receiver of Django's `request_finished`."""
    under_way = _under_way.get()
    if under_way is None:
        return
    _under_way.set(None)
    try:
        _record(under_way, time.monotonic() - under_way.started)
    finally:
        request_id.set("")


def _record(under_way: RequestUnderWay, seconds: float) -> None:
    method = under_way.request.method if under_way.request.method in METHODS else "other"
    route, status = under_way.route, under_way.response.status_code
    count_request(str(method), route, status, seconds)
    if settings.ACCESS_LOG and not route.startswith(PROBES):
        known = {"method": method, "route": route, "status_code": status, "seconds": round(seconds, 3)}
        log.info("%s %s %s in %.3f s", method, route, status, seconds, extra=known)


request_finished.connect(finish, dispatch_uid="submissions.web.request_log")
