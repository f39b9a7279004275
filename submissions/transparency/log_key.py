"""The key that signs the public log's checkpoints: Ed25519, as PEM (PKCS#8), in the file that `PORTAL_LOG_KEY` names.

Where the setting is empty, the key is made at first use. Its public half is the log's identity: the page of the log
prints it, and witnesses keep it.
"""

import os
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from submissions.transparency.signed_note import NoteKey


def load_log_key() -> Ed25519PrivateKey:
    """The private key. Errors: `ImproperlyConfigured` where the file is missing in service, or has another key."""
    return load_key(Path(settings.LOG_KEY), make=not settings.SERVICE)


def log_verifier() -> NoteKey:
    """The public key under the log's name."""
    return NoteKey(settings.LOG_ORIGIN, load_log_key().public_key().public_bytes_raw())


def load_key(path: Path, *, make: bool) -> Ed25519PrivateKey:
    """The key in this file, made if it is missing and `make`."""
    if make and not path.exists():
        _make_key(path)
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        raise ImproperlyConfigured(f"{path.name} has no unencrypted private key as PEM: {error}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ImproperlyConfigured(f"The key in {path.name} is not an Ed25519 key.")
    return key


def _make_key(path: Path) -> None:
    """The first process wins; the file is readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".key-")
    with os.fdopen(number, "wb") as file:
        file.write(content)
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)
