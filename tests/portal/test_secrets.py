"""No secret stands in a log, in a file of the portal, or in the database as it was told.

A running portal that tells everything it can is called with credentials, links, passphrases and codes in every place
where a caller may put one, rightly and wrongly. Then whatever it printed or wrote is searched for them.
"""

from __future__ import annotations

import io
import json
import logging
import re
import socket
import time
from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.apps import apps
from django.db import connection
from django.utils import timezone

from submissions.accounts import invitations
from submissions.accounts.pages import reauthentication
from submissions.core.log_context import without_secrets
from submissions.models import Delivery, Job, Organization, Person
from tests.portal.running import Running, running, until
from tests.submissions.api.clients import administrator, made

SECRET = "ab" * 32
TOKEN = f"rsp_live_3f9a02c417de_{SECRET}"
PASSPHRASE, WRONG = "the river is never the same twice", "the river is always the same"
NO_KIND = "whsec_a1b2"  # of a job: whoever takes it falls over the name
REDACTED = "rsp_live_3f9a02c417de_…"


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (f"GET /api/v1/{TOKEN}/ 404", f"GET /api/v1/{REDACTED}/ 404"),
        (f"/register/?key={TOKEN}&x=1", f"/register/?key={REDACTED}&x=1"),
        (quote(f"?key={TOKEN}", safe="").replace("_", "%5F"), "%3Fkey%3Drsp%5Flive%5F3f9a02c417de%5F…"),
        (repr({"Authorization": f"Bearer {TOKEN}"}), f"{{'Authorization': 'Bearer {REDACTED}'}}"),
        (f"https://x.example/invitations/{SECRET}/ was followed", "https://x.example/invitations/…/ was followed"),
        (f"{TOKEN},{TOKEN}", f"{REDACTED},{REDACTED}"),
        (f"signed by whsec_{SECRET}.", "signed by whsec_…"),
        ("signed by whsec_ab/cd+ef==", "signed by whsec_…"),
        ("rsp_live_3f9a02c417de was revoked", "rsp_live_3f9a02c417de was revoked"),
        ("sha256 " + SECRET, "sha256 " + SECRET),
    ],
)  # fmt: skip
def test_secrets_are_struck_out(said: str, printed: str) -> None:
    assert without_secrets(said) == printed


def test_whoever_prints_a_record_finds_no_secret_in_it() -> None:
    out, logger = io.StringIO(), logging.getLogger("somebody.elses")
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    try:
        logger.warning("shown %s and %r", TOKEN, [TOKEN])
        try:
            raise ValueError(f"no such row: {TOKEN}")
        except ValueError:
            logger.exception("it fails")
    finally:
        logger.removeHandler(handler)
    assert SECRET not in out.getvalue()
    assert out.getvalue().count(REDACTED) == 3
    assert f"ValueError: no such row: {REDACTED}" in out.getvalue()


class Caller:
    """Somebody's browser or program at the running portal."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.port = port
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, address: str, **headers: str) -> tuple[int, str]:
        return self._ask(address, None, headers)

    def send(self, address: str, body: bytes, **headers: str) -> tuple[int, str]:
        return self._ask(address, body, {"Content-Type": "application/json", **headers})

    def fill(self, address: str, **form: str) -> tuple[int, str]:
        """Open the page, and send its form."""
        _, page = self.get(address)
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found, page[:2000]
        body = urlencode({"csrfmiddlewaretoken": found[1], **form}).encode()
        return self._ask(address, body, {"Referer": self.base + address})

    def raw(self, request: bytes) -> bytes:
        """Something that is no HTTP."""
        with closing(socket.create_connection(("127.0.0.1", self.port), 10)) as line:
            line.sendall(request)
            return line.recv(4096)

    def _ask(self, address: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, str]:
        try:
            with self.opener.open(Request(self.base + address, body, headers), timeout=30) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()


def in_every_place(caller: Caller, token: str) -> None:
    """A credential where it belongs, and wherever else a program may put it by mistake."""
    shown = f"Bearer {token}"
    caller.get("/api/v1/submissions/", Authorization=shown)
    elsewhere = {"Authorization": token, "Referer": f"https://x.example/?t={token}", "User-Agent": token}
    caller.get("/api/v1/submissions/", **elsewhere)
    caller.get(f"/api/v1/submissions/?key={token}")
    caller.get(f"/api/v1/submissions/?cursor={token}", Authorization=shown)
    caller.get(f"/api/v1/submissions/{token}/", Authorization=shown)
    caller.get(f"/{token}/{quote(token)}")
    caller.send("/api/v1/chapters/585/judge/", f'{{"answers": "{token}'.encode(), Authorization=shown)
    caller.send("/api/v1/chapters/585/judge/", json.dumps({"answers": {token: token}}).encode(), Authorization=shown)
    caller.send(f"/api/v1/chapters/{token}/judge/", b"{}", Authorization=shown)
    caller.raw(f"GET /{token} HTTP/9\r\n\r\n".encode())
    caller.raw(f"GET / HTTP/1.1\r\nAuthorization {shown}\r\n\r\n".encode())
    caller.raw(f"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: {shown}\x00\r\n\r\n".encode())
    caller.raw(f"{token}\r\n\r\n".encode())


def code(secret: str, ahead: int = 0) -> str:
    """What the app shows, or will show after so many steps; not one that runs out while it is sent."""
    until(lambda: time.time() % 30 < 25, 10)
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + ahead))


@pytest.fixture
def signing(casino: Organization, manager: Person, settings: Any) -> tuple[Person, str]:
    """Somebody with a passphrase as it is kept in life, and an authenticator."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
    manager.set_password(PASSPHRASE)
    manager.save()
    secret = generate_totp_secret()
    TOTP.activate(manager, secret)
    return manager, secret


