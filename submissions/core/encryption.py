"""Secrets that the portal needs again in clear, such as a webhook's: unreadable with the database alone.

The key follows from Django's secret; with another one, what was encrypted before cannot be read. What is only ever
compared, such as a credential's secret, is not kept at all: its digest is.
"""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from submissions.core.errors import Refusal


def encrypt(secret: str, purpose: str) -> str:
    """The secret, for one purpose: it is deciphered for that alone."""
    return _fernet(purpose).encrypt(secret.encode()).decode()


def decrypt(encrypted: str, purpose: str) -> str:
    """The secret again; `Refusal` if it was encrypted with another key."""
    try:
        return _fernet(purpose).decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise Refusal("secret-unreadable") from None


def _fernet(purpose: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode())
    return Fernet(urlsafe_b64encode(derived.derive(settings.SECRET_KEY.encode())))
