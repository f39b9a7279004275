"""Secrets that the portal needs again in clear, such as a webhook's: unreadable to whoever has only the database.

The key follows from Django's secret; with another one, what was enciphered before cannot be read. What is only ever
compared, such as a credential's secret, is not kept at all: its digest is.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from submissions.errors import Refusal


def encipher(secret: str, purpose: str) -> str:
    """The secret, for one purpose: it is deciphered for that alone."""
    return _fernet(purpose).encrypt(secret.encode()).decode()


def decipher(kept: str, purpose: str) -> str:
    """The secret again; `Refusal` if it was kept with another key."""
    try:
        return _fernet(purpose).decrypt(kept.encode()).decode()
    except InvalidToken:
        raise Refusal(
            "secret-unreadable",
            "The secret was kept with another key of the portal, and cannot be read.",
            fix="Make another one; the operator tells why PORTAL_SECRET_KEY was changed.",
        ) from None


def _fernet(purpose: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode())
    return Fernet(urlsafe_b64encode(derived.derive(settings.SECRET_KEY.encode())))
