"""A portal of the drill: a folder, a database, and the commands in it. Not here: what is measured."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent
LEFT_OUT = ("REDIS_URL", "DATABASE_URL", "PORTAL_VAR", "PORTAL_SECRET_KEY")
START = 60.0  # seconds until the web answers


@dataclass(frozen=True, slots=True)
class DrillPortal:
    folder: Path
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        """What the command prints. One that fails ends the drill."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"manage.py {arguments[0]} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def start_part(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "bench.restore.parts", name, *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True)

    def run_part(self, name: str, *arguments: str) -> str:
        process = self.start_part(name, *arguments)
        said, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{name} ended with {process.returncode}")
        return said

    def facts(self, part: str = "facts") -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self.run_part(part))
        return facts

    @contextmanager
    def serving(self) -> Iterator[int]:
        """The portal runs: web, workers, sweeper and a broker. The process that supervises them."""
        port = _free_port()
        with (self.folder / "serve.txt").open("wb") as log:
            command = [sys.executable, "manage.py", "serve", "--cold", "--port", str(port)]
            process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        try:
            _wait_for(port)
            yield process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


@contextmanager
def new_portal(folder: Path, server: str, rounds: int) -> Iterator[DrillPortal]:
    """With an empty database, which is deleted at the end."""
    folder.mkdir()
    clean = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    var = folder / "var"
    name = f"drill_{os.getpid()}_{folder.name}"
    url = urlunsplit(urlsplit(server)._replace(path=f"/{name}")) if server else f"sqlite:///{var / 'portal.sqlite3'}"
    own = {"PORTAL_VAR": str(var), "DATABASE_URL": url, "PORTAL_SIMULATION_ROUNDS": str(rounds), "PORTAL_LOG": "ERROR"}
    if server:
        _execute(server, f'CREATE DATABASE "{name}"')
    try:
        yield DrillPortal(folder, {**clean, **own})
    finally:
        if server:
            _execute(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def _execute(server: str, statement: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    raise SystemExit(f"The portal did not listen on port {port} within {START:.0f} s.")
