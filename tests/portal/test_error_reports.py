"""Reports of faults: what a tracker gets over the wire, and what it never gets. The tracker is the test's server."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli
import pytest
from django.conf import settings

PROGRAM = """
import logging, django
django.setup()
from django.test import Client
from submissions.core.log_context import job_context

def settle(passphrase):
    raise ValueError("no row for casino.person@east.example.test with whsec_" + "s" * 40)

with job_context(17, "of-the-request"):
    try:
        settle("a secret passphrase")
    except ValueError:
        logging.getLogger("submissions.jobs.leases").exception("job %s of %s", 17, "casino.person@east.example.test")
import sentry_sdk
sentry_sdk.flush(5)
"""
UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress, "identity": bytes}
SECRETS = ("a secret passphrase", "casino.person", "s" * 40)


class Tracker(ThreadingHTTPServer):
    """Stores what is sent to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.bodies: list[str] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(UNPACK[self.headers.get("Content-Encoding", "identity")](body).decode())
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Not to the console."""


@pytest.fixture
def tracker() -> Iterator[Tracker]:
    server = Tracker()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def run(**environment: str) -> None:
    subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings", **environment},
        check=True,
        capture_output=True,
        timeout=60,
    )


def test_tracker_gets_the_fault_and_nothing_of_a_person(tracker: Tracker) -> None:
    run(PORTAL_SENTRY_DSN=f"http://public@127.0.0.1:{tracker.server_port}/1")
    (body,) = [body for body in tracker.bodies if '"exception"' in body]
    report = next(part for part in map(json.loads, body.splitlines()) if "exception" in part)
    (fault,) = report["exception"]["values"]
    assert (fault["type"], fault["value"]) == ("ValueError", "no row for …@… with whsec_…")
    assert fault["stacktrace"]["frames"][-1]["function"] == "settle"
    assert report["tags"] == {"request_id": "of-the-request", "job": "17"}
    assert report["logentry"]["message"] == "job %s of %s"
    assert not [
        name for name in ("request", "user", "extra", "breadcrumbs", "server_name", "modules") if report.get(name)
    ]
    assert [secret for secret in SECRETS if secret in "".join(tracker.bodies)] == []


def test_without_the_setting_nothing_is_sent(tracker: Tracker) -> None:
    run(PORTAL_SENTRY_DSN="")
    assert tracker.bodies == []
