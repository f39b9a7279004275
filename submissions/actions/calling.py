"""One call to an address that somebody else named: never to our own network, never led elsewhere, never for long.

The host's addresses are looked up here, every one of them has to be public, and the call goes to one of exactly those:
whoever answers the name otherwise a moment later gains nothing. TLS is held to the host's name all the same. Redirects
and proxies are not followed, and of the answer nothing is kept but its status. Not here: what is sent, and when again.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Thread
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

LONGEST = 10.0  # seconds, from looking up the name to the status of the answer
SHORTEST = 0.1  # seconds for one step of it, even when the time is nearly over
MOST_READ = 64 * 1024  # bytes of an answer, so that whoever sends it can end it in peace
PORTS = {"http": 80, "https": 443}
UNICAST = ip_network("2000::/3")  # what is public in IPv6 lies here: mapped and translated IPv4 addresses do not
NOT_PUBLIC = tuple(  # though Python calls them global: set apart, leading to an IPv4 address, a cloud's own server
    ip_network(text) for text in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "2002::/16", "3fff::/20")
)
Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call. `status` None: there was no answer; `note` says what came, in words."""

    status: int | None
    note: str
    seconds: float

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class NotCalled(Exception):
    """The address is none that may be called."""


def call(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """POST it once. Never raises for what the other side does, and comes back within `LONGEST`."""
    begun = monotonic()
    conversation = _Conversation(urlsplit(url), body, headers)
    Thread(target=conversation.hold, name="call", daemon=True).start()
    status, note = conversation.outcome()
    return Answer(status, note, monotonic() - begun)


def is_public(address: Address) -> bool:
    """Whether anybody may be there: nothing private, local, shared, reserved, multicast or translated."""
    if isinstance(address, IPv6Address) and address not in UNICAST:
        return False
    apart = any(address in network for network in NOT_PUBLIC if network.version == address.version)
    return address.is_global and not address.is_multicast and not address.is_reserved and not apart


def refuse_private(addresses: list[Address]) -> None:
    """Raise `NotCalled` unless every address is public, or the operator allows others."""
    private = [address for address in addresses if not is_public(address)]
    if private and not settings.WEBHOOK_PRIVATE:
        raise NotCalled(f"The host is at {private[0]}, which is no public address: it was not called.")


class _Conversation:
    """Held in a thread of its own, so that nobody waits longer than `LONGEST` for a name, a handshake or an answer."""

    def __init__(self, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> None:
        self.parts, self.body = parts, body
        self.headers = {"Host": parts.netloc, **headers}
        self.over_at = monotonic() + LONGEST
        self.connection: HTTPConnection | None = None
        self.future: Future[tuple[int | None, str]] = Future()

    def outcome(self) -> tuple[int | None, str]:
        try:
            return self.future.result(self._left())
        except TimeoutError:
            self._hang_up()
            return None, f"There was no answer within {LONGEST:g} seconds."

    def hold(self) -> None:
        try:
            self._tell(*self._speak())
            self._hear_out()
        except NotCalled as refused:
            self._tell(None, str(refused))
        except ssl.SSLCertVerificationError as error:
            self._tell(None, f"Its certificate does not hold: {error.verify_message}.")
        except (OSError, HTTPError, HTTPException, ValueError) as error:  # whatever the network or the other side does
            self._tell(None, f"There was no answer: {_words(error)}.")
        finally:
            if self.connection:
                self.connection.close()

    def _speak(self) -> tuple[int, str]:
        connection = self._connected()
        path = f"{self.parts.path or '/'}{f'?{self.parts.query}' if self.parts.query else ''}"
        connection.request(
            "POST", path, body=self.body, headers=self.headers, preload_content=False, decode_content=False
        )
        self.response = connection.getresponse()
        return self.response.status, _told(self.response.status)

    def _connected(self) -> HTTPConnection:
        """Connected to the first of the host's addresses that can be reached, if all of them may be called."""
        host, failed = self.parts.hostname or "", OSError("the host has no address")
        addresses = resolved(host, port := self.parts.port or PORTS[self.parts.scheme])
        refuse_private(addresses)
        for place, address in enumerate(addresses):
            if self._left() <= 0:  # nobody waits any more: nothing is sent behind their back
                break
            self.connection = self._line(host, str(address), port, self._left() / (len(addresses) - place))
            try:
                self.connection.connect()
            except ssl.SSLError:
                raise
            except (OSError, HTTPError) as error:
                failed = OSError(_words(error))
            else:
                self.connection.sock.settimeout(max(self._left(), SHORTEST))
                return self.connection
        raise failed

    def _line(self, host: str, address: str, port: int, timeout: float) -> HTTPConnection:
        timeout = max(timeout, SHORTEST)
        if self.parts.scheme == "http":
            return HTTPConnection(address, port, timeout=timeout)
        return HTTPSConnection(address, port, timeout=timeout, cert_reqs=ssl.CERT_REQUIRED, server_hostname=host)

    def _hear_out(self) -> None:
        """The answer's body, of which nothing is kept."""
        read = 0
        while read < MOST_READ and self._left() > 0:
            piece = self.response.read1(MOST_READ)
            if not piece:
                return
            read += len(piece)

    def _hang_up(self) -> None:
        self.over_at = 0.0
        if self.connection and (line := self.connection.sock):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _tell(self, status: int | None, note: str) -> None:
        with suppress(InvalidStateError):  # told already: what goes wrong afterwards is nobody's business
            self.future.set_result((status, note))

    def _left(self) -> float:
        return self.over_at - monotonic()


def resolved(host: str, port: int) -> list[Address]:
    """Every address of the host, in the resolver's order."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(place[0]) for *_, place in found))


def _told(status: int) -> str:
    if 300 <= status < 400:
        return f"It answered {status} and points elsewhere: redirects are not followed."
    return f"It answered {status}."


def _words(error: Exception) -> str:
    """What the network said, without the objects that urllib3 names."""
    cause = error.__cause__ if isinstance(error, HTTPError) and error.__cause__ else error
    return (getattr(cause, "strerror", None) or str(cause) or type(cause).__name__)[:200].rstrip(".")
