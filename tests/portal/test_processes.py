"""One supervisor: what dies starts again, what stops stops in order, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings

from tests.portal.running import alive, running, until

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]


def test_whatever_dies_starts_again() -> None:
    with running() as portal:
        for name in ("broker", "worker", "sweeper", "web"):
            (before,) = portal.named(name)
            os.kill(before.pid, signal.SIGKILL)
            until(
                lambda name=name, pid=before.pid: [found for found in portal.named(name) if found.pid != pid],
                20,
                portal.log.read_text,
            )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_everything_the_broker_last(number: signal.Signals) -> None:
    with running() as portal:
        family = portal.processes()
        assert portal.stop(number) == 0
        assert [process for process in family if alive(process.pid)] == []
        told = [line.split()[0] for line in portal.log.read_text().splitlines() if line.endswith("stopped")]
        assert told[-2:] == ["broker", "portal"]
        assert {"web", "worker", "sweeper"} < set(told)


def test_nothing_outlives_a_supervisor_killed_without_warning() -> None:
    with running() as portal:
        family = portal.processes()
        assert len(family) >= 7
        portal.stop(signal.SIGKILL)
        until(lambda: not any(alive(process.pid) for process in family), 10)


def test_no_worker_process_outlives_its_worker() -> None:
    with running() as portal:
        (main,), children = portal.named("worker"), portal.worker_children()
        os.kill(main.pid, signal.SIGKILL)
        until(lambda: not any(alive(child.pid) for child in children), 10)


def test_a_second_supervisor_is_told_that_there_is_one() -> None:
    with running() as portal:
        second = subprocess.run(
            [sys.executable, "manage.py", "serve"],
            cwd=settings.BASE_DIR,
            env={**os.environ, "PORTAL_VAR": str(portal.var)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert second.returncode == 1
        assert "The portal runs already" in second.stderr


def test_a_port_in_use_is_told_with_the_remedy(tmp_path: object) -> None:
    with running() as portal:
        other = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(portal.port)],
            cwd=settings.BASE_DIR,
            env={**os.environ, "PORTAL_VAR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert other.returncode == 1
        assert "make run PORT=8001" in other.stderr
