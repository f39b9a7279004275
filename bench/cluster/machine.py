"""A machine of the cluster: its folder, clock and links, and its three services, started again as by systemd.

Not here: what happens to it (`faults`).
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from bench.cluster.relay import Relay
from tests.portal.running import PATTERNS, Process, descendants

ROOT = Path(__file__).resolve().parent.parent.parent
SERVICES = ("web", "worker", "sweeper")
RESTART = 2.0  # seconds, as in docs/operations/portal-worker.service
STOP = 40.0  # seconds until all of it must have stopped


def build_clock(folder: Path) -> Path:
    """The library by which a process has the clock of its machine (`clock.c`)."""
    compiler = shutil.which("cc")
    if not compiler:
        raise SystemExit("A C compiler is missing, for the clocks of the machines. Run: python3 setup cluster")
    library = folder / "clock.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-o", library, Path(__file__).with_name("clock.c")], check=True
    )
    return library


@dataclass(slots=True)
class Machine:
    """`database` and `broker` are its links. `environment` is that of its services."""

    name: str
    folder: Path
    port: int
    database: Relay
    broker: Relay
    environment: dict[str, str]
    services: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _ended: Event = field(default_factory=Event)
    _keeper: Thread | None = None

    @property
    def clock(self) -> Path:
        return self.folder / "clock"

    def set_clock(self, seconds: int) -> None:
        """So far ahead of the true time, or behind. The processes have the file in their memory: it is not replaced."""
        with self.clock.open("r+b" if self.clock.exists() else "wb") as file:
            file.write(struct.pack("q", seconds))

    def start(self) -> None:
        self.set_clock(0)
        for service in SERVICES:
            self._start(service)
        self._keeper = Thread(target=self._keep, name=f"machine-{self.name}", daemon=True)
        self._keeper.start()

    def stop(self) -> None:
        """Everything at once; each must have stopped by itself."""
        self._ended.set()
        if self._keeper:
            self._keeper.join()
        for process in self.services.values():
            process.terminate()
        for service, process in self.services.items():
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                print(f"machine {self.name}: {service} did not stop within {STOP:.0f} s", flush=True)

    def processes(self, name: str) -> list[Process]:
        """One of `PATTERNS`: the processes directly below a supervisor; with “-child”, those below these."""
        kind, _, below = name.partition("-")
        service = "worker" if kind in ("worker", "short", "outbound", "verifier", "drafts") else kind
        supervisor = self.services[service].pid
        family = descendants(supervisor)
        mains = [each for each in family if each.parent == supervisor and re.search(PATTERNS[kind], each.command)]
        if not below:
            return mains
        pids = {main.pid for main in mains}
        return [found for found in family if found.parent in pids]

    def _start(self, service: str) -> None:
        address = ["--port", str(self.port)] if service == "web" else []
        command = [sys.executable, "-u", "manage.py", "serve", "--cold", "--only", service, *address]
        with (self.folder / f"{service}.log").open("ab") as log:
            self.services[service] = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)

    def _keep(self) -> None:
        """A service that ended is started again after a pause."""
        while not self._ended.wait(0.1):
            for service, process in list(self.services.items()):
                if process.poll() is not None and not self._ended.wait(RESTART):
                    self._start(service)


def environment_of(
    folder: Path, clock: Path, database_url: str, broker_url: str, common: dict[str, str]
) -> dict[str, str]:
    """Of the services of one machine."""
    return {
        **common,
        "LD_PRELOAD": str(clock),
        "PORTAL_WRONG_CLOCK": str(folder / "clock"),
        "PORTAL_VAR": str(folder / "var"),
        "DATABASE_URL": database_url,
        "REDIS_URL": broker_url,
    }


def send(pid: int, number: signal.Signals, *, group: bool = False) -> None:
    """A signal to a process, or to all of its group. One that is gone already gets none."""
    with suppress(ProcessLookupError):
        (os.killpg if group else os.kill)(pid, number)
