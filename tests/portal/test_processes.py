"""One supervisor: it is watched, what dies starts again, what stops stops in order, and nothing is left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from portal.processes.supervisor import only_one
from submissions.jobs import leases, queues
from submissions.models import Job, ProcessReport
from tests.portal.broker import redis_on_a_port, speaking_to
from tests.portal.running import Running, alive, clean_environment, database_url, free_port, running, until

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]
REQUESTS, NUMBER = 20, "of-the-test-4711"
REPORTING = 6  # the sweeper and the workers
NAMES = ("broker", "worker", "short", "outbound", "verifier", "drafts", "sweeper", "web")


def test_portal_is_watched_what_dies_starts_again_and_ctrl_c_stops_everything_the_broker_last() -> None:
    """In one portal, which takes long to start."""
    with running(PORTAL_LOG_FORMAT="json", PORTAL_TRUSTED_PROXIES="1") as portal:
        assert_counted_together(portal.port)
        assert own_address(portal.port) == f"http://127.0.0.1:{portal.port}"
        assert_watched_from_request_to_job(portal)
        children = portal.worker_children()
        killed = {name: portal.named(name) for name in NAMES}
        for (process,) in killed.values():
            os.kill(process.pid, signal.SIGKILL)
        for name, (before,) in killed.items():
            until(
                lambda name=name, pid=before.pid: [found for found in portal.named(name) if found.pid != pid],
                30,
                portal.log.read_text,
            )
        until(lambda: not any(alive(child.pid) for child in children), 10)
        again = timezone.now()
        until(lambda: ProcessReport.objects.filter(at__gt=again).count() == REPORTING, 30, portal.log.read_text)
        family = portal.processes()
        assert portal.stop(signal.SIGINT) == 0
        assert [process for process in family if alive(process.pid)] == []
        said = [str(line["message"]).split() for line in log_lines(portal)]
        stopped = [words[0] for words in said if words[-1] == "stopped"]
        assert stopped[-2:] == ["broker", "portal"]
        assert set(NAMES) < set(stopped)
    assert set(ProcessReport.objects.values_list("stopped", flat=True)) == {True}


def assert_watched_from_request_to_job(portal: Running) -> None:
    """Figures of all web processes, a request followed through the log to its job, and its status."""
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


def assert_counted_together(port: int) -> None:
    """Whichever process answers, it counts the requests of all: what is left of the minute goes down by one.

    A minute may end between two of the requests, after the first one too: what is left begins again at the limit.
    """
    answers = [rate_limit(port) for _ in range(4 * settings.WEB_PROCESSES)]
    limit = answers[0][0]
    expected = [(limit if after[2] > before[2] else before[1]) - 1 for before, after in pairwise(answers)]
    assert [left for _, left, _ in answers[1:]] == expected, answers
    assert answers[0][1] < limit, "the first request was not counted"
    assert sum(after[2] > before[2] for before, after in pairwise(answers)) <= 1, answers


def rate_limit(port: int) -> tuple[int, int, int]:
    """The requests of a minute, how many are left, and the seconds until it ends."""
    with urlopen(f"http://127.0.0.1:{port}/api/v1/chapters/", timeout=30) as answer:
        text = f"{answer.headers['RateLimit-Policy']} {answer.headers['RateLimit']}"
    limit, left, seconds = (int(re.search(rf"\b{name}=(\d+)", text)[1]) for name in "qrt")
    return limit, left, seconds


def own_address(port: int) -> str:
    """Where the portal says that it is, in what it refuses; what it prints says the same."""
    with pytest.raises(HTTPError) as refused:
        urlopen(f"http://127.0.0.1:{port}/api/v1/submissions/", timeout=30)
    return str(json.load(refused.value)["type"]).partition("/api/")[0]


def serve(var: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`manage.py serve` where it cannot start."""
    return subprocess.run(
        [sys.executable, "manage.py", "serve", *options],
        cwd=settings.BASE_DIR,
        env={**clean_environment(), "PORTAL_VAR": str(var)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_second_supervisor_is_told_that_there_is_one(tmp_path: Path) -> None:
    with only_one([tmp_path / "serve-worker.lock"]):
        second = serve(tmp_path)
    assert second.returncode == 1
    assert "The portal is already running" in second.stderr


def test_one_service_alone_needs_a_broker_that_all_reach(tmp_path: Path) -> None:
    alone = serve(tmp_path, "--only", "worker")
    assert alone.returncode == 1
    assert "--only needs REDIS_URL" in alone.stderr


def test_a_port_in_use_is_told_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        other = serve(tmp_path, "--port", str(taken.getsockname()[1]))
    assert other.returncode == 1
    assert "make run PORT=8001" in other.stderr


def test_workers_connect_when_there_is_a_broker_and_nothing_outlives_a_supervisor_killed_without_warning() -> None:
    port = free_port()
    address = f"redis://127.0.0.1:{port}/0"
    with running(REDIS_URL=address, PORTAL_WEB_PROCESSES="1") as portal, speaking_to(address):
        with urlopen(f"http://127.0.0.1:{portal.port}/games/", timeout=30) as answer:
            assert answer.status == 200
        job = leases.enqueue(Job.Kind.REPLAY, 1)  # of nothing: it ends as soon as a worker takes it
        until(lambda: "Cannot connect" in portal.log.read_text(), 30, portal.log.read_text)
        before = portal.log.read_text()
        with redis_on_a_port(port):
            current_app.send_task("submissions.run_job", args=(queues.LONG, job.pk), queue=queues.LONG)  # as once named
            until(lambda: "unregistered task of type 'submissions.run_job'" in portal.log.read_text(), 60)
            until(lambda: Job.objects.get(pk=job.pk).fence, 60, portal.log.read_text)
            family = portal.processes()
            assert portal.worker_children()
            portal.stop(signal.SIGKILL)
            until(lambda: not any(alive(process.pid) for process in family), 10)
    lines = [line for line in before.splitlines() if "Cannot connect" in line]
    assert len(lines) <= len(queues.QUEUES)
    assert "Traceback" not in before
