"""The machines of the cluster, the servers beside them, and the links between.

A machine has its folder, clock and links, and its three services, started again as by systemd. Redis stores nothing on
disk, so it comes back empty. A relay is a machine's only way to a server. A link that is cut silently is cut as a cable
is: the kernel drops every packet that arrives at the relay, nothing is acknowledged, and both ends must notice it
themselves. Linux only. Not here: what happens to them (`faults`).
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tests.portal.running import PATTERNS, Process, alive, descendants, listens, until

ROOT = Path(__file__).resolve().parent.parent.parent
SERVICES = ("web", "worker", "sweeper")
RESTART = 2.0  # seconds, as in docs/operations/portal-worker.service
STOP = 40.0  # seconds until all of it must have stopped


def build_clock(folder: Path) -> Path:
    """Return the library by which a process has the clock of its machine (`clock.c`)."""
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
        """Set the clock ahead of the true time, or behind; the file is not replaced: processes have it in memory."""
        with self.clock.open("r+b" if self.clock.exists() else "wb") as file:
            file.write(struct.pack("q", seconds))

    def start(self) -> None:
        self.set_clock(0)
        for service in SERVICES:
            self._start(service)
        self._keeper = Thread(target=self._keep, name=f"machine-{self.name}", daemon=True)
        self._keeper.start()

    def stop(self) -> None:
        """Stop everything at once; each must have stopped by itself."""
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
        """Return the processes of one of `PATTERNS`: directly below a supervisor; with “-child”, those below these."""
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
        """Start each service that ended again, after a pause."""
        while not self._ended.wait(0.1):
            for service, process in list(self.services.items()):
                if process.poll() is not None and not self._ended.wait(RESTART):
                    self._start(service)


def send_signal(pid: int, number: signal.Signals, *, group: bool = False) -> None:
    """Send a signal to a process, or to all of its group; ignore a process that is gone."""
    with suppress(ProcessLookupError):
        (os.killpg if group else os.kill)(pid, number)


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
        """Return the server of this name that our own parent started; `command`: of one that hides its own."""
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
        """Start it again; return when it listens."""
        user = {} if self.user == os.geteuid() else {"user": self.user, "group": self.user, "extra_groups": []}
        with Path(os.devnull).open("wb") as out:
            self.again = subprocess.Popen(
                self.command, cwd=self.folder, stdout=out, stderr=out, start_new_session=True, **user
            )  # type: ignore[call-overload]
        until(lambda: listens(self.port), START, lambda: f"{self.command[0]} did not start again.")

    def stop(self) -> None:
        """Stop at the end what was started again."""
        if self.again:
            self.again.send_signal(signal.SIGINT)
            self.again.wait(30)


ATTACH_FILTER, DETACH_FILTER = 26, 27  # SO_ATTACH_FILTER and SO_DETACH_FILTER of Linux
_drop = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0), 8)  # one instruction: keep 0 bytes
DROP_ALL = struct.pack("HP", 1, ctypes.addressof(_drop))  # struct sock_fprog
# The relay itself must not give up a silent link. Once it works again, the relay notices in seconds who has gone.
PATIENCE = ((socket.TCP_KEEPIDLE, 1), (socket.TCP_KEEPINTVL, 1), (socket.TCP_KEEPCNT, 127))
PIECE = 64 * 1024  # bytes


class Relay:
    """Listens on `port` of 127.0.0.1 and forwards to `target`, another port there."""

    def __init__(self, target: int) -> None:
        self._target, self.port = target, 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._silent = False

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def silence(self) -> None:
        """Lose from now on all that is sent, in either direction, without either end learning of it."""
        self._silent = True
        for each in self._sockets():
            each.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, DROP_ALL)

    async def refuse(self) -> None:
        """Reset all connections and refuse new ones."""
        if self._server:
            self._server.close()
        await self.reset()

    async def reset(self) -> None:
        """Reset all connections. New ones are possible."""
        for writer in filter(_is_open, self._writers):
            _socket_of(writer).setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def mend(self) -> None:
        """Make the link work again."""
        self._silent = False
        for each in self._sockets():
            with suppress(OSError):  # it had no filter
                each.setsockopt(socket.SOL_SOCKET, DETACH_FILTER, 0)
        if self._server and not self._server.is_serving():
            await self.open()

    def _sockets(self) -> list[Any]:
        return [*(self._server.sockets if self._server else ()), *map(_socket_of, filter(_is_open, self._writers))]

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._writers |= ends
        for end in ends:
            own = _socket_of(end)
            own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in PATIENCE:
                own.setsockopt(socket.IPPROTO_TCP, option, value)
            if self._silent:
                own.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, DROP_ALL)
        try:
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy until either end is gone; then close both."""
    with suppress(OSError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()


def _is_open(writer: asyncio.StreamWriter) -> bool:
    """Return whether it still has a socket: one end may have gone a moment before the link is cut."""
    return _socket_of(writer).fileno() != -1


def _socket_of(writer: asyncio.StreamWriter) -> Any:
    return writer.get_extra_info("socket")


class Relays:
    """Relays in one thread with a loop of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._all: list[Relay] = []

    def open(self, target: int) -> Relay:
        relay = Relay(target)
        self.do(relay.open())
        self._all.append(relay)
        return relay

    def do(self, step: Coroutine[Any, Any, None]) -> None:
        """Take a step of a relay, from any thread."""
        asyncio.run_coroutine_threadsafe(step, self._loop).result(10)

    @contextmanager
    def running(self) -> Iterator[Relays]:
        thread = Thread(target=self._loop.run_forever, name="relays", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.do(self._end_all())
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(10)
            self._loop.close()

    async def _end_all(self) -> None:
        """End every listener and every connection."""
        for relay in self._all:
            await relay.refuse()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=5) if others else None
