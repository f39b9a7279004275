"""Deliveries are signed by the Standard Webhooks specification, and as before for webhooks from before."""

from __future__ import annotations

import hmac
from datetime import timedelta
from hashlib import sha256

import pytest
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from submissions.notifications.webhook_signature import delivery_headers, new_secret

KEY, BODY = "9f86d081884c7d659a2feaa0c55ad015", '{"verb": "filed", "who": "Renée"}'.encode()


def test_verifier_of_the_specification_accepts_a_delivery() -> None:
    secret = new_secret()
    headers = delivery_headers(secret, KEY, timezone.now(), BODY)
    assert Webhook(secret).verify(BODY, headers) == {"verb": "filed", "who": "Renée"}


def test_verifier_refuses_another_body_id_time_and_secret() -> None:
    secret, now = new_secret(), timezone.now()
    headers = delivery_headers(secret, KEY, now, BODY)
    forged = [
        (secret, BODY + b" ", headers),
        (secret, BODY, headers | {"webhook-id": "0" * 32}),
        (secret, BODY, headers | {"webhook-timestamp": str(int(now.timestamp()) - 1)}),
        (secret, BODY, delivery_headers(secret, KEY, now - timedelta(minutes=6), BODY)),
        (new_secret(), BODY, headers),
    ]
    for shared, body, sent in forged:
        with pytest.raises(WebhookVerificationError):
            Webhook(shared).verify(body, sent)


def test_secrets_are_random_and_of_the_length_that_the_specification_asks() -> None:
    secrets = {new_secret() for _ in range(20)}
    assert len(secrets) == 20
    assert {len(secret.removeprefix("whsec_")) for secret in secrets} == {44}  # 32 bytes in Base64


def test_receiver_of_a_webhook_from_before_reads_what_it_always_read() -> None:
    secret = f"whsec_{'5f' * 32}"
    headers = delivery_headers(secret, KEY, timezone.now(), BODY)
    signed = b".".join((KEY.encode(), headers["webhook-timestamp"].encode(), BODY))
    assert headers["webhook-signature"] == "v1=" + hmac.new(secret.encode(), signed, sha256).hexdigest()
