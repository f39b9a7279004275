"""A proxy between a client and the portal that can cut: it passes a request on, waits for the answer, and hangs up."""

from __future__ import annotations

import contextlib
import http.client
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Thread


@dataclass(slots=True)
class CuttingProxy:
    """`cuts`: how many of the next answers do not arrive. `swallowed`: the statuses that the portal had answered."""

    listener: socket.socket
    target: tuple[str, int]
    cuts: int
    swallowed: list[int]

    def run(self) -> None:
        with contextlib.suppress(OSError):  # the listener is closed
            while True:
                client, _ = self.listener.accept()
                self._pass_on(client)

    def _pass_on(self, client: socket.socket) -> None:
        with client, socket.create_connection(self.target) as portal:
            portal.sendall(_request(client))
            answer = http.client.HTTPResponse(portal)
            answer.begin()
            body = answer.read()
            if self.cuts:
                self.cuts -= 1
                self.swallowed.append(answer.status)
                return
            head = "".join(f"{name}: {value}\r\n" for name, value in answer.getheaders() if name != "Transfer-Encoding")
            client.sendall(f"HTTP/1.1 {answer.status} -\r\n{head}\r\n".encode() + body)

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str] | None:
        """Status, headers and body of the answer; None if the connection ended without one."""
        connection = http.client.HTTPConnection(*self.listener.getsockname()[:2], timeout=60)
        try:
            connection.request("POST", path, body, {**headers, "Connection": "close"})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        except (http.client.RemoteDisconnected, ConnectionResetError):
            return None
        finally:
            connection.close()


def _request(client: socket.socket) -> bytes:
    """All of it, as its Content-Length says."""
    read = b""
    while b"\r\n\r\n" not in read:
        read += client.recv(65536)
    head, _, body = read.partition(b"\r\n\r\n")
    lines = head.decode().lower().split("\r\n")
    length = next(int(line.partition(":")[2]) for line in lines if line.startswith("content-length:"))
    while len(body) < length:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


@contextlib.contextmanager
def proxy_to(host: str, port: int) -> Iterator[CuttingProxy]:
    """A proxy to the portal at this address until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = CuttingProxy(listener, (host, port), 0, [])
        thread = Thread(target=proxy.run, daemon=True)
        thread.start()
        yield proxy
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()
