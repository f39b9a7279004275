"""The load, a process of its own: asks an address at a steady rate, and prints milliseconds.

It keeps each connection until the server closes it.

Each request has its moment, whether the ones before are answered or not, and is timed from then on: a server that
falls behind cannot hide it by being asked less. One thread and plain sockets: the load takes little from what it loads.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import deque
from selectors import EVENT_READ, DefaultSelector
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection, socket

CONNECTIONS = 8
_LENGTH = re.compile(rb"^content-length: *(\d+)\r$", re.IGNORECASE | re.MULTILINE)


def main(port: str, address: str, rate: str, seconds: str, shown: str = "", body: str = "") -> None:
    shows = f"Authorization: Bearer {shown}\r\n" if shown else ""
    sends = f"Content-Type: application/json\r\nContent-Length: {len(body.encode())}\r\n" if body else ""
    method = "POST" if body else "GET"
    request = f"{method} {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{shows}{sends}\r\n{body}".encode()
    begun = time.perf_counter() + 0.1
    moments = deque(begun + place / int(rate) for place in range(int(rate) * int(seconds)))
    print(json.dumps(list(_asked(int(port), request, moments))))


def _asked(port: int, request: bytes, moments: deque[float]) -> list[float]:
    """Milliseconds of each."""
    idle = deque(_connected(port) for _ in range(CONNECTIONS))
    answering = DefaultSelector()
    taken: list[float] = []
    while moments or answering.get_map():
        now = time.perf_counter()
        while moments and idle and moments[0] <= now:
            connection, moment = idle.popleft(), moments.popleft()
            connection.sendall(request)
            answering.register(connection, EVENT_READ, moment)
        wait = max(0.0, moments[0] - now) if moments and idle else 120
        for key, _ in answering.select(wait):
            connection = answering.unregister(key.fileobj).fileobj  # type: ignore[assignment]
            kept = _read(connection)
            taken.append((time.perf_counter() - key.data) * 1000)
            if not kept:
                connection.close()
                connection = _connected(port)
            idle.append(connection)
    return taken


def _connected(port: int) -> socket:
    connection = create_connection(("127.0.0.1", port), timeout=120)
    connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return connection


def _read(connection: socket) -> bool:
    """Read the whole answer; return whether the server keeps the connection open."""
    head, _, body = connection.recv(65_536).partition(b"\r\n\r\n")
    length = _LENGTH.search(head + b"\r\n")
    if not head.startswith(b"HTTP/1.1 200 ") or length is None:
        raise SystemExit(head.decode("latin-1"))
    left = int(length[1]) - len(body)
    while left > 0:
        if not (part := connection.recv(left)):
            raise SystemExit("the server closed the connection in the middle of an answer")
        left -= len(part)
    return b"\r\nconnection: close" not in head.lower()


if __name__ == "__main__":
    main(*sys.argv[1:])
