"""A real broker for a test, on a socket of its own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from celery import Celery, current_app
from redis import Redis
from redis.exceptions import RedisError

from portal.processes import supervisor
from submissions.jobs.queues import QUEUES
from tests.portal.running import free_port


@contextmanager
def real_broker() -> Iterator[Redis]:
    """The present Celery application speaks to a new broker; the client sees what is in it."""
    with redis_server() as socket, speaking_to(f"redis+socket://{socket}"):
        yield Redis(unix_socket_path=str(socket))


@contextmanager
def redis_server() -> Iterator[Path]:
    """The socket of a new server, as the portal starts its own."""
    with TemporaryDirectory(prefix="portal-broker-") as folder:
        socket = Path(folder) / "broker.sock"
        process = subprocess.Popen(supervisor.broker_command(socket, Path(folder) / "log"))
        try:
            _wait(Redis(unix_socket_path=str(socket)))
            yield socket
        finally:
            process.kill()
            process.wait()


@contextmanager
def redis_on_a_port(port: int = 0) -> Iterator[str]:
    """The address of a new server that processes with folders of their own reach."""
    port = port or free_port()
    with TemporaryDirectory(prefix="portal-broker-") as folder:
        command = supervisor.broker_command(Path(folder) / "broker.sock", Path(folder) / "log")
        command[command.index("--port") + 1] = str(port)
        process = subprocess.Popen([*command, "--bind", "127.0.0.1"])
        try:
            _wait(Redis(port=port))
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()
            process.wait()


def waiting(client: Redis) -> int:
    """How many wake-ups no worker has taken yet, of all queues."""
    return sum(client.llen(name) for name in QUEUES)


@contextmanager
def speaking_to(url: str) -> Iterator[None]:
    """The present Celery application, with another broker."""
    before = current_app._get_current_object()
    settings = {"broker_transport_options": {"max_retries": 0}, "task_publish_retry": False}
    app = Celery("test", broker=url, changes=settings, set_as_current=False)
    app.set_current()
    try:
        yield
    finally:
        app.close()
        before.set_current()


def _wait(client: Redis) -> None:
    for _ in range(100):
        try:
            client.ping()
            return
        except RedisError:
            time.sleep(0.05)
    raise AssertionError("the broker did not start within five seconds")
