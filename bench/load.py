"""The load, a process of its own: many connections that ask again as soon as they are answered; prints what came back.

A redirect is followed, as often as its page is not finished. With a rate, each request has its moment, and is timed
from then on, so that a server that falls behind cannot hide it by being asked less. Plain sockets and one thread: the
load takes little from what it loads. Input: JSON on the standard input.
"""

from __future__ import annotations

import heapq
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from selectors import EVENT_READ, DefaultSelector
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection, socket
from typing import Any

SECRET = "a" * 32  # of the form: Django accepts it unmasked, if cookie and field are the same
COOKIE = f"csrftoken={SECRET}"
_STATUS = re.compile(rb"HTTP/1\.[01] (\d+)")
_LENGTH = re.compile(rb"^content-length: *(\d+)\r?$", re.IGNORECASE | re.MULTILINE)
_LOCATION = re.compile(rb"^location: *(\S+)\r?$", re.IGNORECASE | re.MULTILINE)
_CLOSES = re.compile(rb"^connection: *close\r?$", re.IGNORECASE | re.MULTILINE)
_RETRY = re.compile(rb"^retry-after: *(\d+)\r?$", re.IGNORECASE | re.MULTILINE)
BETWEEN_POLLS = 2.0  # seconds, as the page does


@dataclass
class Answer:
    status: int
    location: str = ""
    retry_after: float = 0
    body: bytes = b""


@dataclass
class Caller:
    """One connection and what it will ask. `requests`: label, method, path, and a file as latin-1 or a text of JSON."""

    port: int
    address: str
    requests: list[dict[str, str]]
    cookies: str = COOKIE
    authorization: str = ""
    place: int = 0
    followed: str = ""
    buffer: bytes = b""
    began: float = 0
    label: str = ""
    connection: socket | None = field(default=None, repr=False)

    def send(self, began: float) -> None:
        """Send the next request, which is timed from this moment on."""
        request = self._next()
        if self.connection is None:
            self.connection = create_connection(("127.0.0.1", self.port), timeout=120)
            self.connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        self.began, self.buffer = began, b""
        self.connection.sendall(request)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def _next(self) -> bytes:
        if self.followed:
            self.label = "result"
            return self.message("GET", self.followed)
        request = self.requests[self.place % len(self.requests)]
        self.place += 1
        self.label = request["label"]
        body, kind = request.get("json", "").encode(), "application/json"
        if "file" in request:
            body, kind = multipart(request["file"].encode("latin-1").replace(b"{n}", b"%d" % self.place))
        return self.message(request["method"], request["path"].replace("{n}", str(self.place)), body, kind)

    def message(self, method: str, path: str, body: bytes = b"", kind: str = "") -> bytes:
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {self.address}"]
        if method == "POST" or self.cookies != COOKIE:
            lines.append(f"Cookie: {self.cookies}")
        if self.authorization:
            lines.append(f"Authorization: {self.authorization}")
        if method == "POST":
            lines += [f"Content-Type: {kind}", f"Content-Length: {len(body)}", f"Origin: http://127.0.0.1:{self.port}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def receive(self) -> Answer | None:
        """Return the answer once it is whole; None before."""
        assert self.connection is not None
        try:
            received = self.connection.recv(262_144)
        except ConnectionError:
            received = b""
        self.buffer += received
        head, separator, body = self.buffer.partition(b"\r\n\r\n")
        if not received:
            self.close()
            return Answer(0)
        length = _LENGTH.search(head)
        if not separator or (length and len(body) < int(length[1])):
            return None
        if _CLOSES.search(head):
            self.close()
        location, retry = _LOCATION.search(head), _RETRY.search(head)
        status = int(_STATUS.match(head)[1])  # type: ignore[index]
        return Answer(status, location[1].decode() if location else "", float(retry[1]) if retry else 0, body)


def multipart(content: bytes, **fields: str) -> tuple[bytes, str]:
    """Return a form with a file and its secret: the body and its media type."""
    fields = {"csrfmiddlewaretoken": SECRET, **fields}
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
    ]
    head = '--x\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n'
    return "".join(parts).encode() + head.encode() + content + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


def main() -> None:
    given = json.load(sys.stdin)
    callers = [Caller(given["port"], **caller) for caller in given["callers"]]
    print(json.dumps(run(callers, given["seconds"], given["rate"])))


def run(callers: list[Caller], seconds: float, rate: float = 0) -> dict[str, Any]:
    """Run every caller for that time; return each answer's count (label and status), its slowest, all seconds."""
    began, taken = time.perf_counter(), defaultdict[str, list[float]](list)
    between = 1 / rate if rate else 0.002  # of two callers
    with DefaultSelector() as selector:
        due = [(began + place * between, place) for place in range(len(callers))]
        while (now := time.perf_counter()) < began + seconds or (rate and (due or selector.get_map())):
            while due and due[0][0] <= now:
                moment, place = heapq.heappop(due)
                caller = callers[place]
                caller.send(moment if rate else time.perf_counter())
                selector.register(caller.connection, EVENT_READ, caller)  # type: ignore[arg-type]
            for key, _ in selector.select(min(0.5, max(0.0, due[0][0] - now)) if due else 0.5):
                caller = key.data
                if (answer := caller.receive()) is None:
                    continue
                selector.unregister(key.fileobj)
                taken[f"{caller.label} {answer.status}"].append(time.perf_counter() - caller.began)
                pause = _pause(caller, answer)
                if pause:  # the server closes it soon
                    caller.close()
                moment = caller.began + len(callers) / rate if rate else time.perf_counter() + pause
                if not rate or moment < began + seconds:
                    heapq.heappush(due, (moment, callers.index(caller)))
    return {
        "counts": {name: len(times) for name, times in taken.items()},
        "slowest": {name: max(times) for name, times in taken.items()},
        "seconds": dict(taken),
    }


def _pause(caller: Caller, answer: Answer) -> float:
    """Return the seconds until this caller's next request: none, unless a header or a page that reloads says so."""
    if answer.status == 302:
        caller.followed = answer.location
        return 0
    if caller.followed and answer.status in (202, 503):
        return BETWEEN_POLLS
    caller.followed = ""
    return min(answer.retry_after, BETWEEN_POLLS) if answer.status in (202, 429, 503) else 0


def callers_of(requests: list[list[dict[str, str]]], count: int) -> Iterator[dict[str, Any]]:
    """Yield that many callers of different networks, who share these lists of requests."""
    for place in range(count):
        yield {"address": f"10.1.{place // 250}.{place % 250 + 1}", "requests": requests[place % len(requests)]}


if __name__ == "__main__":
    main()
