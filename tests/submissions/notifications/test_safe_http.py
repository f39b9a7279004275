"""A call goes to the address that was checked, is led nowhere else, and comes back in time whatever is answered."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from typing import Any

import pytest

from submissions.notifications import safe_http
from submissions.notifications.safe_http import CallFailed, is_public, post_safely, refuse_private
from tests.submissions.notifications.receiver import Receiver, certificate_for, receiving

HOST = "hooks.example.test"
PRIVATE = "which is not a public address. The portal did not call it."


@pytest.fixture(autouse=True)
def _private(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """The name server answers so, one answer after the other, the last one for good; what it was asked."""
    real, asked = socket.getaddrinfo, []

    def getaddrinfo(host: str, port: int, *args: Any, **given: Any) -> Any:
        if host != HOST:
            return real(host, port, *args, **given)
        found = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [place for address in found for place in real(address, port, type=socket.SOCK_STREAM)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@contextmanager
def speaking(say: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that says this to whoever connects, whatever is sent; its address."""

    def talk() -> None:
        line, _ = server.accept()
        with closing(line), suppress(OSError):
            say(line)

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        thread = Thread(target=talk, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


def drop_by_drop(line: socket.socket) -> None:
    while True:
        line.sendall(b"H")
        time.sleep(0.02)


def test_call_sends_body_and_headers_and_tells_the_status(receiver: Receiver) -> None:
    answer = post_safely(receiver.url("/in?from=portal"), b'{"a": 1}', {"Webhook-Id": "k"})
    assert (answer.status, answer.note, answer.accepted) == (204, "It answered 204.", True)
    [got] = receiver.received
    assert (got.path, got.body, got.headers["Webhook-Id"]) == ("/in?from=portal", b'{"a": 1}', "k")
    assert got.headers["Host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    receiver.statuses, receiver.headers = [status], {"Location": receiver.url("/elsewhere")}
    answer = post_safely(receiver.url(), b"{}", {})
    assert (answer.accepted, answer.note) == (
        False, f"It answered {status} and points elsewhere: redirects are not followed.",
    )  # fmt: skip
    assert [got.path for got in receiver.received] == ["/hook"]


def test_proxies_of_the_environment_are_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert post_safely(receiver.url(), b"{}", {}).accepted


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.1",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1", "192.88.99.1",
        "168.63.129.16", "::", "::1", "fe80::1", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1", "3fff::1", "100::1",
        "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1",
        "2002:7f00:1::", "2001:0:4136:e378::",
    ],
)  # fmt: skip
def test_address_that_is_not_everybodys_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254", "169.254.0.1", "fe80::1", "febf::1", "fd00:ec2::254", "168.63.129.16", "100.100.100.200",
        "::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "2002:a9fe:a9fe::",
    ],
)  # fmt: skip
def test_link_local_address_is_refused_in_any_settings(settings: Any, address: str) -> None:
    """The decision alone: the address is data, nothing is called."""
    for settings.WEBHOOK_PRIVATE in (True, False):
        with pytest.raises(CallFailed):
            refuse_private([ip_address(address)])


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "192.168.1.1", "fd12::1", "::1", "::ffff:10.0.0.1"])
def test_private_address_is_called_only_where_the_operator_allows_it(settings: Any, address: str) -> None:
    settings.WEBHOOK_PRIVATE = True
    refuse_private([ip_address(address)])
    settings.WEBHOOK_PRIVATE = False
    with pytest.raises(CallFailed):
        refuse_private([ip_address(address)])


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1"])
def test_address_of_everybody_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "[::1]", HOST])
def test_private_address_is_not_called_however_it_is_written(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, settings: Any, host: str
) -> None:
    settings.WEBHOOK_PRIVATE = False
    resolving(monkeypatch, ["127.0.0.1"])
    answer = post_safely(receiver.url(host=host), b"{}", {})
    assert (answer.status, receiver.received) == (None, [])
    assert answer.note.endswith(PRIVATE)


