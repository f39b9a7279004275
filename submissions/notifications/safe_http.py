"""One HTTP call to an outsider's address: never to our own network, without redirects, with a deadline.

All addresses of the host must be public, and the call goes to one of exactly those: a later DNS answer changes nothing.
TLS still verifies the host's name. Redirects and proxies are not followed, and only the status of the answer is kept.
Called by jobs only. Not here: what is sent, and when again (`webhooks`).
"""

import socket
import ssl
from collections.abc import Mapping, Sequence
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
SHORTEST = 0.1  # seconds for one step, even close to the deadline
MOST_READ = 64 * 1024  # bytes of an answer, so that the receiver can finish it
PORTS = {"http": 80, "https": 443}
UNICAST = ip_network("2000::/3")  # public IPv6 addresses, without mapped and translated IPv4 ones
NOT_PUBLIC = tuple(  # global for Python, but reserved, translated to IPv4, or a cloud provider's own server
    ip_network(text) for text in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "2002::/16", "3fff::/20")
)
NEVER_CALLED = tuple(  # of a link or of a cloud provider's own server, which gives its keys to anyone who calls it
    ip_network(text)
    for text in ("169.254.0.0/16", "fe80::/10", "168.63.129.16/32", "100.100.100.200/32", "fd00:ec2::/32")
)
LOCAL_NAMES = ("localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback")
LOOPBACK = ip_address("127.0.0.1")
TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))  # IPv4 in the last 32 bits
Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The result of a call as a `note`. `status` is None without an answer."""

    status: int | None
    note: str
    seconds: float

    @property
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class CallFailed(Exception):
    """The address may not be called."""


def post_safely(url: str, body: bytes, headers: Mapping[str, str]) -> HttpAnswer:
    """POST once; never raise for failures of the other side, and return within `LONGEST`."""
    started = monotonic()
    call = _Call(urlsplit(url), body, headers)
    Thread(target=call.run, name="call", daemon=True).start()
    status, note = call.result()
    return HttpAnswer(status, note, monotonic() - started)


def is_public(address: Address) -> bool:
    """Return whether the address is public: not private, local, shared, reserved, multicast or translated."""
    if isinstance(address, IPv6Address) and address not in UNICAST:
        return False
    reserved = any(address in network for network in NOT_PUBLIC if network.version == address.version)
    return address.is_global and not address.is_multicast and not address.is_reserved and not reserved


def is_never_called(address: Address) -> bool:
    """Return whether no setting allows a call: link-local or a cloud provider's server, also within an IPv6 address."""
    forms: list[Address | None] = [address]
    if isinstance(address, IPv6Address):
        forms += [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if any(address in network for network in TRANSLATED):
            forms.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return any(form in network for form in forms if form for network in NEVER_CALLED if network.version == form.version)


def literal_address(host: str) -> Address | None:
    """Return the address that a host is in itself, without a name server; None for a name that must be looked up.

    As resolvers read it: `127.1`, `2130706433`, `0x7f000001`, `0177.0.0.1` and `localhost` (RFC 6761) are 127.0.0.1.
    """
    name = host.rstrip(".").lower()
    if name in LOCAL_NAMES or name.endswith(".localhost"):
        return LOOPBACK
    with suppress(ValueError):
        return ip_address(name)
    with suppress(OSError):
        return ip_address(socket.inet_aton(name))
    return None


def refuse_private(addresses: Sequence[Address]) -> None:
    """Raise `CallFailed` unless every address is public, or one that the operator may allow and does."""
    private = [address for address in addresses if not is_public(address)]
    refused = [address for address in private if not settings.WEBHOOK_PRIVATE or is_never_called(address)]
    if refused:
        raise CallFailed(f"The host is at {refused[0]}, which is not a public address. The portal did not call it.")


class _Call:
    """Runs in a thread of its own, so that nobody waits longer than `LONGEST` for a name, a handshake or an answer."""

    def __init__(self, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> None:
        self.parts, self.body = parts, body
        self.headers = {"Host": parts.netloc, **headers}
        self.deadline = monotonic() + LONGEST
        self.connection: HTTPConnection | None = None
        self.future: Future[tuple[int | None, str]] = Future()

    def result(self) -> tuple[int | None, str]:
        try:
            return self.future.result(self._time_left())
        except TimeoutError:
            self._abort()
            return None, _too_late()

    def run(self) -> None:
        try:
            self._finish(*self._post())
            self._read_to_end()
        except CallFailed as refused:
            self._finish(None, str(refused))
        except ssl.SSLCertVerificationError as error:
            self._finish(None, f"Its certificate is not valid: {error.verify_message}.")
        except (OSError, HTTPError, HTTPException, ValueError) as error:  # any failure of the network or the receiver
            # the socket's own timeout can end a moment before the caller's: it is the same event
            self._finish(None, _too_late() if self._time_left() <= 0 else f"There was no answer: {_words(error)}.")
        finally:
            if self.connection:
                self.connection.close()

    def _post(self) -> tuple[int, str]:
        connection = self._connected()
        path = f"{self.parts.path or '/'}{f'?{self.parts.query}' if self.parts.query else ''}"
        connection.request(
            "POST", path, body=self.body, headers=self.headers, preload_content=False, decode_content=False
        )
        self.response = connection.getresponse()
        status = self.response.status
        redirect = " and points elsewhere: redirects are not followed" if 300 <= status < 400 else ""
        return status, f"It answered {status}{redirect}."

    def _connected(self) -> HTTPConnection:
        """Return a connection to the first reachable address of the host; `CallFailed` unless all may be called."""
        host, failure = self.parts.hostname or "", OSError("the host has no address")
        rows = socket.getaddrinfo(host, port := self.parts.port or PORTS[self.parts.scheme], type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(ip_address(row[4][0]) for row in rows))  # in the resolver's order
        refuse_private(addresses)
        for place, address in enumerate(addresses):
            if self._time_left() <= 0:  # the caller no longer waits: send nothing
                break
            self.connection = self._connection(host, str(address), port, self._time_left() / (len(addresses) - place))
            try:
                self.connection.connect()
            except ssl.SSLError:
                raise
            except (OSError, HTTPError) as error:
                failure = OSError(_words(error))
            else:
                self.connection.sock.settimeout(max(self._time_left(), SHORTEST))
                return self.connection
        raise failure

    def _connection(self, host: str, address: str, port: int, timeout: float) -> HTTPConnection:
        timeout = max(timeout, SHORTEST)
        if self.parts.scheme == "http":
            return HTTPConnection(address, port, timeout=timeout)
        return HTTPSConnection(address, port, timeout=timeout, cert_reqs=ssl.CERT_REQUIRED, server_hostname=host)

    def _read_to_end(self) -> None:
        """Read the body, of which nothing is kept."""
        size = 0
        while size < MOST_READ and self._time_left() > 0:
            piece = self.response.read1(MOST_READ)
            if not piece:
                return
            size += len(piece)

    def _abort(self) -> None:
        self.deadline = 0.0
        if self.connection and (connected := self.connection.sock):
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def _finish(self, status: int | None, note: str) -> None:
        with suppress(InvalidStateError):  # there is a result: later failures do not matter
            self.future.set_result((status, note))

    def _time_left(self) -> float:
        return self.deadline - monotonic()


def _too_late() -> str:
    return f"There was no answer within {LONGEST:g} seconds."


def _words(error: Exception) -> str:
    """Return the error as text, without the objects that urllib3 adds."""
    cause = error.__cause__ if isinstance(error, HTTPError) and error.__cause__ else error
    return (getattr(cause, "strerror", None) or str(cause) or type(cause).__name__)[:200].rstrip(".")
