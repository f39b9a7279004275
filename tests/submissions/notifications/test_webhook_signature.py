"""Deliveries are signed by the Standard Webhooks specification."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from submissions.notifications.webhooks import delivery_headers, new_secret

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
