"""Before a signature: whether the person at the screen is still the one who signed in.

Asked for on the very page that signs, by authenticator code where the person has a second factor, else by
passphrase; once confirmed it is not asked again for a few minutes. Whether the person may sign is `submissions.access`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from allauth.account.adapter import get_adapter
from allauth.mfa.base.forms import ReauthenticateForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from submissions.access import has_second_factor
from submissions.errors import Forbidden
from submissions.models import Person

LASTS = timedelta(minutes=5)
CONFIRMED = "confirmed_at"  # in the session, seconds since 1970; gone with it at sign-out
FIELD = "confirm_password"  # named so that `guard.repeat` never writes it into a page
TOO_OFTEN = "too_many_login_attempts"  # as the sign-in calls it


class Unconfirmed(Forbidden):
    """Not signed: the person is to confirm first. Concerns the line `confirm` of the page."""

    def __init__(self, code: str, message: str, *, fix: str) -> None:
        super().__init__(code, message, fix=fix, option="confirm")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for, as `parts/confirm.html` shows it."""

    what: str
    by_code: bool


PASSPHRASE = Question("Your passphrase", by_code=False)
CODE = Question("Code of your authenticator app", by_code=True)


def question(request: HttpRequest) -> Question | None:
    """What this person has to enter beside a signature now; None a few minutes after it was right."""
    if not request.user.is_authenticated or _is_recent(request):
        return None
    return CODE if has_second_factor(request.user) else PASSPHRASE


def demand(request: HttpRequest) -> None:
    """Raise `Unconfirmed` unless the person confirmed a moment ago, or does with what was just sent."""
    asked = question(request)
    if asked is None:
        return
    entered = request.POST.get(FIELD, "").strip() if asked.by_code else request.POST.get(FIELD, "")
    if not entered:
        raise Unconfirmed("not-confirmed", "This is signed: confirm that it is you.", fix=f"Enter: {asked.what}.")
    if not (_is_code(request, entered) if asked.by_code else _is_passphrase(request, entered)):
        raise _wrong(asked)
    request.session[CONFIRMED] = timezone.now().timestamp()


def _is_recent(request: HttpRequest) -> bool:
    passed = timezone.now().timestamp() - request.session.get(CONFIRMED, 0)
    return bool(0 <= passed < LASTS.total_seconds())


def _is_passphrase(request: HttpRequest, entered: str) -> bool:
    person = cast(Person, request.user)
    try:
        found = get_adapter().authenticate(request, email=person.email, password=entered)
    except ValidationError as error:
        raise _too_often() from error
    return found is not None and found.pk == person.pk


def _is_code(request: HttpRequest, entered: str) -> bool:
    form = ReauthenticateForm(user=request.user, data={"code": entered})
    if form.is_valid():
        form.save()
        return True
    if form.has_error("code", TOO_OFTEN):
        raise _too_often()
    return False


def _wrong(asked: Question) -> Unconfirmed:
    if asked.by_code:
        return Unconfirmed(
            "confirmation-wrong",
            "The code is not right, or was used already.",
            fix="Wait for the app's next code and enter that one.",
        )
    return Unconfirmed("confirmation-wrong", "The passphrase is not right.", fix="Enter it again.")


def _too_often() -> Unconfirmed:
    return Unconfirmed(
        "confirmation-too-often",
        "That was not right too many times.",
        fix="Wait five minutes, then try again. What you typed stays on this page.",
    )
