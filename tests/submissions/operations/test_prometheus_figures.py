"""The figures of `/metrics`: what is in the database, in Prometheus' text form, read by Prometheus' own parser."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from submissions.models import Job
from submissions.operations import prometheus_figures
from submissions.operations.work_checks import report_process
from tests.submissions.operations.rows import DISK_QUERIES, done_job, job, stopped_job
from tests.submissions.operations.test_checks import seal_until

pytestmark = [pytest.mark.django_db, pytest.mark.service("queries", "broker")]
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read() -> Samples:
    """The value of each sample, by its name and labels."""
    families = text_string_to_metric_families(prometheus_figures.exposition().decode())
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def value(samples: Samples, name: str, **labels: str) -> float | None:
    return samples.get((name, tuple(sorted(labels.items()))))


def test_jobs_are_counted_by_kind_and_state() -> None:
    for subject in range(3):
        job(Job.Kind.MAIL, subject)
    stopped_job()
    samples = read()
    assert value(samples, "portal_jobs", kind="mail", state="due") == 3
    assert value(samples, "portal_jobs", kind="document", state="errored") == 1
    assert value(samples, "portal_jobs_given_up") == 1


def test_age_is_that_of_the_job_that_is_due_longest_in_its_queue() -> None:
    job(Job.Kind.MAIL, 1, not_before=timezone.now() - timedelta(seconds=100))
    job(Job.Kind.WEBHOOK, 2, not_before=timezone.now() - timedelta(seconds=300))
    job(Job.Kind.DRAFT, 3, not_before=timezone.now() + timedelta(seconds=300))
    samples = read()
    assert value(samples, "portal_oldest_due_job_seconds", queue="outbound") == pytest.approx(300, abs=30)
    assert value(samples, "portal_oldest_due_job_seconds", queue="drafts") is None


def test_durations_are_those_of_the_last_hour() -> None:
    now = timezone.now()
    hours_ago = now - timedelta(hours=2)
    for subject, (seconds, ended) in enumerate([(1, now), (3, now - timedelta(minutes=50)), (99, hours_ago)]):
        done_job(Job.Kind.MAIL, subject, seconds, ended)
    samples = read()
    assert value(samples, "portal_jobs_done_last_hour", kind="mail") == 2
    assert value(samples, "portal_job_mean_seconds", kind="mail") == pytest.approx(2)
    assert value(samples, "portal_job_longest_seconds", kind="mail") == pytest.approx(3)


def test_processes_certificates_and_machine_have_figures() -> None:
    report_process("sweeper", timezone.now())
    seal_until(timezone.now() + timedelta(days=12, hours=1))
    samples = read()
    assert value(samples, "portal_processes_running", process="sweeper") == 1
    assert value(samples, "portal_certificate_days_left", certificate="seal certificate", sha256="a" * 16) == 12
    assert value(samples, "portal_disk_free_bytes") > 0
    assert value(samples, "portal_database_up") == 1
    assert [name for name, _ in samples if name == "portal_build_info"]


def test_number_of_jobs_changes_no_number_of_queries() -> None:
    job(Job.Kind.MAIL, 0)
    stopped_job(0)
    prometheus_figures.exposition()
    with CaptureQueriesContext(connection) as few:
        prometheus_figures.exposition()
    for subject in range(1, 50):
        job(Job.Kind.MAIL, subject)
        stopped_job(subject)
    with CaptureQueriesContext(connection) as many:
        prometheus_figures.exposition()
    assert len(many) == len(few) == 7 + DISK_QUERIES
