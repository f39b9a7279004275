"""Credentials: who makes them, what is kept of their secret, and what a caller is told when one does not hold."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.models import Credential, Event, Organization, Person
from submissions.permissions.credentials import (
    UnrecognizedCredential,
    credential_of_token,
    credentials_history_visible_to,
    credentials_visible_to,
)
from tests.submissions.api.clients import administrator, made, system

pytestmark = pytest.mark.service("locks")

HOME = "192.0.2.7"


def code_of(token: str, *, address: str = HOME, after: timedelta = timedelta(0)) -> str:
    """Why nobody is recognized; "" if the caller is."""
    try:
        credential_of_token(token, address, timezone.now() + after)
    except UnrecognizedCredential as refusal:
        return refusal.code
    return ""


def test_secret_is_told_once_and_kept_nowhere(casino: Organization, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        found = made(casino)
        api_credentials.rotate_credential(
            administrator(casino), found.credential, expires_at=timezone.now() + timedelta(days=9)
        )
    secret = found.token.rpartition("_")[2]
    assert len(bytes.fromhex(secret)) == 32
    kept = json.dumps([*Credential.objects.values(), *Event.objects.values()], default=str)
    assert secret not in kept + caplog.text
    digest = found.credential.secret_sha256
    assert digest not in json.dumps(list(Event.objects.values()), default=str)
    assert credential_of_token(found.token, HOME, timezone.now()) == found.credential


def test_only_administrators_make_and_see_them(casino: Organization, manager: Person, stranger: Person) -> None:
    found = made(casino).credential
    with pytest.raises(Forbidden):
        api_credentials.issue_credential(manager, name="Mine", scopes=["read"], live=True, expires_at=timezone.now())
    assert not credentials_visible_to(manager).exists()
    assert not credentials_history_visible_to(manager).exists()
    stranger.administrator = True
    stranger.save()
    with pytest.raises(Forbidden):
        api_credentials.revoke_credential(stranger, found)
    assert not credentials_visible_to(stranger).exists()
    assert [event.verb for event in credentials_history_visible_to(administrator(casino))] == ["credential-made"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"name": "  "}, "name-missing"),
        ({"name": "N" * 81}, "name-too-long"),
        ({"scopes": []}, "scope-elsewhere"),
        ({"scopes": ["read", "review"]}, "scope-elsewhere"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "expiry-wrong"),
        ({"expires_at": timezone.now() + timedelta(days=400)}, "expiry-wrong"),
        ({"networks": ["10.0.0.1/8"]}, "network-wrong"),
        ({"networks": ["everywhere"]}, "network-wrong"),
        ({"networks": [f"192.0.2.{place}" for place in range(21)]}, "networks-too-many"),
    ],
)
def test_wrong_wishes_are_refused(casino: Organization, given: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        made(casino, **given)
    assert refused.value.code == code
    assert not Credential.objects.exists()


def test_review_is_for_the_board_and_filing_for_licensees(casino: Organization, board: Organization) -> None:
    assert made(casino, scopes=["file", "read"]).credential.scopes == ["read", "file"]
    assert made(board, scopes=["review"]).credential.scopes == ["review"]
    with pytest.raises(Refusal):
        made(board, scopes=["file"])


def test_wrong_secret_says_only_that(casino: Organization) -> None:
    found = made(casino)
    api_credentials.revoke_credential(administrator(casino), found.credential)
    other = found.token[:-1] + ("0" if found.token[-1] != "0" else "1")
    assert code_of(other) == "credential-wrong"
    assert code_of(found.token.replace("rsp_live", "rsp_test")) == "credential-wrong"
    assert code_of(found.token) == "credential-revoked"


ARABIC = "rsp_live_" + "٣" * 12 + "_" + "0" * 64  # digits, but none of ours


@pytest.mark.parametrize("token", ["", "rsp_live", "rsp_live_00_11", "x" * 10_000, ARABIC])
def test_what_is_no_credential_says_so(db: None, token: str) -> None:
    assert code_of(token) == "credential-unreadable"


def test_each_end_has_its_own_code(casino: Organization) -> None:
    found = made(casino)
    assert code_of(found.token) == ""
    assert code_of(found.token, after=timedelta(days=91)) == "credential-expired"
    rotated = api_credentials.rotate_credential(
        administrator(casino), found.credential, expires_at=timezone.now() + timedelta(days=99),
        overlap=timedelta(days=2),
    )  # fmt: skip
    assert [code_of(found.token, after=timedelta(days=days)) for days in (1, 3)] == ["", "credential-replaced"]
    assert code_of(rotated.token, after=timedelta(days=3)) == ""
    api_credentials.revoke_credential(administrator(casino), found.credential, reason="It was in a mail.")
    assert [code_of(found.token), code_of(rotated.token)] == ["credential-revoked", ""]


def test_rotated_and_revoked_are_so_once(casino: Organization) -> None:
    found, chief, later = made(casino).credential, administrator(casino), timezone.now() + timedelta(days=9)
    with pytest.raises(Refusal, match="The limit is 30 days"):
        api_credentials.rotate_credential(chief, found, expires_at=later, overlap=timedelta(days=31))
    api_credentials.rotate_credential(chief, found, expires_at=later)
    with pytest.raises(Conflict) as refused:
        api_credentials.rotate_credential(chief, found, expires_at=later)
    assert refused.value.code == "credential-rotated-already"
    api_credentials.revoke_credential(chief, found)
    with pytest.raises(Conflict) as refused:
        api_credentials.revoke_credential(chief, found)
    assert refused.value.code == "credential-revoked-already"
    assert [event.verb for event in credentials_history_visible_to(chief)] == [
        "credential-revoked", "credential-rotated", "credential-made",
    ]  # fmt: skip


def test_overlap_ends_when_the_old_one_expires(casino: Organization) -> None:
    """So that nobody is told that it is good for longer."""
    now = timezone.now()
    old = made(casino, expires_at=now + timedelta(days=2)).credential
    api_credentials.rotate_credential(
        administrator(casino), old, expires_at=now + timedelta(days=90), overlap=timedelta(days=7)
    )
    assert Credential.objects.get(pk=old.pk).overlap_until == now + timedelta(days=2)


def test_networks_are_held_to(casino: Organization) -> None:
    token = made(casino, networks=["192.0.2.0/28", "2001:db8::/32", "192.0.2.0/28"]).token
    assert Credential.objects.get().networks == ["192.0.2.0/28", "2001:db8::/32"]
    found = [code_of(token, address=one) for one in (HOME, "::ffff:192.0.2.7", "2001:db8::1", "192.0.2.16", "::1")]
    assert found == ["", "", "", "credential-elsewhere", "credential-elsewhere"]


def test_use_is_noted_once_a_minute(casino: Organization) -> None:
    found, now = made(casino).credential, timezone.now()
    noted = []
    for seconds in (0, 59, 60):
        api_credentials.note_credential_use(Credential.objects.get(), now + timedelta(seconds=seconds))
        noted.append((Credential.objects.get(pk=found.pk).last_used_at - now).seconds)
    assert noted == [0, 0, 60]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="others write beside each other")
@pytest.mark.django_db(transaction=True)
def test_call_is_answered_while_somebody_writes_for_long(
    casino: Organization, caplog: pytest.LogCaptureFixture
) -> None:
    """Only its note is left out, and made at the next call after a minute; a write waits as long as ever."""
    found, waits = made(casino), pragma("busy_timeout")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = monotonic()
        assert system(found.token).get("/api/v1/submissions/").status_code == 200
        assert monotonic() - begun < 5
        other.execute("ROLLBACK")
    assert f"the use of {found.credential.key_id} is not noted: database is locked" in caplog.text
    assert (Credential.objects.get().last_used_at, pragma("busy_timeout")) == (None, waits)
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        system(found.token).get("/api/v1/submissions/")
    assert Credential.objects.get().last_used_at is not None


def pragma(name: str) -> int:
    with connection.cursor() as cursor:
        return cursor.execute(f"PRAGMA {name}").fetchone()[0]


def test_seat_of_a_test_credential_is_in_the_sandbox(casino: Organization, board: Organization) -> None:
    for one in (casino, board):
        live, test, again = (
            made(one, live=value).credential.service_account.organization for value in (True, False, False)
        )
        assert (live, test, again) == (one, one.sandbox, one.sandbox)
        assert (test.kind, test.is_live, live.is_live) == (one.kind, False, True)


def test_credential_called_like_the_signer_of_the_sandbox_is_not_the_signer(board: Organization) -> None:
    service_account = made(board, scopes=["review"], live=False, name=api_credentials.SIGNER).credential.service_account
    signer = api_credentials.sandbox_signer(board.sandbox)
    assert (signer.name, signer.role, signer == service_account) == (service_account.name, service_account.role, False)
