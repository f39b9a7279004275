"""How a receiver knows that a delivery is ours: the secret of a webhook, and the signature that it makes.

By the Standard Webhooks specification (https://www.standardwebhooks.com): libraries of many languages verify it.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from datetime import datetime

PREFIX = "whsec_"
SECRET_BYTES = 32  # the specification takes 24 to 64


def new_secret() -> str:
    """`whsec_` and 32 random bytes in Base64."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def delivery_headers(secret: str, key: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers of a delivery, with a signature of its key, time and body."""
    timestamp = str(int(at.timestamp()))
    signed = b".".join((key.encode(), timestamp.encode(), body))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rules-Submission-Portal",
        "webhook-id": key,
        "webhook-timestamp": timestamp,
        "webhook-signature": _signature(secret, signed),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    return f"v1,{b64encode(hmac.digest(key, signed, 'sha256')).decode()}"
