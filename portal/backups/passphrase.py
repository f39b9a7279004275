"""Where the passphrase of a private key comes from: a file, else the terminal."""

import getpass
import sys
from pathlib import Path

from portal.backups.errors import BackupRefused


def read_passphrase(file: Path | None, *, new: bool = False) -> str:
    """The first line of the file, or what is entered. `new`: entered twice; empty for a key without a passphrase."""
    if file:
        return _first_line(file)
    if not sys.stdin.isatty():
        if new:
            return ""
        raise BackupRefused("The private key is locked with a passphrase. Name its file: --passphrase-file FILE.")
    passphrase = getpass.getpass("Passphrase of the key (empty for none): " if new else "Passphrase of the key: ")
    if new and passphrase != getpass.getpass("The same again: "):
        raise BackupRefused("The two passphrases differ. Nothing was written.")
    return passphrase


def _first_line(file: Path) -> str:
    try:
        line = file.read_text(encoding="utf-8").partition("\n")[0]
    except OSError as error:
        raise BackupRefused(f"{file} cannot be read ({error.strerror}).") from None
    if not line:
        raise BackupRefused(f"The first line of {file} is empty; it must be the passphrase.")
    return line
