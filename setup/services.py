"""`python3 setup/services.py COMMAND …`: run a command beside a private PostgreSQL and Redis, then stop both.

They live in a temporary folder and on free ports of 127.0.0.1; the command finds them in DATABASE_URL and
REDIS_URL. The exit status is the command's.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import system

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")  # the data is thrown away


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="portal-services-"))
    started: list[subprocess.Popen[bytes]] = []
    try:
        postgres_url = _postgres(folder, started)
        redis_url = _redis(folder, started)
        print(f"services  PostgreSQL on port {postgres_url.split(':')[-1].split('/')[0]}, {redis_url}", flush=True)
        return subprocess.run(
            command, env={**os.environ, "DATABASE_URL": postgres_url, "REDIS_URL": redis_url}
        ).returncode
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGINT)  # PostgreSQL: end the sessions and stop
        for process in started:
            process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _postgres(folder: Path, started: list[subprocess.Popen[bytes]]) -> str:
    """Start a cluster of our own; root hands it to the user `postgres`, since PostgreSQL refuses to be root."""
    programs, port, password = system.postgresql(), _free_port(), secrets.token_hex(16)
    if programs is None:
        sys.exit("PostgreSQL is missing. Run: make test-service, which installs it where it may.")
    (folder / "password").write_text(password)
    other: dict[str, object] = {}
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        for path in (folder, folder / "password"):
            os.chown(path, user.pw_uid, user.pw_gid)
        other = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    data = folder / "postgres"
    access = ["--username=portal", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}"]
    create = [programs / "initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", *access, data]
    subprocess.run(create, check=True, stdout=subprocess.DEVNULL, cwd=folder, **other)  # type: ignore[call-overload]
    settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", *FAST]
    options = [word for setting in settings for word in ("-c", setting)]
    with (folder / "postgres.log").open("wb") as log:
        server = [programs / "postgres", "-D", data, *options]
        started.append(subprocess.Popen(server, stdout=log, stderr=log, cwd=folder, start_new_session=True, **other))  # type: ignore[call-overload]
    ready = [programs / "pg_isready", "--quiet", "--host=127.0.0.1", f"--port={port}"]
    _wait(lambda: not subprocess.run(ready).returncode, folder / "postgres.log")
    return f"postgresql://portal:{password}@127.0.0.1:{port}/postgres"


def _redis(folder: Path, started: list[subprocess.Popen[bytes]]) -> str:
    server, port, log = system.redis(), _free_port(), folder / "redis.log"
    if server is None:
        sys.exit("Redis is missing. Run: make test-service, which installs it where it may.")
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    with log.open("wb") as out:
        started.append(subprocess.Popen([server, *options], stdout=out, stderr=out, start_new_session=True))
    _wait(lambda: not socket.socket().connect_ex(("127.0.0.1", port)), log)
    return f"redis://127.0.0.1:{port}/0"


def _wait(ready: Callable[[], bool], log: Path) -> None:
    for _ in range(300):
        if ready():
            return
        time.sleep(0.1)
    sys.exit(f"A service did not start:\n{log.read_text(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
