"""The guide's examples and tables: what they show is what the portal does, and has. Its blocks: `test_guide_blocks`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
import time_machine
from standardwebhooks import Webhook as StandardWebhook

from submissions.bulk.items import ITEM_FIELDS, ITEM_VERBS
from tests.submissions.api.guide_blocks import GUIDE, blocks


def test_signed_example_is_signed_as_the_guide_says() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    secret = re.search(r"`(whsec_[A-Za-z0-9+/]{43}=)`", text)
    example = re.search(r"^```text\n(webhook-id: .*?)\n\n(\{.*?\})\n```$", text, re.DOTALL | re.MULTILINE)
    assert secret
    assert example
    headers = dict(line.split(": ", 1) for line in example[1].splitlines())
    with time_machine.travel(float(headers["webhook-timestamp"])):
        assert StandardWebhook(secret[1]).verify(example[2], headers)["verb"] == "test"


class Proxy(BaseHTTPRequestHandler):
    """Stands before the portal, which is away at first, and says so in its own way."""

    away: ClassVar[list[int]]

    def do_GET(self) -> None:
        status, kind, body = 200, "application/json", b'{"results": []}'
        if self.away:
            status, kind, body = self.away.pop(), "text/html", b"<h1>The portal is away</h1>"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said: object) -> None:
        pass


@pytest.mark.parametrize(("away", "prints"), [([502], "{'results': []}"), ([403], "HTTP Error 403: Forbidden")])
def test_lines_of_python_understand_a_proxy(away: list[int], prints: str, tmp_path: Path) -> None:
    (module,) = (one.text for one in blocks() if one.text.startswith("# rules_portal.py"))
    (tmp_path / "rules_portal.py").write_text(module, encoding="utf-8")
    Proxy.away = [*away]
    with HTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        environment = {"PORTAL": f"http://127.0.0.1:{server.server_port}", "CREDENTIAL": "rsp_live_0_0"}
        lines = "from rules_portal import Refused, call\ntry: print(call('register/'))\nexcept Refused as no: print(no)"
        ran = subprocess.run(
            [sys.executable, "-c", lines], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        server.shutdown()
    assert ran.stdout.strip() == prints, ran.stderr


def test_tables_are_those_of_the_portal() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert actions() in text, f"Write:\n{actions()}"
    assert fields() in text, f"Write:\n{fields()}"


def actions() -> str:
    rows = [
        f"| {'**' * verb.signed}`{name}`{'**' * verb.signed} | {verb.help} | `{verb.scope}` "
        f"| {code(verb.needs)} | {code(verb.takes)} |"
        for name, verb in ITEM_VERBS.items()
    ]
    return "\n".join(["| action | | scope | needs | takes |", "| --- | --- | --- | --- | --- |", *rows])


def fields() -> str:
    rows = [f"| `{name}` | {field.help}{_among(field.choices)} |" for name, field in ITEM_FIELDS.items()]
    return "\n".join(["| field | |", "| --- | --- |", *rows])


def _among(choices: Sequence[str]) -> str:
    return f" ({code(choices)})" if choices else ""


def code(words: Sequence[str]) -> str:
    return ", ".join(f"`{one}`" for one in words)
