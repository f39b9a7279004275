"""The load, a process of its own: many connections that ask again as soon as they are answered; prints their times.

A redirect is followed, as often as its page is not finished. With a rate, each request has its moment, and is timed
from then on, so that a server that falls behind cannot hide it by being asked less. Plain streams and one thread: the
load takes little from what it loads. Input: JSON on the standard input.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SECRET = "a" * 32  # of the form: Django accepts it unmasked, if cookie and field are the same
COOKIE = f"csrftoken={SECRET}"
BETWEEN_POLLS = 2.0  # seconds, as the page does


@dataclass(slots=True)
class Caller:
    """One connection and what it will ask. `requests`: label, method, path, and a file as latin-1 or a text of JSON."""

    port: int
    address: str
    requests: list[dict[str, str]]
    cookies: str = COOKIE
    authorization: str = ""
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: dict[str, str], turn: int) -> tuple[int, dict[str, str]]:
        """Return status and headers once the answer is whole; 0 if the connection ends before."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(self._message(request, turn))
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").rstrip().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            await reader.readexactly(int(headers.get("content-length", 0)))
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            return 0, {}
        if headers.get("connection", "").lower() == "close" or "content-length" not in headers:
            self.close()
        return int(first.split()[1]), headers

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
        self.streams = None

    def _message(self, request: dict[str, str], turn: int) -> bytes:
        """Return the request, with its turn in place of each `{n}`."""
        method, path = request["method"], request["path"].replace("{n}", str(turn))
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {self.address}"]
        if method == "POST" or self.cookies != COOKIE:
            lines.append(f"Cookie: {self.cookies}")
        if self.authorization:
            lines.append(f"Authorization: {self.authorization}")
        body, kind = request.get("json", "").encode(), "application/json"
        if "file" in request:
            body, kind = multipart(request["file"].encode("latin-1").replace(b"{n}", b"%d" % turn))
        if method == "POST":
            lines += [f"Content-Type: {kind}", f"Content-Length: {len(body)}", f"Origin: http://127.0.0.1:{self.port}"]
        return "\r\n".join([*lines, "", ""]).encode() + body


def multipart(content: bytes) -> tuple[bytes, str]:
    """Return a form with a file and its secret: the body and its media type."""
    head = (
        f'--x\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{SECRET}\r\n'
        '--x\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n'
    )
    return head.encode() + content + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


async def run(callers: list[Caller], seconds: float, rate: float) -> dict[str, list[float]]:
    """Run every caller for that time; return the seconds of its answers, by label and status."""
    taken, began = defaultdict[str, list[float]](list), time.perf_counter()
    between = 1 / rate if rate else 0.002  # of two callers
    every = len(callers) / rate if rate else 0
    repeated = [
        asyncio.create_task(_repeat(caller, began + place * between, every, began + seconds, taken))
        for place, caller in enumerate(callers)
    ]
    done, _ = await asyncio.wait(repeated, timeout=None if rate else seconds)
    await asyncio.gather(*done)  # raises what one of them raised
    return dict(taken)


async def _repeat(caller: Caller, moment: float, every: float, end: float, taken: dict[str, list[float]]) -> None:
    """Ask from the moment to the end, in steps of `every` seconds; 0: as soon as the caller is answered.

    A header `Retry-After` or a page that reloads makes the caller wait.
    """
    turn, followed = 0, ""
    while moment < end:
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        began = moment if every else time.perf_counter()
        if followed:
            request = {"label": "result", "method": "GET", "path": followed}
        else:
            request = caller.requests[turn % len(caller.requests)]
            turn += 1
        status, headers = await caller.ask(request, turn)
        taken[f"{request['label']} {status}"].append(time.perf_counter() - began)
        pause = 0.0
        if status == 302:
            followed = headers["location"]
        elif followed and status in (202, 503):
            pause = BETWEEN_POLLS
        else:
            followed = ""
            if status in (202, 429, 503):
                pause = min(float(headers.get("retry-after", 0)), BETWEEN_POLLS)
        if pause:  # the server closes it soon
            caller.close()
        moment = moment + every if every else time.perf_counter() + pause


def callers_of(requests: list[list[dict[str, str]]], count: int) -> Iterator[dict[str, Any]]:
    """Yield that many callers of different networks, who share these lists of requests."""
    for place in range(count):
        yield {"address": f"10.1.{place // 250}.{place % 250 + 1}", "requests": requests[place % len(requests)]}


def load_of(port: int, callers: list[dict[str, Any]], seconds: float, rate: float = 0) -> dict[str, list[float]]:
    """Run the load for that time; `rate`: requests a second of all callers together.

    Return the seconds of its answers, by label and status.
    """
    given = json.dumps({"port": port, "callers": callers, "seconds": seconds, "rate": rate})
    answered = subprocess.check_output([sys.executable, __file__], input=given, text=True)
    found: dict[str, list[float]] = json.loads(answered)
    return found


if __name__ == "__main__":
    given = json.load(sys.stdin)
    given_callers = [Caller(given["port"], **caller) for caller in given["callers"]]
    print(json.dumps(asyncio.run(run(given_callers, given["seconds"], given["rate"]))))
