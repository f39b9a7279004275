"""The supervisor: starts the portal's processes, watches over them, and stops them in order.

The web goes first and the broker last. A worker is asked to finish its step and then killed: its job
resumes at the next start, for the job's row says how far it came.
"""

import contextlib
import fcntl
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from django.conf import settings

from portal.processes import broker
from portal.processes.child import Child, say
from submissions.jobs import leases

TICK = 0.1  # seconds between two looks at the children


@dataclass(slots=True)
class Supervisor:
    """`children` in the order of their start; `once` are run beside them and not started again."""

    children: Sequence[Child]
    once: Sequence[Child] = ()
    stopping: bool = False

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)
        for child in (*self.children, *self.once):
            child.start()
        while not self.stopping:
            for child in self.children:
                child.watch()
            for child in self.once:
                child.reap()
            time.sleep(TICK)
        self._shut_down()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if not self.stopping:
            say("portal", f"stopping ({signal.Signals(number).name})")
        self.stopping = True

    def _shut_down(self) -> None:
        """Those that use the broker first, all at once; then the broker."""
        users = [child for child in (*self.once, *reversed(self.children)) if child.name != "broker"]
        for child in users:
            child.ask_to_stop()
        for child in users:
            child.wait_until_stopped()
        for child in self.children:
            child.ask_to_stop()
            child.wait_until_stopped()
        say("portal", "stopped")


def children(host: str, port: int) -> list[Child]:
    """Broker (unless REDIS_URL names one), a worker for each queue, sweeper and web."""
    python = [sys.executable, "-u"]
    manage = [*python, str(settings.BASE_DIR / "manage.py")]
    embedded = Child("broker", broker.command(settings.BROKER_SOCKET, settings.VAR / "broker.log"), grace=3)
    return [
        *([embedded] if settings.EMBEDDED_BROKER else []),
        _worker("worker", "celery", settings.WORKERS),
        _worker("verifier", leases.VERIFICATION, settings.VERIFICATION_WORKERS),
        _worker("drafts", leases.DRAFTS, settings.DRAFT_WORKERS),
        Child("sweeper", [*manage, "sweep"], grace=3),
        Child(
            "web",
            [
                *(*python, "-m", "gunicorn", "portal.wsgi", "--config", "python:portal.processes.web"),
                *("--chdir", str(settings.BASE_DIR), "--bind", f"{host}:{port}"),
            ],
        ),
    ]


def _worker(name: str, queue: str, processes: int) -> Child:
    """A Celery worker for one queue, so that what waits in the others does not delay it."""
    celery = [sys.executable, "-u", "-m", "celery", "--quiet", "--app", "portal.celery"]
    options = {
        "--hostname": f"{name}@%h",
        "--queues": queue,
        "--concurrency": str(processes),
        "--loglevel": "WARNING",
    }
    return Child(
        name,
        [
            *(*celery, "--workdir", str(settings.BASE_DIR), "worker"),
            *(part for option in options.items() for part in option),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
        environment={"CELERY_SKIP_CHECKS": "1"},  # `serve` has run them, and they load the whole web
    )


@contextlib.contextmanager
def only_one(lock: Path) -> Iterator[None]:
    """Two supervisors over one `var` would fight for the broker's socket: the second is refused."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"The portal is already running (it holds {lock}). Stop it first.") from None
        yield


class AlreadyRunning(Exception):
    """Another supervisor, or another program on our port."""


def demand_free(host: str, port: int) -> None:
    """Say at once that the port is taken, rather than start the web again and again."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise AlreadyRunning(
                f"{host}:{port} cannot be listened on ({error.strerror}). Choose another: make run PORT=8001"
            ) from None
