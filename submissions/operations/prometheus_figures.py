"""The figures of `/metrics`: requests as the web processes of this machine counted them, the rest from the database.

What is in the database is the same on every machine: take it from one of them (`max`), and add requests up (`sum`).
While the database does not answer, `portal_database_up` is 0 and its figures are missing. Not here: who may read them
(`web.probes`).
"""

import platform
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import chain

import django
from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from submissions.core.digests import program_digest
from submissions.models import Checkpoint
from submissions.operations import work_checks
from submissions.operations.checks import check_broker, check_database_disk, disk_free
from submissions.operations.request_figures import request_registry
from submissions.operations.work_checks import needed_certificates, process_statuses

PROGRAM = ("games", "submissions", "portal", "templates")  # folders whose digest names the build


class PortalCollector(Collector):
    """Everything but the requests, at one moment."""

    def collect(self) -> Iterable[Metric]:
        """Yield one family after the other, as the library asks."""
        yield from _machine_figures()
        try:
            yield from list(_database_figures(timezone.now()))
            is_up = True
        except DatabaseError:
            is_up = False
        yield _gauge("portal_database_up", "1 if the database answers", int(is_up))
        if is_up:
            yield _gauge(
                "portal_database_disk_up", "1 if the database's disk takes data", int(check_database_disk().is_good)
            )


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


def _database_figures(now: datetime) -> Iterator[Metric]:
    return chain(_job_figures(now), _process_figures(now), _record_figures(now))


def _job_figures(now: datetime) -> Iterator[Metric]:
    counts = work_checks.job_counts()
    yield _gauges("portal_jobs", "Jobs, by kind and state", ("kind", "state"), counts.items())
    yield _gauge("portal_jobs_given_up", "Jobs that stopped by an error", work_checks.given_up_jobs().count())
    oldest = (((each.queue,), _seconds(each.age)) for each in work_checks.oldest_due(now))
    yield _gauges("portal_oldest_due_job_seconds", "How long the oldest due job has been due", ("queue",), oldest)
    rows = work_checks.durations(now)
    names = ("kind",)
    period = "of the jobs done in the last hour, from the first start to the end"
    yield _gauges(
        "portal_jobs_done_last_hour", "Jobs done in the last hour", names, [((r.kind,), r.count) for r in rows]
    )
    means = [((row.kind,), _seconds(row.mean)) for row in rows]
    yield _gauges("portal_job_mean_seconds", f"The mean duration {period}", names, means)
    longest = [((row.kind,), _seconds(row.longest)) for row in rows]
    yield _gauges("portal_job_longest_seconds", f"The longest duration {period}", names, longest)


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
