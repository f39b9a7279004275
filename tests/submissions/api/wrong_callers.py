"""Who makes the wrong calls of `wrong_calls.toml`, with something of each kind to be wrong about; and how it is done.

Every call is undone, so that none depends on those before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.api.framework.authentication import RequestThrottle
from submissions.core.errors import error_codes
from submissions.filings import drafts, filing
from submissions.filings.review import comments, decisions
from submissions.models import Batch, Credential, Organization, Person, Submission
from submissions.notifications import webhooks
from tests.submissions import files, filing_rows
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.oauth_clients import Program, new_ec, program
from tests.submissions.api.test_bulk import work
from tests.submissions.api.wrong_calls import Answer, Call
from tests.submissions.bulk import batches
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import layout_row

NOW = datetime.fromisoformat("2026-11-02T09:30:00-05:00")
LICENSEE = ("read", "prepare", "file")
API = "/api/v1/"
ETAG = re.compile('"[0-9a-f]{32}"')
FORM = "application/x-www-form-urlencoded"
FILES = {
    "picture": lambda: files.picture("PNG"),
    "document": lambda: b"PK\x03\x04" + b"word/document.xml" * 20,
    "script": files.pdf_with_javascript,
    "nothing": lambda: b"",
    "pdf": files.pdf,
}


@dataclass(frozen=True, slots=True)
class Cast:
    """The people, and the licensee whose program calls."""

    manager: Person
    stranger: Person
    analyst: Person

    @property
    def casino(self) -> Organization:
        return self.manager.organization  # type: ignore[return-value]


class Callers:
    """The clients by name; `numbers`: what {names} of a call stand for, `shown`: how the page writes them."""

    def __init__(self, cast: Cast) -> None:
        casino, board = cast.casino, cast.analyst.organization
        assert board is not None
        self.client_of = {
            "nobody": Client(SERVER_NAME="127.0.0.1"),  # from this machine tokens are issued without https, too
            "casino": system(made(casino, scopes=LICENSEE).token),
            "reader": system(made(casino).token),
            "board": system(made(board, scopes=("read", "review")).token),
            "elsewhere": system(made(casino, networks=["192.0.2.0/24"]).token),
            "revoked": system(self._revoked(casino)),
            "expired": system(self._ended(casino, expires_at=timezone.now() - timedelta(days=1))),
            "replaced": system(self._ended(casino, overlap_until=timezone.now() - timedelta(days=1))),
        }
        tester = made(casino, scopes=LICENSEE, live=False)
        self.client_of["test"] = system(tester.token)
        self.program: Program = program(casino)
        self.numbers = self._numbers(cast, tester.credential)

    def _numbers(self, cast: Cast, tester: Credential) -> dict[str, str]:
        manager, chief = cast.manager, administrator(cast.casino)
        returned, version = self._returned(cast), filing_rows.filing(manager)
        filing_rows.put_in_force(version, NOW.date(), manager)
        signer = api_credentials.sandbox_signer(tester.service_account.organization)  # type: ignore[arg-type]
        ended = webhooks.create_webhook(chief, url="https://hooks.example.test/").webhook
        webhooks.end_webhook(chief, ended)
        ready = ready_to_file(manager, "687a")
        waiting = batches.sent(manager, {"action": "file", "submission": ready.number, "version": ready.version})
        checked = batches.sent(manager, {"action": "create", "chapter": "687a"}, mode=Batch.Mode.VALIDATE)
        return {
            "returned": returned.number,
            "approved": version.submission.number,
            "draft": drafts.start_submission(manager, "687a").number,
            "rules": drafts.start_submission(manager, "688a").number,
            "filed": filing_rows.filing(manager).submission.number,
            "west": drafts.start_submission(cast.stranger, "687a").number,
            "sandbox": drafts.start_submission(signer, "687a").number,
            "ready": ready.number,
            "layout": layout_row(version, parts=("layout",)).number,
            "checked": checked.number,
            "waiting": waiting.number,
            "ended": str(ended.pk),
        }

    def _returned(self, cast: Cast) -> Submission:
        """A submission that was filed, and returned with a question."""
        submission = ready_to_file(cast.manager, "687a")
        filing.file_submission(cast.manager, submission, version=submission.version, attested=True)
        submission.refresh_from_db()
        comments.write_comment(cast.analyst, submission, revision=1, audience="licensee", text="Which tables?")
        decisions.return_to_licensee(cast.analyst, submission, version=submission.version, reason="One thing.")
        submission.refresh_from_db()
        return submission

    @property
    def shown(self) -> dict[str, str]:
        """A name → what the page has for it: the numbers of one portal, in the order of the names."""
        counts: dict[str, int] = {}
        shown = {}
        for name, number in self.numbers.items():
            kind = number.rpartition("-")[0]
            counts[kind] = counts.get(kind, 0) + 1
            shown[name] = f"{kind}-{counts[kind]:05}" if kind else str(counts[kind])
        return shown

    def _revoked(self, casino: Organization) -> str:
        issued = made(casino)
        api_credentials.revoke_credential(administrator(casino), issued.credential)
        return issued.token

    def _ended(self, casino: Organization, **ends: datetime) -> str:
        issued = made(casino)
        Credential.objects.filter(pk=issued.credential.pk).update(**ends)
        return issued.token


def answer_to(callers: Callers, call: Call) -> tuple[str, Answer]:
    """What the page shows of the call, and its answer in the words of the page. Nothing remains of it."""
    with _undone(), time_machine.travel(NOW, tick=False):
        answer = _item_answer(callers, call) if "item" in call else _answer(callers, call)
    names = {callers.numbers[name]: text for name, text in callers.shown.items() if len(callers.numbers[name]) > 5}
    words, fix = (ETAG.sub('"…"', _replaced(text, names)) for text in (answer.words, answer.fix))
    return _shown(callers, call), Answer(answer.status, answer.code, words, fix, answer.section)


@contextmanager
def _undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _answer(callers: Callers, call: Call) -> Answer:
    if "claims" in call:
        return _token_answer(callers, call)
    client, headers = _client(callers, call), dict(call.get("headers", {}))
    method, address = _place(call).split(" ", 1)
    address = address.format(**callers.numbers, long="a" * 4000)
    if "POST bulk/" in call["call"] and "keyless" not in call:
        headers.setdefault("Idempotency-Key", "key-1")
    if "before" in call:
        first = client.generic(method, address, json.dumps(call["before"]), "application/json", headers=headers)
        assert first.status_code < 300, first.content
    body, media_type = _body(callers, call)
    later = NOW + timedelta(seconds=call.get("later", 0))
    with pytest.MonkeyPatch.context() as rates, time_machine.travel(later, tick=False):
        if "rate" in call:
            rates.setitem(RequestThrottle.THROTTLE_RATES, "credential", call["rate"])
        answers = [
            client.generic(method, address, body, media_type, headers=headers) for _ in range(1 + ("twice" in call))
        ]
    return _read(answers[-1], call)


def _client(callers: Callers, call: Call) -> Client:
    if call.get("by") != "token":
        return callers.client_of[call.get("by", "casino")]
    token = callers.program.token()
    return system(token[:-1] if "cut" in call else token)


def _item_answer(callers: Callers, call: Call) -> Answer:
    """The answer of the item in a batch that is checked."""
    client, key = _client(callers, call), {"Idempotency-Key": "key-1"}
    item = json.loads(_replaced(json.dumps(call["item"]), _places(callers.numbers)))
    sent = client.post(
        f"{API}bulk/", {"mode": "validate", "items": [item]}, content_type="application/json", headers=key
    ).json()
    work()
    (row,) = client.get(sent["links"]["items"]).json()["results"]
    return Answer(row["status"], row["code"], row["message"], row["fix"], row["section"])


def _token_answer(callers: Callers, call: Call) -> Answer:
    """The answer of the token endpoint to an assertion with these claims."""
    asking, claims = callers.program, dict(call["claims"])
    if "exp" in claims:
        claims["exp"] += int(NOW.timestamp())
    if "signed_by" in call:
        asking = Program(asking.credential, new_ec())
    assertion = asking.assertion(**claims)
    answers = [asking.ask(assertion, **call.get("form", {})) for _ in range(1 + ("twice" in call))]
    return _read(answers[-1], call)


def _read(answer: Any, call: Call) -> Answer:
    answered = answer.json() if "json" in answer["Content-Type"] else {}
    if "error" in answered:  # as OAuth 2 writes it: its page has the code
        code = answered["error_uri"].rpartition("#")[2]
        return Answer(
            answer.status_code,
            f"{answered['error']}` · `{code}",
            answered.get("error_description", ""),
            error_codes()[code].fix,
        )
    if "findings" in answered and answer.status_code == 200:
        return _finding(answered["findings"], call)
    assert "code" in answered, (call["wrong"], answer.status_code, answer.content[:300])
    return Answer(
        answer.status_code, answered["code"], answered["detail"], answered.get("fix", ""), answered.get("section", "")
    )


def _finding(findings: list[Mapping[str, Any]], call: Call) -> Answer:
    """The finding on the last answer that was sent."""
    line = [*call["json"]["answers"]][-1]
    row = next(row for row in findings if line in row["options"] or line in row["message"])
    return Answer(200, row["rule"], row["message"], row["fix"], row["citation"])


def _body(callers: Callers, call: Call) -> tuple[bytes, str]:
    """What is sent, and its media type."""
    if "json" in call:
        return _replaced(json.dumps(call["json"]), _places(callers.numbers)).encode(), "application/json"
    if "text" in call:
        text = call["text"].replace("{huge}", "a" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        return text.encode(call.get("encoding", "utf-8")), call.get("type", "application/json")
    if "file" in call:
        return FILES[call["file"]](), call["type"]
    return (urlencode(call["form"]).encode(), FORM) if "form" in call else (b"", "application/json")


def _shown(callers: Callers, call: Call) -> str:
    """The call as the page shows it: the address, then what is sent."""
    places = _places(callers.shown)
    if "claims" in call:
        other = [f"{name}: {_claim(name, value)}" for name, value in call["claims"].items()]
        form = [f"{name}={value}" for name, value in call.get("form", {}).items()]
        return "\n".join(["POST oauth/token/", *other, *form])
    if "item" in call:
        return _replaced(json.dumps(call["item"], ensure_ascii=False), places)
    if "shown" in call and call["shown"].startswith("GET "):
        return str(call["shown"]).replace(f" {API}", " ")
    sent = [f"{name}: {value}" for name, value in call.get("headers", {}).items()]
    if "shown" in call:
        sent = [call["shown"]]
    elif "json" in call:
        sent.append(json.dumps(call["json"], ensure_ascii=False))
    elif "form" in call:
        sent.append(urlencode(call["form"]))
    elif "text" in call:
        sent += call["text"].splitlines()
    if "type" in call:
        sent.insert(0, f"Content-Type: {call['type']}")
    return _replaced("\n".join([call["call"], *sent]), places)


def _claim(name: str, value: object) -> object:
    return f"{value} s from now" if name == "exp" else json.dumps(value)


def _place(call: Call) -> str:
    """Method and whole address."""
    method, address = call["call"].split(" ", 1)
    return f"{method} {address if address.startswith('/') else API + address}"


def _places(numbers: Mapping[str, str]) -> dict[str, str]:
    return {f"{{{name}}}": number for name, number in numbers.items()}


def _replaced(text: str, names: Mapping[str, str]) -> str:
    """The text with other numbers in place of these: all at once, because they can be the same ones."""
    return re.sub("|".join(map(re.escape, names)), lambda match: names[match[0]], text)
