"""The secrets of second factors in the database: encrypted, so that a copy of it copies no factor.

An authenticator app's row has a secret, recovery codes have a seed (codes taken over from elsewhere would be a list).
A passkey's row has a public key only. django-allauth reads and writes these rows through `portal.accounts.MfaAdapter`.
"""

from collections.abc import Callable
from typing import Any

PURPOSE = "second-factor"
MEMBERS = ("secret", "seed")
TOKEN_START = "gAAAA"  # noqa: S105 - of every Fernet token: its version, and the first bytes of a time before 2106


def is_encrypted(text: str) -> bool:
    """Whether this is a token; a secret is base 32, a seed hexadecimal, a recovery code a number."""
    return text.startswith(TOKEN_START)


def convert_secrets(data: dict[str, Any], convert: Callable[[str], str]) -> dict[str, Any]:
    """An authenticator's data with each of its secrets converted."""
    changed: dict[str, Any] = {name: convert(data[name]) for name in MEMBERS if name in data}
    if "migrated_codes" in data:
        changed["migrated_codes"] = [convert(code) for code in data["migrated_codes"]]
    return data | changed
