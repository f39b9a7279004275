"""PostgreSQL and Redis, as `setup/services.py` started them beside us: killed, and started again as they were.

Redis stores nothing on disk, so it comes back empty.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.portal.running import Process, alive, descendants

START = 60.0  # seconds until a server listens again


@dataclass(slots=True)
class Server:
    """A server that is running; `crash` is the signal by which it ends without putting anything in order."""

    port: int
    crash: signal.Signals
    found: Process
    again: subprocess.Popen[bytes] | None = None
    command: list[str] = field(default_factory=list)
    folder: str = ""
    user: int = 0

    @classmethod
    def beside_us(cls, program: str, port: int, crash: signal.Signals, command: Sequence[str] = ()) -> Server:
        """The server of this name that our own parent started. `command`: of one that hides how it was started."""
        children = [found for found in descendants(os.getppid()) if found.parent == os.getppid()]
        found = next((child for child in children if program in child.command.split(" ")[0]), None)
        if found is None:
            raise SystemExit("The cluster needs servers of its own. Run: make cluster")
        place = Path(f"/proc/{found.pid}")
        again = list(command) or place.joinpath("cmdline").read_bytes().decode().rstrip("\0").split("\0")
        return cls(port, crash, found, None, again, os.readlink(place / "cwd"), place.stat().st_uid)

    def kill(self) -> None:
        """End it as a crash would, and wait until it is gone."""
        pid = self.again.pid if self.again else self.found.pid
        os.kill(pid, self.crash)
        if self.again:
            self.again.wait()
        while alive(pid):
            time.sleep(0.05)

    def start(self) -> None:
        """Start it again; returns when it listens."""
        user = {} if self.user == os.geteuid() else {"user": self.user, "group": self.user, "extra_groups": []}
        with Path(os.devnull).open("wb") as out:
            self.again = subprocess.Popen(
                self.command, cwd=self.folder, stdout=out, stderr=out, start_new_session=True, **user
            )  # type: ignore[call-overload]
        end = time.monotonic() + START
        while time.monotonic() < end:
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.05)
        raise SystemExit(f"{self.command[0]} did not start again.")

    def stop(self) -> None:
        """At the end: what we started again is ours to end."""
        if self.again:
            self.again.send_signal(signal.SIGINT)
            self.again.wait(30)
