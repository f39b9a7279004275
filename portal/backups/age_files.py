"""Encryption in the age format (age-encryption.org/v1), which other tools open: `age --decrypt -i KEY FILE`.

A backup is encrypted with public keys, so the machine that makes it cannot read it. The identity (the private key) can
itself be encrypted with a passphrase, as `age-keygen | age --passphrase` writes it. Not here: what is in the file.
"""

import os
from pathlib import Path
from typing import BinaryIO

import pyrage

from portal.backups.errors import BackupDamaged, BackupRefused
from portal.backups.passphrase import read_passphrase

ARMOR = b"-----BEGIN AGE ENCRYPTED FILE-----"
BINARY = b"age-encryption.org/v1"
CRYPTOGRAPHY = (pyrage.DecryptError, pyrage.EncryptError, OSError)


def make_identity(path: Path, passphrase: str) -> str:
    """Write a new identity to `path`, for its owner only; the public key. Errors: `BackupRefused` if it exists."""
    identity = pyrage.x25519.Identity.generate()
    public = str(identity.to_public())
    content = f"# public key: {public}\n{identity}\n".encode()
    if passphrase:
        content = pyrage.passphrase.encrypt(content, passphrase)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            os.fsync(file.fileno())
    except OSError as error:
        raise BackupRefused(f"{path} cannot be written ({error.strerror}). Name a file that does not exist.") from None
    return public


def read_recipients(path: Path) -> list[object]:
    """The public keys of a file, one a line: `age1…`, or SSH keys. Errors: `BackupRefused`."""
    lines = _lines(_read(path))
    if not lines:
        raise BackupRefused(
            f"{path} has no public key. Each line is a key that begins with age1, ssh-ed25519 or ssh-rsa."
        )
    try:
        return [(pyrage.ssh if line.startswith("ssh-") else pyrage.x25519).Recipient.from_str(line) for line in lines]
    except pyrage.RecipientError as error:
        raise BackupRefused(
            f"{path} has a line that is not a public key ({error}). Allowed: age1…, ssh-ed25519 …, ssh-rsa …"
        ) from None


def read_identities(path: Path, passphrase_file: Path | None) -> list[object]:
    """The private keys of a file: lines AGE-SECRET-KEY-1…, or an SSH key. Errors: `BackupRefused`.

    A passphrase, where the file needs one, is read from `passphrase_file` or the terminal.
    """
    content = _read(path)
    if content.startswith((ARMOR, BINARY)):
        try:
            content = pyrage.passphrase.decrypt(content, read_passphrase(passphrase_file))
        except CRYPTOGRAPHY as error:
            raise BackupRefused(f"{path} cannot be opened with this passphrase ({error}).") from None
    try:
        if content.startswith(b"-----BEGIN"):
            return [pyrage.ssh.Identity.from_buffer(content)]
        return [pyrage.x25519.Identity.from_str(line) for line in _lines(content)]
    except pyrage.IdentityError as error:
        raise BackupRefused(f"{path} is not a private key ({error}). It has a line AGE-SECRET-KEY-1….") from None


def encrypt(plain: BinaryIO, target: BinaryIO, recipients: list[object]) -> None:
    """Errors: `OSError` where `target` cannot be written."""
    try:
        pyrage.encrypt_io(plain, target, recipients)
    except pyrage.EncryptError as error:
        raise OSError(str(error)) from None


def decrypt(source: BinaryIO, plain: BinaryIO, identities: list[object]) -> None:
    """Every part is authentic before it is written. Errors: `BackupDamaged`."""
    try:
        pyrage.decrypt_io(source, plain, identities)
    except pyrage.DecryptError as error:
        raise BackupDamaged(f"It cannot be decrypted: {error}. Was it made for another key, or cut off?") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BackupDamaged(f"It was changed or cut off after it was written ({error}).") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BackupRefused(f"{path} cannot be read ({error.strerror}).") from None


def _lines(content: bytes) -> list[str]:
    lines = (line.strip() for line in content.decode(errors="replace").splitlines())
    return [line for line in lines if line and not line.startswith("#")]