def made_on_the_page(caller: Caller, confirmation: str) -> str:
    """The credential that an administrator makes."""
    expires = (timezone.localdate() + timedelta(days=9)).isoformat()
    wanted = {"name": "Office", "scopes": "read", "reach": "live", "expires": expires}
    _, page = caller.fill("/organization/credentials/", **wanted, **{reauthentication.FIELD: confirmation})
    found = re.search(r"rsp_live_[0-9a-f]{12}_[0-9a-f]{64}", page)
    assert found, page
    return found[0]


def webhook_of(program: Caller, token: str) -> str:
    """The secret of a webhook that a program makes and tries; nobody is at its address."""
    shown = {"Authorization": f"Bearer {token}", "Idempotency-Key": "a-webhook"}
    status, told = program.send("/api/v1/webhooks/", b'{"url": "https://hooks.east.invalid/told/"}', **shown)
    assert status == 201, told
    made_now = json.loads(told)
    address = f"/api/v1/webhooks/{made_now['webhook']['id']}/test/"
    assert program.send(address, b"", Authorization=shown["Authorization"])[0] == 202
    return str(made_now["secret"])


def leaks(texts: Iterable[tuple[str, str]], secrets: dict[str, str]) -> list[tuple[str, str]]:
    return [(where, what) for where, text in texts for what, secret in secrets.items() if secret in text]


def files(portal: Running) -> list[tuple[str, str]]:
    """What the portal printed, and every file that it wrote; but a mail is the one way of a link to its reader."""
    paths = [path for path in portal.var.rglob("*") if path.is_file() and "mail" not in path.parts]
    return [(str(path.relative_to(portal.var)), path.read_bytes().decode("latin-1")) for path in paths]


def rows() -> list[tuple[str, str]]:
    """Every table, as the database would give it away."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608
            found.append((model._meta.db_table, repr(cursor.fetchall())))
    return found


@pytest.mark.processes
@pytest.mark.xdist_group("programs")
@pytest.mark.django_db(transaction=True)
def test_running_portal_keeps_every_secret(casino: Organization, signing: tuple[Person, str], settings: Any) -> None:
    person, authenticator = signing
    person.administrator = True
    person.save()
    token, other = made(casino, scopes=["read", "prepare"]).token, made(casino, live=False).token
    invited = invitations.invite(administrator(casino), email="new@east.example.test", name="New One", role="reader")
    (spare, *_) = RecoveryCodes.activate(person).get_unused_codes()
    codes = [spare, *(code(authenticator, ahead) for ahead in range(5))]
    secrets = {
        "credential": token.rpartition("_")[2],
        "test credential": other.rpartition("_")[2],
        "invitation": invited.link.strip("/").rpartition("/")[2],
        "passphrase": PASSPHRASE,
        "wrong passphrase": WRONG,
        "no kind of job": NO_KIND,
    }
    everything = {"PORTAL_LOG": "DEBUG"}
    everything["PORTAL_SECRET_KEY"] = settings.SECRET_KEY  # it encrypted the authenticator's secret
    with running(**everything) as portal:
        caller, program = Caller(portal.port), Caller(portal.port)
        for one in (token, other):
            in_every_place(program, one)
        link = re.sub(r"^https?://[^/]+", "", invited.link)
        caller.get(link)
        caller.get(link[:-3] + "/")
        caller.fill(link, name="", password=PASSPHRASE, password_again=WRONG)
        caller.fill("/accounts/login/", login=person.email, password=WRONG)
        status, page = caller.fill("/accounts/login/", login=person.email, password=PASSPHRASE)
        assert (status, "/accounts/2fa/authenticate/" in page) == (200, True)
        caller.fill("/accounts/2fa/authenticate/", code=codes[-1])
        caller.fill("/accounts/2fa/authenticate/", code=code(authenticator))
        assert person.name in caller.get("/")[1]
        secrets["credential of the page"] = made_on_the_page(caller, spare).rpartition("_")[2]
        secrets["webhook"] = webhook_of(program, token)
        Job.objects.create(kind=NO_KIND, subject=1, not_before=timezone.now())
        until(lambda: Delivery.objects.get().attempts, 60, portal.log.read_text)
        until(lambda: "KeyError: 'whsec_…'" in portal.log.read_text(), 60, portal.log.read_text)  # a worker fails
        printed = portal.log.read_text()
        masked = f"{token.rpartition('_')[0]}_…"
        for part in (f"Not Found: /api/v1/submissions/{masked}/", "submissions.jobs.leases: job"):
            assert part in printed  # Django and the workers logged what they could; the web server logs no request
        assert leaks(files(portal), secrets) == []
        assert [code for code in codes if re.search(rf"\b{code}\b", printed)] == []
    del secrets["no kind of job"]
    assert leaks(rows(), secrets) == []