def test_name_with_one_private_address_among_others_is_not_called(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WEBHOOK_PRIVATE = False
    resolving(monkeypatch, ["8.8.8.8", "127.0.0.1"])
    answer = post_safely(receiver.url(host=HOST), b"{}", {})
    assert answer.note == f"The host is at 127.0.0.1, {PRIVATE}"
    assert receiver.received == []


def test_name_that_leads_elsewhere_a_moment_later_is_called_where_it_was_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = resolving(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    assert post_safely(receiver.url(host=HOST), b"{}", {}).accepted
    assert (asked, len(receiver.received)) == ([HOST], 1)


def test_next_address_is_tried_where_one_is_not_reached(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["127.0.0.9", "127.0.0.1"])
    assert post_safely(receiver.url(host=HOST), b"{}", {}).accepted


def test_certificate_is_held_to_the_name_not_to_the_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trusted = certificate_for(HOST, file=tmp_path / "named.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    resolving(monkeypatch, ["127.0.0.1"])
    with receiving(trusted) as receiver:
        assert post_safely(receiver.url(host=HOST, scheme="https"), b"{}", {}).accepted
        answer = post_safely(receiver.url(host="127.0.0.1", scheme="https"), b"{}", {})
    assert answer.note.startswith("Its certificate is not valid: IP address mismatch")
    assert len(receiver.received) == 1


def test_certificate_that_nobody_trusts_is_not_spoken_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    resolving(monkeypatch, ["127.0.0.1"])
    with receiving(certificate_for(HOST, file=tmp_path / "own.pem")) as receiver:
        answer = post_safely(receiver.url(host=HOST, scheme="https"), b"{}", {})
    assert answer.note == "Its certificate is not valid: self-signed certificate."
    assert receiver.received == []


def test_answer_that_does_not_come_is_not_waited_for(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_http, "LONGEST", 0.4)
    receiver.before = receiver.over.wait
    answer = post_safely(receiver.url(), b"{}", {})
    assert (answer.status, answer.note) == (None, "There was no answer within 0.4 seconds.")
    assert answer.seconds < 2


def test_silence_is_told_in_the_same_words_where_the_socket_gives_up_first(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call and its caller have the same deadline: either can be first."""
    monkeypatch.setattr(safe_http, "LONGEST", 0.3)
    until_deadline = Future.result
    monkeypatch.setattr(Future, "result", lambda call, _timeout: until_deadline(call, 60))
    receiver.before = receiver.over.wait
    assert post_safely(receiver.url(), b"{}", {}).note == "There was no answer within 0.3 seconds."


def test_answer_that_comes_drop_by_drop_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_http, "LONGEST", 0.4)
    with speaking(drop_by_drop) as url:
        answer = post_safely(url, b"{}", {})
    assert answer.note == "There was no answer within 0.4 seconds."
    assert answer.seconds < 2


def test_name_that_is_found_too_late_is_not_called_any_more(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_http, "LONGEST", 0.3)
    real, told = socket.getaddrinfo, Event()
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda _, *rest, **given: told.wait() and real("127.0.0.1", *rest, **given)
    )
    assert post_safely(receiver.url(host=HOST), b"{}", {}).note == "There was no answer within 0.3 seconds."
    told.set()
    for thread in [thread for thread in enumerate_threads() if thread.name == "call"]:
        thread.join()
    assert receiver.received == []


def test_answer_of_any_size_is_none_of_our_memory(receiver: Receiver) -> None:
    receiver.statuses, receiver.body = [200], b"x" * 20_000_000
    assert post_safely(receiver.url(), b"{}", {}).accepted


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:1/", "There was no answer: Connection refused."),
        ("http://nowhere.invalid/", "There was no answer: "),
        (f"http://{'x' * 64}.example.test/", "There was no answer: "),
    ],
)
def test_address_where_nobody_is_says_so(url: str, words: str) -> None:
    answer = post_safely(url, b"{}", {})
    assert (answer.status, answer.note[: len(words)]) == (None, words)


def test_what_is_no_http_is_no_answer() -> None:
    with speaking(lambda line: line.sendall(b"220 mail.example.test ESMTP\r\n")) as url:
        answer = post_safely(url, b"{}", {})
    assert (answer.status, answer.note.startswith("There was no answer: ")) == (None, True)
