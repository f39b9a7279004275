"""Secrets that the portal needs again in clear, such as a webhook's: unreadable with the database alone.

The key follows from Django's secret. What was encrypted under a secret of `SECRET_KEY_FALLBACKS` is still read, until
`manage.py rotate_secrets` has encrypted it again; under any other secret it cannot be read. What is only ever compared,
such as a credential's secret, is not kept at all: its digest is.
"""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from submissions.core.errors import Refusal


def encrypt(secret: str, purpose: str) -> str:
    """Return the secret, for one purpose: it is deciphered for that alone."""
    return _fernet(purpose).encrypt(secret.encode()).decode()


def decrypt(encrypted: str, purpose: str) -> str:
    """Return the secret again; `Refusal` if it was encrypted with another key."""
    try:
        return _fernet(purpose).decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise Refusal("secret-unreadable") from None


def rotate(encrypted: str, purpose: str) -> str:
    """Return the secret encrypted with the present key; `Refusal` if it was encrypted with an unknown key."""
    try:
        return _fernet(purpose).rotate(encrypted.encode()).decode()
    except InvalidToken:
        raise Refusal("secret-unreadable") from None


def _fernet(purpose: str) -> MultiFernet:
    """Return the cipher that encrypts with the first key and decrypts with each."""
    return MultiFernet([_key(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str, purpose: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode())
    return Fernet(urlsafe_b64encode(derived.derive(secret.encode())))
