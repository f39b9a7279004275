"""Records sign-ins and changes of a sign-in in the security log, as the signals of Django and django-allauth say them.

Failures that have no signal are recorded where they are noticed: `portal.accounts` (passphrases), `factor_forms`,
`reauthentication`, `agency_sign_in`. Not here: the history's events about second factors (`accounts.members`).
"""

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
    authenticator_used,
)
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from submissions.models import AccessRecord, Person
from submissions.web.security_records import record

Kind = AccessRecord.Kind
CODES = Authenticator.Type.RECOVERY_CODES


def record_failed_sign_in(request: HttpRequest, email: str, reason: str) -> None:
    """Record a refused passphrase; of an account that does not exist, `record_access` stores no text."""
    record(request, Kind.SIGN_IN_FAILED, reason=reason, **_account(email))


def record_reset_request(request: HttpRequest, email: str, reason: str = "") -> None:
    """Record that someone asked for a link to a new passphrase; with a reason none was sent."""
    record(request, Kind.RESET_REQUESTED, reason=reason, **_account(email))


def record_failed_code(request: HttpRequest, person: Person, reason: str) -> None:
    """Record a refused code or passkey after the right passphrase."""
    record(request, Kind.SIGN_IN_FAILED, reason=reason, person=person)


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: Person, **_: Any) -> None:
    steps = get_authentication_records(request, user)
    methods = dict.fromkeys(str(step.get("type") or step["method"]) for step in steps)
    record(request, Kind.SIGN_IN, person=user, details={"with": ", ".join(methods)})


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: Person | None, **_: Any) -> None:
    if user is not None:
        record(request, Kind.SIGN_OUT, person=user)


@receiver((password_changed, password_set))
def _passphrase_changed(request: HttpRequest, user: Person, **_: Any) -> None:
    record(request, Kind.PASSPHRASE_CHANGED, person=user)


@receiver(password_reset)
def _passphrase_reset(request: HttpRequest, user: Person, **_: Any) -> None:
    record(request, Kind.PASSPHRASE_RESET, person=user)


@receiver(authenticator_added)
def _factor_added(request: HttpRequest, user: Person, authenticator: Authenticator, **_: Any) -> None:
    kind = Kind.CODES_MADE if authenticator.type == CODES else Kind.FACTOR_ADDED
    record(request, kind, person=user, details={"factor": str(authenticator.type)})


@receiver(authenticator_reset)
def _codes_made(request: HttpRequest, user: Person, **_: Any) -> None:
    record(request, Kind.CODES_MADE, person=user, details={"factor": str(CODES)})


@receiver(authenticator_removed)
def _factor_removed(request: HttpRequest, user: Person, authenticator: Authenticator, **_: Any) -> None:
    record(request, Kind.FACTOR_REMOVED, person=user, details={"factor": str(authenticator.type)})


@receiver(authenticator_used)
def _factor_used(request: HttpRequest, user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type == CODES:
        record(request, Kind.CODE_USED, person=user)


@receiver(authentication_failed)
def _code_refused(request: HttpRequest, user: Person, reauthentication: bool = False, **_: Any) -> None:
    if not reauthentication:  # `reauthentication` records its own, of passphrases and passkeys too
        record_failed_code(request, user, "code-wrong")


def _account(email: str) -> dict[str, Any]:
    """Return the person with this address, else what was entered."""
    person = Person.objects.select_related("organization").filter(email__iexact=email.strip()).first()
    return {"person": person} if person else {"person": None, "account": email}
