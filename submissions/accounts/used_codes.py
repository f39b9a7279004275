"""A code of an authenticator app is good once, wherever it was entered (RFC 6238, section 5.2).

The time step of the last accepted code is stored with the app's row: a cache may forget it. Recovery codes are crossed
off by django-allauth in their own row.
"""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from django.db import transaction

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
    """The time step that shows this code now; 0 if there is none any more."""
    steps = yield_hotp_counters_from_time()
    shown = (
        step for step in steps if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step)))
    )
    return max(shown, default=0)
