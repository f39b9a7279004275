"""Sign-in: people are invited, nobody signs up; a change of the second factor is recorded in the history."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from submissions.accounts import factor_secrets, members, used_codes
from submissions.core.encryption import decrypt, encrypt
from submissions.models import Person
from submissions.web.accounts import agency_sign_in, attempts, known_devices, passkeys, reauthentication
from submissions.web.accounts.code_forms import TOO_OFTEN
from submissions.web.accounts.confirmation_page import CONFIRMATION_PAGE

AGENCY_ACCOUNT_NEEDED = "agency_account_needed"


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": "The e-mail address or the passphrase is incorrect.",
        AGENCY_ACCOUNT_NEEDED: "Staff of the Board sign in with their agency account.",
        TOO_OFTEN: "There were too many wrong attempts from your network. Wait a minute, then try again. "
        "After further wrong attempts the wait is longer.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt as the portal does, not by the account alone: a stranger would lock its owner out."""
        if not attempts.may_try_passphrase(request, str(credentials.get("email", ""))):
            raise self.validation_error(TOO_OFTEN)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        person: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if isinstance(person, Person):
            attempts.clear_passphrase_attempts(request, str(credentials.get("email", "")))
            if agency_sign_in.must_sign_in_there(person):
                raise self.validation_error(AGENCY_ACCOUNT_NEEDED)
        return person

    def get_logout_redirect_url(self, request: HttpRequest) -> str:
        address: str = agency_sign_in.sign_out_page(request) or super().get_logout_redirect_url(request)
        return address

    def post_login(self, request: HttpRequest, user: Person, **details: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **details)
        known_devices.remember_device(request, response, user.email)
        return response

    def is_reauthentication_required(self, *, app: str, **_: Any) -> bool:
        """The portal's own confirmation counts: allauth would be content with the passphrase."""
        return not reauthentication.is_confirmed(self.request)

    def get_reauthentication_methods(self, user: Person | AnonymousUser) -> list[dict[str, str]]:
        """One way to confirm, for signatures and for the sign-in's own pages alike."""
        if not user.is_authenticated:
            return []
        return [{"id": "reauthenticate", "description": "Confirm", "url": reverse(CONFIRMATION_PAGE)}]


class MfaAdapter(DefaultMFAAdapter):
    """The secrets of second factors as they are stored, and the portal as authenticators know it."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "The code or passkey is not right, or was used already.",
    }

    def encrypt(self, text: str) -> str:
        return encrypt(text, factor_secrets.PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text, factor_secrets.PURPOSE)

    def get_totp_issuer(self) -> str:
        return passkeys.NAME

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return passkeys.relying_party()

    def generate_authenticator_name(self, user: Person, type: Authenticator.Type) -> str:
        return f"Passkey {Authenticator.objects.filter(user=user, type=type).count() + 1}"


def no_such_page(request: HttpRequest) -> HttpResponse:
    raise Http404("The portal has no such page.")


@receiver(authenticator_added)
def _added(request: HttpRequest, user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:  # the code that activated the app signs nobody in
        used_codes.mark_code_used(authenticator, request.POST.get("code", ""))
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        members.record_second_factor_set_up(user, here=request.session.session_key or "")


@receiver(authenticator_removed)
def _removed(user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        members.record_second_factor_given_up(user)
