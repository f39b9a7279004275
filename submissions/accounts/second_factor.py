"""Second factors in the database: encrypted secrets, and codes that are good once.

An authenticator app's row has a secret, recovery codes have a seed (codes taken over from elsewhere would be a list). A
code of an app is good once, wherever it was entered (RFC 6238, section 5.2): the time step of the last accepted one is
stored with the app's row, because a cache may forget it.
"""

from collections.abc import Callable
from typing import Any

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from django.db import transaction

PURPOSE = "second-factor"
MEMBERS = ("secret", "seed")


def convert_secrets(data: dict[str, Any], convert: Callable[[str], str]) -> dict[str, Any]:
    """Return an authenticator's data with each of its secrets converted."""
    changed: dict[str, Any] = {name: convert(data[name]) for name in MEMBERS if name in data}
    if "migrated_codes" in data:
        changed["migrated_codes"] = [convert(code) for code in data["migrated_codes"]]
    return data | changed


LAST_STEP = "last_step"  # in the row's data


@transaction.atomic
def mark_code_used(authenticator: Authenticator, code: str) -> bool:
    """Mark a code that django-allauth accepted; False if it, or a later one, was used before."""
    if authenticator.type != Authenticator.Type.TOTP:
        return True
    row = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
    step = _step_of(decrypt(row.data["secret"]), code)
    if step <= row.data.get(LAST_STEP, 0):
        return False
    row.data[LAST_STEP] = step
    row.save(update_fields=["data"])
    return True


def _step_of(secret: str, code: str) -> int:
    """Return the time step that shows this code now; 0 if it is too old or wrong."""
    steps = yield_hotp_counters_from_time()
    shown = (
        step for step in steps if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step)))
    )
    return max(shown, default=0)
