"""Counts of requests and their duration for `/metrics`, for all web processes of one machine together.

Each process counts in files of `PROMETHEUS_MULTIPROC_DIR`, which `portal.processes.web` sets before anything imports
this module; whichever process is asked adds them up. Without it (tests, a development server) a process counts its own.
"""

import os

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
OWN = CollectorRegistry()
REQUESTS = Counter(
    "portal_requests", "Requests, by pattern of the address", ("method", "route", "status"), registry=OWN
)
SECONDS = Histogram(
    "portal_request_duration_seconds",
    "Seconds from the request to the end of its response",
    ("method", "route"),
    buckets=BUCKETS,
    registry=OWN,
)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count one request. `route`: a pattern, so that their number is limited."""
    REQUESTS.labels(method, route, str(status)).inc()
    SECONDS.labels(method, route).observe(seconds)


def request_registry() -> CollectorRegistry:
    """Return the counts of all web processes of this machine since the web was started; else of this process."""
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return OWN
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
