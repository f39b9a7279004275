"""A long list is streamed by the real web processes, and their memory does not grow with its rows.

`make soak` streams 50,000 rows, the suite 5,000. `-rP` shows seconds and megabytes. What a stream has in it, and its
queries: `test_row_streams`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.conf import settings

from submissions.api.framework import pagination
from submissions.api.framework.bodies import NDJSON
from submissions.models import Organization, Person
from tests.portal.running import Running
from tests.portal.web_alone import web_running
from tests.soak import SOAK
from tests.submissions.api.clients import made
from tests.submissions.api.test_row_streams import MEGABYTE, drafts

pytestmark = [
    pytest.mark.processes,
    pytest.mark.service("transactions"),  # rows come from a cursor of the server, within one
    pytest.mark.xdist_group("programs"),
    pytest.mark.django_db(transaction=True),
]

ROWS = 50_000 if SOAK else 5_000
MOST = 50 * MEGABYTE  # that any web process may take in addition
WARMING = 16  # requests, after which each web process has loaded what it needs
ADDRESS = "/api/v1/submissions/"


def asked(portal: Running, token: str, address: str = ADDRESS) -> HTTPResponse:
    headers = {"Accept": NDJSON, "Authorization": f"Bearer {token}"}
    request = Request(f"http://127.0.0.1:{portal.port}{address}", headers=headers)
    answer: HTTPResponse = urlopen(request, timeout=120)  # noqa: S310
    return answer


def web_processes(portal: Running) -> list[int]:
    (master,) = portal.named("web")
    return [process.pid for process in portal.processes() if process.parent == master.pid]


def memory(process: int, name: str) -> int:
    """`VmRSS`, what it has now, or `VmHWM`, the most that it had since `forget_peak`; in bytes."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return int(lines[name].split()[0]) * 1024


def forget_peak(process: int) -> None:
    Path(f"/proc/{process}/clear_refs").write_text("5")


def read_lines(answer: HTTPResponse) -> Iterator[bytes]:
    with answer:
        yield from answer


def test_memory_of_the_web_does_not_grow_with_the_rows(casino: Organization, manager: Person) -> None:
    token = made(casino).token
    drafts(manager, ROWS)
    with web_running(settings.WEB_PROCESSES) as portal:
        for _ in range(WARMING):
            list(read_lines(asked(portal, token, f"{ADDRESS}?chapter=585")))
        web = web_processes(portal)
        before = {process: memory(process, "VmRSS") for process in web}
        for process in web:
            forget_peak(process)
        begun, rows, size, last = time.monotonic(), -1, 0, b""
        for line in read_lines(asked(portal, token)):
            rows, size, last = rows + 1, size + len(line), line
        seconds = time.monotonic() - begun
        growth = max(memory(process, "VmHWM") - before[process] for process in web)
    print(f"{rows} rows, {size / MEGABYTE:.0f} MB in {seconds:.0f} s; memory + {growth / MEGABYTE:.1f} MB")
    assert (rows, json.loads(last)[pagination.END]["rows"]) == (ROWS, ROWS)
    assert growth < MOST
