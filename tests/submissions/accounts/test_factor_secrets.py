"""Secrets of second factors are unreadable in the database, and outlast a change of the portal's secret key."""

from __future__ import annotations

import io
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from submissions.core.encryption import decrypt, encrypt
from submissions.jobs import idempotency
from submissions.models import KeyedCall, Organization, Person, Webhook
from submissions.notifications import webhooks
from tests.submissions.api.clients import administrator

SEED = "0f" * 40


def rows() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator ORDER BY id")
        return repr(cursor.fetchall())


def accepts(person: Person, secret: str) -> bool:
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    return Authenticator.objects.get(user=person, type="totp").wrap().validate_code(code)


def spare_codes(person: Person) -> list[str]:
    return Authenticator.objects.get(user=person, type="recovery_codes").wrap().get_unused_codes()


def rotate() -> str:
    out = io.StringIO()
    call_command("rotate_secrets", stdout=out)
    return out.getvalue()


def test_database_has_no_secret_of_a_factor(manager: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecoveryCodes, "generate_seed", classmethod(lambda _: SEED))
    secret = generate_totp_secret()
    TOTP.activate(manager, secret)
    codes = RecoveryCodes.activate(manager).get_unused_codes()
    assert [part for part in (secret, SEED, *codes) if part in rows()] == []
    assert accepts(manager, secret)
    assert spare_codes(manager) == codes


def test_stored_secrets_outlast_a_new_key(manager: Person, casino: Organization, settings: Any) -> None:
    secret, former, now = generate_totp_secret(), settings.SECRET_KEY, timezone.now()
    TOTP.activate(manager, secret)
    codes = RecoveryCodes.activate(manager).get_unused_codes()
    webhook = webhooks.create_webhook(administrator(casino), url="https://hooks.example.test/")
    KeyedCall.objects.create(
        service_account=manager, key="k", request_sha256="0" * 64, begun_at=now,
        answer=encrypt("an answer", idempotency.PURPOSE),
    )  # fmt: skip
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new secret", [former]
    assert spare_codes(manager) == codes  # before anything was encrypted again
    printed = rotate()
    assert printed.splitlines()[:3] == [
        "second factors: 2 encrypted with the present key",
        "webhooks: 1 encrypted with the present key",
        "stored API answers: 1 encrypted with the present key",
    ]
    settings.SECRET_KEY_FALLBACKS = []
    assert accepts(manager, secret)
    assert spare_codes(manager) == codes
    assert decrypt(Webhook.objects.get().secret, webhooks.ENCRYPTION_PURPOSE) == webhook.secret
    assert decrypt(KeyedCall.objects.get().answer, idempotency.PURPOSE) == "an answer"


def test_secret_of_a_lost_key_is_named_and_left(manager: Person, settings: Any) -> None:
    TOTP.activate(manager, generate_totp_secret())
    before, key = rows(), Authenticator.objects.get().pk
    settings.SECRET_KEY = "a new secret"
    with pytest.raises(CommandError, match=rf"No known key reads second factors {key}\."):
        rotate()
    assert rows() == before
