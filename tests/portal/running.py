"""The real portal, started beside a test on the test's database, with its processes to be looked at and killed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from django.conf import settings
from django.db import connection

PATTERNS = {
    "web": "portal.processes.web",
    "worker": "celery.* worker@",
    "short": "celery.* short@",
    "outbound": "celery.* outbound@",
    "verifier": "celery.* verifier@",
    "drafts": "celery.* drafts@",
    "sweeper": "manage.py sweep",
    "broker": "redis|valkey",
}


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    parent: int
    command: str


@dataclass(slots=True)
class Running:
    """A supervisor with its processes. `log` is what they print."""

    supervisor: subprocess.Popen[bytes]
    var: Path
    port: int
    log: Path
    environment: Mapping[str, str]

    @property
    def broker(self) -> str:
        return f"redis+socket://{self.var / 'broker.sock'}"

    def processes(self) -> list[Process]:
        """Everything that the supervisor started, and what that started."""
        return descendants(self.supervisor.pid)

    def named(self, name: str) -> list[Process]:
        """One of `PATTERNS`: the process itself."""
        own = [found for found in self.processes() if found.parent == self.supervisor.pid]
        return [found for found in own if re.search(PATTERNS[name], found.command)]

    def worker_children(self, name: str = "worker") -> list[Process]:
        mains = {found.pid for found in self.named(name)}
        return [found for found in self.processes() if found.parent in mains]

    def processor_seconds(self) -> float:
        """Of everything that the supervisor started, with what has ended since."""
        return sum(processor_seconds(pid) for pid in [self.supervisor.pid, *(one.pid for one in self.processes())])

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.supervisor.send_signal(number)
        return self.supervisor.wait(30)


@contextlib.contextmanager
def running(*options: str, **environment: str) -> Iterator[Running]:
    """`manage.py serve`, with these options, until the block ends; then everything that it started must be gone."""
    with TemporaryDirectory(prefix="portal-") as folder:
        var, port = Path(folder), free_port()
        log = var / "log"
        own = {**clean_environment(), **shared_environment(), "PORTAL_VAR": folder, **environment}
        with log.open("wb") as out:
            supervisor = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--cold", "--port", str(port), *options],
                cwd=settings.BASE_DIR,
                env=own,
                stdout=out,
                stderr=out,
            )
        portal = Running(supervisor, var, port, log, own)
        try:
            until(lambda: listens(port) and portal.named("web"), 60, portal.log.read_text)  # first what costs less
            until(lambda: "--only" in options or portal.worker_children(), 60, portal.log.read_text)
            yield portal
        finally:
            family = portal.processes()
            if supervisor.poll() is None:
                portal.stop()
        assert not [process for process in family if alive(process.pid)]


def until(condition: Callable[[], object], seconds: float, explain: Callable[[], str] = str) -> None:
    """Wait for it, at most so long."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"did not happen within {seconds} s\n{explain()}")
        time.sleep(0.1)


@contextlib.contextmanager
def left_by_others(portal: Running) -> Iterator[list[float]]:
    """The part of the processors that other programs on this machine leave, once the block has ended; 1 if it is quiet.

    A portal that has half of the processors answers in twice the time.
    """
    left: list[float] = []
    began, before = time.monotonic(), seconds_of_others(portal)
    yield left
    taken = seconds_of_others(portal) - before
    part = 1 - taken / (os.cpu_count() or 1) / (time.monotonic() - began)
    left.append(min(max(part, 0.25), 1.0))  # no load excuses more than that


def seconds_of_others(portal: Running) -> float:
    """Processor seconds since the machine started, without the portal's and this test's."""
    user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9])
    everyone = (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
    return everyone - portal.processor_seconds() - sum(os.times()[:4])


def descendants(ancestor: int) -> list[Process]:
    """From /proc, whatever process group they are in."""
    everyone = [found for path in Path("/proc").glob("[0-9]*") if (found := _read(path))]
    family: set[int] = {ancestor}
    while more := {process.pid for process in everyone if process.parent in family} - family:
        family |= more
    return [process for process in everyone if process.pid in family - {ancestor}]


def processor_seconds(pid: int) -> float:
    """Of this process and of its children that it waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def share_of_memory(pid: int) -> int:
    """Bytes of one process, shared pages divided among those who have them; 0 if it is gone."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)[1]) * 1024  # type: ignore[index]
    return 0


def alive(pid: int) -> bool:
    """Whether it runs; a zombie that nobody waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database_url() -> str:
    """The test's own database, as an address for other processes."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return f"postgresql://{given['USER']}:{quote(given['PASSWORD'])}@{given['HOST']}:{given['PORT']}/{given['NAME']}"


def shared_environment() -> dict[str, str]:
    """What all machines of one portal have in common: the database, and the key by which its history is authentic."""
    return {"DATABASE_URL": database_url(), "PORTAL_SECRET_KEY": settings.SECRET_KEY}


def clean_environment() -> dict[str, str]:
    """Our environment without a broker's address: the embedded one is to be killed, a service's is not."""
    return {name: value for name, value in os.environ.items() if name != "REDIS_URL"}


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return not probe.connect_ex(("127.0.0.1", port))


def _read(path: Path) -> Process | None:
    try:
        state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
        command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return None
    return None if state == "Z" else Process(int(path.name), int(parent), command)
