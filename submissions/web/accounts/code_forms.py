"""The forms in which a code of the second factor is entered: django-allauth's, with the portal's limits of attempts.

`MFA_FORMS` of the settings names the one of the sign-in; `reauthentication` uses the other.
"""

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.core.exceptions import ValidationError

from submissions.accounts.used_codes import mark_code_used
from submissions.core.errors import Refusal
from submissions.web.accounts import attempts
from submissions.web.accounts.sign_in_records import record_failed_code

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
