"""The secrets of second factors in the database: encrypted, so that a copy of it copies no factor.

An authenticator app's row has a secret, recovery codes have a seed (codes taken over from elsewhere would be a list).
A passkey's row has a public key only. django-allauth reads and writes these rows through `portal.accounts.MfaAdapter`.
"""

from collections.abc import Callable
from typing import Any

PURPOSE = "second-factor"
MEMBERS = ("secret", "seed")


def convert_secrets(data: dict[str, Any], convert: Callable[[str], str]) -> dict[str, Any]:
    """An authenticator's data with each of its secrets converted."""
    changed: dict[str, Any] = {name: convert(data[name]) for name in MEMBERS if name in data}
    if "migrated_codes" in data:
        changed["migrated_codes"] = [convert(code) for code in data["migrated_codes"]]
    return data | changed
