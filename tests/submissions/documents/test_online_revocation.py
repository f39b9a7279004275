"""In service, lists of revocations are fetched while a document is signed: from a server of the test."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from submissions.documents.signed_pdf import sign_pdf
from submissions.documents.verify import verify
from tests.submissions.seal_authority import Authority
from tests.submissions.signed_documents import Example


class Lists(ThreadingHTTPServer):
    """The lists by path, and which were fetched."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.lists: dict[str, bytes] = {}
        self.fetched: list[str] = []


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # so that a client may leave its connection open

    def do_GET(self) -> None:
        content = self.server.lists[self.path]
        self.server.fetched.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "application/pkix-crl")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Not to the console."""


@pytest.fixture
def lists() -> Iterator[Lists]:
    server = Lists()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_lists_are_fetched_and_no_connection_is_left_open(
    lists: Lists, example: Example, caplog: pytest.LogCaptureFixture
) -> None:
    authority = Authority(f"http://127.0.0.1:{lists.server_port}")
    for each in (authority.root, authority.issuing):
        lists.lists[f"/{each.certificate.serial_number}"] = authority.no_revocations(each)
    online = replace(authority.keys(authority.seal), crls=(), online=True)
    signed = sign_pdf(example.rendered.content, "Evidence", example.record["approved"]["by"], online)
    gc.collect()  # a session that nobody closed complains when it is collected
    assert set(lists.fetched) == set(lists.lists)
    assert [line.getMessage() for line in caplog.records if line.name == "asyncio"] == []
    assert verify(signed, online.roots, [online.sha256]).good
