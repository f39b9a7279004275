"""Relays: a machine's only way to PostgreSQL or Redis, which can be cut. Not here: when it is cut (`faults`).

A link that is cut silently is cut as a cable is: the kernel drops every packet that arrives at the relay, so that
nothing is acknowledged, new connections get no answer, and both ends must notice it themselves. Linux only.
"""

from __future__ import annotations

import asyncio
import ctypes
import socket
import struct
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

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
        """From now on nothing that is sent arrives, in either direction, and neither end learns of it."""
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
            _socket(writer).setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def mend(self) -> None:
        """The link works again."""
        self._silent = False
        for each in self._sockets():
            with suppress(OSError):  # it had no filter
                each.setsockopt(socket.SOL_SOCKET, DETACH_FILTER, 0)
        if self._server and not self._server.is_serving():
            await self.open()

    def _sockets(self) -> list[Any]:
        return [*(self._server.sockets if self._server else ()), *map(_socket, filter(_is_open, self._writers))]

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._writers |= ends
        for end in ends:
            _be_patient(_socket(end))
            if self._silent:
                _socket(end).setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, DROP_ALL)
        try:
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until either end is gone; then both are closed."""
    with suppress(OSError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()


def _is_open(writer: asyncio.StreamWriter) -> bool:
    """Whether it still has a socket: one end may have gone a moment before the link is cut."""
    return _socket(writer).fileno() != -1


def _socket(writer: asyncio.StreamWriter) -> Any:
    return writer.get_extra_info("socket")


def _be_patient(end: Any) -> None:
    end.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in PATIENCE:
        end.setsockopt(socket.IPPROTO_TCP, option, value)


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
        """Every listener and every connection."""
        for relay in self._all:
            await relay.refuse()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=5) if others else None
