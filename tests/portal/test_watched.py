"""A real portal, watched: figures of all web processes, a request followed through the log to its job, its status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.client import HTTPConnection

import pytest
from django.conf import settings
from prometheus_client.parser import text_string_to_metric_families

from submissions.models import Job, ProcessReport
from tests.portal.running import Running, database_url, running, until

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]
REQUESTS, NUMBER = 20, "of-the-test-4711"


def ask(portal: Running, address: str, **headers: str) -> str:
    connection = HTTPConnection("127.0.0.1", portal.port, timeout=60)
    connection.request("GET", address, headers=headers)
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    assert answer.status == 200, content
    return content


def counted(portal: Running, route: str) -> float:
    """How many requests for this pattern all web processes counted, as one of them says."""
    families = text_string_to_metric_families(ask(portal, "/metrics"))
    samples = [sample for family in families for sample in family.samples if sample.name == "portal_requests_total"]
    return sum(sample.value for sample in samples if sample.labels["route"] == route)


def log_lines(portal: Running) -> list[dict[str, object]]:
    return [json.loads(line) for line in portal.log.read_text().splitlines() if line.startswith("{")]


def status(portal: Running) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "status"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "PORTAL_VAR": str(portal.var), "DATABASE_URL": database_url(), "REDIS_URL": portal.broker},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_portal_is_watched_from_request_to_job() -> None:
    with running(PORTAL_WEB_PROCESSES="2", PORTAL_LOG_FORMAT="json", PORTAL_TRUSTED_PROXIES="1") as portal:
        for _ in range(REQUESTS):
            ask(portal, "/register/", **{"X-Request-ID": NUMBER})
        until(lambda: counted(portal, "register/") == REQUESTS, 10)
        ask(portal, "/games/585/", **{"X-Request-ID": NUMBER})
        job = Job.objects.get(kind=Job.Kind.ANALYZE)
        assert job.request_id == NUMBER

        def lines_of_job() -> list[dict[str, object]]:
            return [line for line in log_lines(portal) if line.get("job") == job.pk]

        until(lambda: any("done" in str(line["message"]) for line in lines_of_job()), 120, portal.log.read_text)
        assert {line.get("request_id") for line in lines_of_job()} == {NUMBER}
        assert [line for line in portal.log.read_text().splitlines() if line and not line.startswith("{")] == []
        until(lambda: ProcessReport.objects.count() >= 4, 30, portal.log.read_text)
        good = status(portal)
        assert good.returncode == 0, good.stdout + good.stderr
    assert set(ProcessReport.objects.values_list("stopped", flat=True)) == {True}
