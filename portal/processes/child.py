"""One supervised process: started in a group of its own, started again when it ends, stopped with all it started.

No process outlives the one that started it, even one that is killed without warning (`die_with_parent`, Linux).
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds before it is started again
STEADY = 10.0  # seconds after which a process counts as started


@dataclass(slots=True)
class Child:
    """A process to run, and its state. `say` prints one line."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    grace: float = 8.0  # seconds between asking and killing
    niceness: int = 0  # above 0: what the others compute goes first
    process: subprocess.Popen[bytes] | None = None
    pause: float = FIRST_PAUSE
    started: float = 0.0
    again_at: float = 0.0

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=partial(_before, os.getpid(), self.niceness),
        )
        self.started = time.monotonic()
        say(self.name, f"started, process {self.process.pid}")

    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def watch(self) -> None:
        """Start it again if it ended; sooner if it had run well, later and later if it does not get on its feet."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.again_at:
                self.start()
        elif (status := self.process.poll()) is not None:
            self._kill_group()
            self.pause = FIRST_PAUSE if now - self.started > STEADY else min(LONGEST_PAUSE, self.pause * 2)
            self.process, self.again_at = None, now + self.pause
            say(self.name, f"ended ({_status(status)}), starts again in {self.pause:g} s")

    def reap(self) -> None:
        """Take note of its end; for what runs once."""
        if self.process is not None and (status := self.process.poll()) is not None:
            self._kill_group()
            self.process = None
            if status:
                say(self.name, f"ended ({_status(status)})")

    def ask_to_stop(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

    def wait_until_stopped(self) -> None:
        """Wait for its end, then kill what is left of its group."""
        if self.process is None:
            return
        try:
            self.process.wait(self.grace)
            how = "stopped"
        except subprocess.TimeoutExpired:
            how = f"killed after {self.grace:g} s"
        self._kill_group()
        self.process.wait()
        self.process = None
        say(self.name, how)

    def _kill_group(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def _before(parent: int, niceness: int) -> None:
    """Prepare the new process before its program starts."""
    die_with_parent(parent)
    os.nice(niceness)


def _status(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def say(name: str, message: str) -> None:
    """Print one line, in the form of the log where that is JSON. A disk that takes no line stops nothing."""
    line = f"{name:<10}{message}"
    if settings.LOG_FORMAT == "json":
        now = timezone.localtime().isoformat(timespec="seconds")
        fields = {"time": now, "level": "INFO", "logger": "portal.supervisor", "message": f"{name} {message}"}
        line = json.dumps(fields)
    with contextlib.suppress(OSError):
        print(line, flush=True)


_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int | None = None, **_: Any) -> None:
    """Be killed when the parent dies. Called between fork and exec, or by Celery's `worker_process_init`."""
    if _libc is None:
        return
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:  # it died before we asked
        os._exit(1)
