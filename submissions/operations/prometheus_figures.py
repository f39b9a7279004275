"""The figures of `/metrics`: requests as the web processes of this machine counted them, the rest from the database.

What is in the database is the same on every machine: take it from one of them (`max`), and add requests up (`sum`).
While the database does not answer, `portal_database_up` is 0 and its figures are missing. Not here: who may read them
(`web.probes`).

Each web process counts requests in files of `PROMETHEUS_MULTIPROC_DIR`, which `portal.processes.web` sets before
anything imports this module; whichever process is asked adds them up. Without it (tests, a development server) a
process counts its own.
"""

import os
import platform
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

import django
from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from submissions.core.digests import program_digest
from submissions.models import Checkpoint
from submissions.operations import work_checks
from submissions.operations.checks import check_broker, check_database_disk, disk_free
from submissions.operations.work_checks import needed_certificates, process_statuses

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


PROGRAM = ("games", "submissions", "portal", "templates")  # folders whose digest names the build


class PortalCollector(Collector):
    """Everything but the requests, at one moment."""

    def collect(self) -> Iterable[Metric]:
        """Yield one family after the other, as the library asks."""
        yield from _machine_figures()
        try:
            now = timezone.now()
            yield from [*_job_figures(now), *_process_figures(now), *_record_figures(now)]
            is_up = True
        except DatabaseError:
            is_up = False
        yield _gauge("portal_database_up", "1 if the database answers", int(is_up))
        if is_up:
            takes_data = int(check_database_disk().is_good)
            yield _gauge("portal_database_disk_up", "1 if the database's disk takes data", takes_data)


def exposition() -> bytes:
    """Return all figures in Prometheus' text form."""
    registry = CollectorRegistry()
    registry.register(PortalCollector())
    return generate_latest(request_registry()) + generate_latest(registry)


def _machine_figures() -> Iterator[Metric]:
    build = {
        "django": django.get_version(),
        "python": platform.python_version(),
        "program": program_digest(PROGRAM)[:16],
    }
    yield InfoMetricFamily("portal_build", "The program that runs on this machine", build)
    yield _gauge("portal_disk_free_bytes", "Bytes that are free in PORTAL_VAR on this machine", disk_free())
    yield _gauge("portal_broker_up", "1 if the broker answers", int(check_broker().is_good))


def _job_figures(now: datetime) -> Iterator[Metric]:
    yield _gauges("portal_jobs", "Jobs, by kind and state", ("kind", "state"), work_checks.job_counts().items())
    yield _gauge("portal_jobs_given_up", "Jobs that stopped by an error", work_checks.given_up_jobs().count())
    oldest = [((job.queue,), _seconds(age)) for job, age in work_checks.oldest_due(now)]
    yield _gauges("portal_oldest_due_job_seconds", "How long the oldest due job has been due", ("queue",), oldest)
    rows, period = work_checks.durations(now), "of the jobs done in the last hour, from the first start to the end"
    for name, help_text, values in (
        ("portal_jobs_done_last_hour", "Jobs done in the last hour", [row["count"] for row in rows]),
        ("portal_job_mean_seconds", f"The mean duration {period}", [_seconds(row["mean"]) for row in rows]),
        ("portal_job_longest_seconds", f"The longest duration {period}", [_seconds(row["longest"]) for row in rows]),
    ):
        yield _gauges(name, help_text, ("kind",), zip([(row["kind"],) for row in rows], values, strict=True))


def _process_figures(now: datetime) -> Iterator[Metric]:
    statuses = process_statuses(now)
    ages = [((status.process,), _seconds(status.age)) for status in statuses]
    yield _gauges("portal_process_report_age_seconds", "Since the newest report of any machine", ("process",), ages)
    running = [((status.process,), status.running) for status in statuses]
    yield _gauges("portal_processes_running", "On how many machines it reported in time", ("process",), running)


def _record_figures(now: datetime) -> Iterator[Metric]:
    made = Checkpoint.objects.order_by("-made_at").values_list("made_at", flat=True).first()
    ages = [(("history",), _seconds(now - made))] if made else []
    yield _gauges("portal_checkpoint_age_seconds", "Since the last checkpoint was made", ("of",), ages)
    days = [((row.name, row.sha256[:16]), row.days_left(now)) for row in needed_certificates()]
    yield _gauges("portal_certificate_days_left", "Days until the certificate ends", ("certificate", "sha256"), days)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, value=value)


def _gauges(
    name: str, help_text: str, labels: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], float]]
) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=labels)
    for values, value in rows:
        family.add_metric([str(label) for label in values], value)
    return family


def _seconds(duration: timedelta) -> float:
    return round(duration.total_seconds(), 3)
