"""The guide keeps its word: every block of it is run in its order against a running portal, and prints what it says."""

from __future__ import annotations

import os
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
from joserfc.jwk import ECKey
from standardwebhooks import Webhook as StandardWebhook

from submissions.bulk import intake
from submissions.bulk.item_schema import ITEM_FIELDS, ITEM_VERBS
from submissions.models import Batch, Organization, Person, Role
from tests.cast import person
from tests.portal.broker import speaking_to
from tests.portal.running import free_port, running
from tests.submissions.api.clients import made
from tests.submissions.api.guide_blocks import GUIDE, Desk, blocks
from tests.submissions.approved import Cast

SCOPES = ("read", "prepare", "file")


@pytest.mark.processes
@pytest.mark.xdist_group("programs")
@pytest.mark.django_db(transaction=True)
def test_every_block_does_what_it_says(
    casino: Organization, manager: Person, analyst: Person, director: Person, tmp_path: Path
) -> None:
    names = ("West", "North", "South", "River", "Hill")
    others = [Organization.objects.create(kind="licensee", name=f"Casino {one}", slug=one.lower()) for one in names]
    managers = [manager, *(person(one, Role.MANAGER, f"Manager {one.name}") for one in others)]
    casts = [Cast(one, analyst, director, computes=False) for one in managers]
    approved = [one.version("687a") for one in casts]
    casts[-1].amend(approved[-1].submission, adjacent_boxes=3)  # so what it amended stays approved, and is not in force
    tokens = [made(one, scopes=SCOPES).token for one in (casino, *others)]
    key = ECKey.generate_key("P-256", private=True)
    (tmp_path / "client.pem").write_bytes(key.as_pem(private=True))
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CREDENTIAL": tokens[0],
        "CREDENTIALS": " ".join(tokens),
        "TEST": made(casino, scopes=SCOPES, live=False).token,
        "CLIENT": made(casino, scopes=SCOPES, public_key=key.as_pem(private=False).decode()).credential.key_id,
        "RECEIVER": f"http://127.0.0.1:{free_port()}/hook/",
    }
    with running(PORTAL_WEBHOOK_PRIVATE="1", PORTAL_SIMULATION_ROUNDS="20000") as portal, speaking_to(portal.broker):
        desk = Desk(tmp_path, {**environment, "PORTAL": f"http://127.0.0.1:{portal.port}"})
        for block in blocks():
            if block.kind == "person":
                confirm(managers)
                continue
            desk.check(block)


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


def confirm(managers: list[Person]) -> None:
    """On the page of each batch, as the manager of its casino."""
    waiting = Batch.objects.filter(state=Batch.State.UNCONFIRMED, organization__sandbox_of=None)
    for batch in waiting:
        intake.confirm_batch(
            next(one for one in managers if one.organization == batch.organization), batch, attested=True
        )


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
