"""The forms in which a code or a passkey (WebAuthn) of the second factor is used.

They are django-allauth's, with the portal's limits of attempts. In addition the answer of a passkey must come from a
page at the portal's public address, not merely from one below the same domain name.
"""

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm, AuthenticateWebAuthnForm, ReauthenticateWebAuthnForm
from allauth.mfa.webauthn.internal import auth
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from fido2.webauthn import CollectedClientData, websafe_decode

from submissions.accounts.pages import attempts
from submissions.accounts.pages.sign_in_records import record_failed_code
from submissions.accounts.second_factor import mark_code_used
from submissions.core.errors import Refusal

TOO_OFTEN = "too_many_login_attempts"  # as allauth calls it


class SignInCodeForm(AuthenticateForm):
    """The code after the passphrase."""

    def clean_code(self) -> str:
        if not attempts.may_try_code(context.request, self.user):
            record_failed_code(context.request, self.user, "too-many-attempts")
            raise get_adapter().validation_error(TOO_OFTEN)
        try:
            code: str = super().clean_code()
        except Refusal as refusal:  # the app's secret was encrypted with a key that the portal no longer has
            record_failed_code(context.request, self.user, refusal.code)
            raise ValidationError(f"{refusal.message} {refusal.fix}", code=refusal.code) from refusal
        try:
            _require_first_use(self, code)
        except ValidationError:
            record_failed_code(context.request, self.user, "code-used")
            raise
        attempts.clear_code_attempts(context.request, self.user)
        return code


class ConfirmationCodeForm(ReauthenticateForm):
    """The code that confirms a signature. `reauthentication` counts how often it is tried, with the passphrases."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        _require_first_use(self, code)
        return code


def _require_first_use(form: AuthenticateForm, code: str) -> None:
    if not mark_code_used(form.authenticator, code):
        raise get_mfa_adapter().validation_error("incorrect_code")


NAME = "Rules Submission Portal"
LONGEST_NAME = 60  # characters


def relying_party() -> dict[str, str]:
    """Return the portal as browsers know it: a passkey is made for the host of `PORTAL_URL` and works nowhere else."""
    return {"id": urlsplit(settings.PUBLIC_URL).hostname or "", "name": NAME}


def has_passkeys() -> bool:
    """Return whether browsers make passkeys for this portal: for a domain name with https, or for localhost."""
    parts = urlsplit(settings.PUBLIC_URL)
    try:
        ipaddress.ip_address(parts.hostname or "")
    except ValueError:
        return parts.scheme == "https" or parts.hostname == "localhost"
    return False


@require_safe
def request_options(request: HttpRequest) -> JsonResponse:
    """Return a new challenge for the passkeys of a person who confirms a signature; good once, in this session."""
    return JsonResponse(auth.begin_authentication(request.user))


class AddPasskeyForm(AddWebAuthnForm):
    """A new passkey and its name."""

    name = forms.CharField(
        label="Name", max_length=LONGEST_NAME, required=False, help_text="A name helps you to recognize it."
    )

    def clean(self) -> dict[str, Any]:
        if not has_passkeys():
            raise _not_accepted()
        with _own_answer(self.cleaned_data.get("credential")):
            return dict(super().clean())


class _UsedPasskeyForm(AuthenticateWebAuthnForm):
    """An answer to a challenge."""

    def clean_credential(self) -> Authenticator:
        with _own_answer(self.cleaned_data["credential"]):
            return super().clean_credential()


class SignInPasskeyForm(_UsedPasskeyForm):
    """The passkey after the passphrase."""

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_bound and self.errors:
            record_failed_code(context.request, self.user, "passkey-wrong")


class ConfirmationPasskeyForm(_UsedPasskeyForm, ReauthenticateWebAuthnForm):
    """The passkey that confirms a signature."""


@contextmanager
def _own_answer(credential: Any) -> Iterator[None]:
    """Refuse an answer of a page elsewhere, even below the same domain name, and one that no parser reads."""
    parts = urlsplit(settings.PUBLIC_URL)
    try:
        origin = CollectedClientData(websafe_decode(credential["response"]["clientDataJSON"])).origin
        if origin != f"{parts.scheme}://{parts.netloc}":
            raise _not_accepted()
        yield
    except ValidationError:
        raise
    except Exception as error:
        raise _not_accepted() from error


def _not_accepted() -> ValidationError:
    error: ValidationError = get_mfa_adapter().validation_error("incorrect_code")
    return error
