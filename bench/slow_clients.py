"""The portal beside 300 connections that keep it waiting: idle, half-sent, slow. Do people and probes notice?

A page and the health probe are asked for again and again, each on a connection of its own.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from socket import SO_RCVBUF, SOL_SOCKET, socket
from statistics import quantiles

from bench.load import COOKIE
from bench.parts import served

SLOW_TITLE = "300 slow connections: p50 · p95 · slowest of a page and of the health probe"
SECONDS = float(os.environ.get("BENCH_SECONDS", "15"))
CONNECTIONS = int(os.environ.get("BENCH_CONNECTIONS", "300"))
LONGEST = 5.0  # seconds that a page may take, else it counts as not answered
SETTLING, LONGEST_SETTLING = 5.0, 60.0  # seconds until slow readers have the first answers, as far as they read them
BETWEEN = 0.05  # seconds between two questions
ASKED = ("/register/", "/health/live")
LARGE = "/errata/report.json"  # 0.7 MB, from the cache of a process
WARMING = 12  # questions, so that each process has it there

HEAD = "Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
POST = f"POST /accounts/login/ HTTP/1.1\r\n{HEAD}Cookie: {COOKIE}\r\nContent-Length: 200000\r\n\r\n".encode()
GET = f"GET {LARGE} HTTP/1.1\r\n{HEAD}\r\n".encode()
KINDS: dict[str, tuple[bytes, bytes]] = {  # sent at once, and again every half second
    "none": (b"", b""),
    "idle": (b"", b""),
    "half a head": (b"GET /register/ HTTP/1.1\r\nHost: 127", b""),
    "half a body": (POST + b"a" * 1000, b""),
    "slow writers of a head": (b"GET /register/ HTTP/1.1\r\nX-Slow: ", b"a"),
    "slow writers of a body": (POST, b"a"),
    "slow readers": (GET * 4, b""),  # of 3 MB, more than the system takes from the server at once
}


def slow_rows() -> Iterator[tuple[str, str]]:
    with served("empty", "portal.settings") as (port, _, _):
        for kind in KINDS:
            for asked, times in beside(port, kind, CONNECTIONS, SECONDS).items():
                lost = sum(each >= LONGEST for each in times)
                yield f"{kind}: {asked}", _spread(times) + (f" ({lost} of {len(times)} unanswered)" if lost else "")


def _spread(times: list[float]) -> str:
    if len(times) < 2:
        return str(times)
    cuts = quantiles(times, n=100)
    return f"{cuts[49]:.2f} · {cuts[94]:.2f} · {max(times):.2f} s"


def beside(port: int, kind: str, connections: int, seconds: float) -> dict[str, list[float]]:
    """Return the seconds of each answer beside these slow connections; `LONGEST` for one that did not come by then."""
    taken: dict[str, list[float]] = {asked: [] for asked in ASKED}
    with slow_connections(port, kind, connections):
        time.sleep(SETTLING if kind == "slow readers" else BETWEEN)
        settled = time.monotonic() + LONGEST_SETTLING
        while kind == "slow readers" and seconds_of(port, ASKED[0]) > 1 and time.monotonic() < settled:
            time.sleep(BETWEEN)
        end, asking = time.monotonic() + seconds, cycle(ASKED)
        while time.monotonic() < end or not all(taken.values()):
            asked = next(asking)
            taken[asked].append(seconds_of(port, asked))
            time.sleep(BETWEEN)
    return taken


@contextmanager
def slow_connections(port: int, kind: str, connections: int) -> Iterator[None]:
    """Open this number of clients of this kind, until the block ends."""
    first, again = KINDS[kind]
    stop = threading.Event()
    for _ in range(WARMING if first.startswith(GET) else 0):
        seconds_of(port, LARGE)
    with ExitStack() as stack:
        clients = [_client(stack, port, kind) for _ in range(connections if kind != "none" else 0)]
        for client in clients:
            with suppress(OSError):
                client.send(first)
        dribbling = threading.Thread(target=_dribble, args=(clients, again, kind == "slow readers", stop))
        dribbling.start()
        try:
            yield
        finally:
            stop.set()
            dribbling.join()


def _client(stack: ExitStack, port: int, kind: str) -> socket:
    client = stack.enter_context(socket())
    if kind == "slow readers":
        client.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    return client


def _dribble(clients: list[socket], again: bytes, reads: bool, stop: threading.Event) -> None:
    """Send a byte to each client, or read one from it, every half second."""
    while not stop.wait(0.5):
        for client in clients:
            with suppress(OSError):
                client.send(again) if again else client.recv(1) if reads else None


def seconds_of(port: int, address: str) -> float:
    """Return the seconds until the whole answer; `LONGEST` without one or if it is not a 200."""
    began = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=LONGEST)
    try:
        connection.request("GET", address)
        response = connection.getresponse()
        response.read()
        return time.perf_counter() - began if response.status == 200 else LONGEST
    except (OSError, HTTPException):
        return LONGEST
    finally:
        connection.close()
