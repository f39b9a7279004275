"""Three addresses for machines: `/health/live`, `/health/ready` and `/metrics`.

A middleware, before hosts and scheme are checked: a balancer asks each machine over plain http by its IP address. The
answers of the first two name the checks and whether each is good, and nothing else; what is wrong is in the log. The
figures are only for the networks of `PORTAL_METRICS_NETWORKS` and for holders of the token; others get the page for an
address that does not exist. Not here: the checks (`operations.checks`), the figures (`operations.prometheus_figures`).
"""

import logging
from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST

from submissions.operations import prometheus_figures
from submissions.operations.checks import DATABASE_DISK, readiness_checks

LIVE, READY, METRICS = "/health/live", "/health/ready", "/metrics"
METHODS = ("GET", "HEAD")
log = logging.getLogger(__name__)


class Probes:
    """Django's middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.views = {LIVE: live, READY: ready, METRICS: metrics}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info.removesuffix("/")
        view = self.views.get(path)
        if view is None or (view is metrics and not may_read_figures(request)):
            return self.get_response(request)
        response = view() if request.method in METHODS else HttpResponseNotAllowed(METHODS)
        response["Cache-Control"], response["X-Content-Type-Options"] = "no-store", "nosniff"
        return response


def live() -> HttpResponse:
    """Answer that this process runs; ask nothing else, so that no machine is restarted because of another one."""
    return JsonResponse({"status": "ok", "checks": {"process": "ok"}})


def ready() -> HttpResponse:
    """Answer whether this machine can answer requests: 200, or 503 if a check is not good.

    A database that takes no data fails on all machines alike, and pages can still be read: 200, and "degraded".
    """
    checks = readiness_checks()
    for check in checks:
        if not check.is_good:
            log.warning("not ready: %s %s; limit: %s. %s", check.name, check.value, check.limit, check.fix)
    failed = {check.name for check in checks if not check.is_good}
    is_ready, status = failed <= {DATABASE_DISK}, "degraded" if failed else "ok"
    states = {check.name: "ok" if check.is_good else "failed" for check in checks}
    answer = {"status": status if is_ready else "failed", "checks": states}
    return JsonResponse(answer, status=200 if is_ready else 503)


def metrics() -> HttpResponse:
    """Return the figures in Prometheus' text form."""
    return HttpResponse(prometheus_figures.exposition(), content_type=CONTENT_TYPE_LATEST)


def may_read_figures(request: HttpRequest) -> bool:
    """Return whether the caller has the token or is in one of the networks."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN and constant_time_compare(token, settings.METRICS_TOKEN):
        return True
    try:
        address = ip_address(_address_of(request))
    except ValueError:  # a Unix socket, or a proxy that does not say for whom it asks
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)


def _address_of(request: HttpRequest) -> str:
    """Return the caller's address, or that of who asked the proxy; "" where an untrusted proxy's header names it."""
    named = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    # Whether a proxy passed the request on, also one that names no caller
    is_forwarded = any(name in request.headers for name in ("Forwarded", "Via", "X-Forwarded-Proto", "X-Real-IP"))
    if not named and not is_forwarded:
        return str(request.META.get("REMOTE_ADDR", ""))
    return named[-proxies] if 0 < proxies <= len(named) else ""
