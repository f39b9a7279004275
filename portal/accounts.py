"""Sign-in: people are invited, nobody signs up; a change of the second factor is recorded in the history."""

from collections.abc import Iterable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from submissions.accounts import members, second_factor
from submissions.accounts.pages import agency_sign_in, attempts, factor_forms, reauthentication
from submissions.accounts.pages.factor_forms import TOO_OFTEN
from submissions.accounts.pages.reauthentication import CONFIRMATION_PAGE
from submissions.accounts.pages.sign_in_records import record_failed_sign_in, record_reset_request
from submissions.core.encryption import decrypt, encrypt
from submissions.models import AccessRecord, Person
from submissions.security_log.records import session_digest
from submissions.web.security_records import record

AGENCY_ACCOUNT_NEEDED = "agency_account_needed"
MAIL_TO_UNKNOWN_ACCOUNT = "account/email/unknown_account"


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": "The e-mail address or the passphrase is incorrect.",
        AGENCY_ACCOUNT_NEEDED: "Staff of the Board sign in with their agency account.",
        TOO_OFTEN: "Too many failed sign-ins from your network. Wait a minute, then try again. "
        "After more failed sign-ins, the wait is longer.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt as the portal does, not by the account alone: a stranger would lock its owner out."""
        if not attempts.may_try_passphrase(request, _email(credentials)):
            record_failed_sign_in(request, _email(credentials), "too-many-attempts")
            raise self.validation_error(TOO_OFTEN)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        person: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if isinstance(person, Person):
            attempts.clear_passphrase_attempts(request, _email(credentials))
            if agency_sign_in.must_sign_in_there(person):
                record_failed_sign_in(request, person.email, "agency-account-needed")
                raise self.validation_error(AGENCY_ACCOUNT_NEEDED)
        return person

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        record_failed_sign_in(request, _email(credentials), "passphrase-wrong")

    def respond_user_inactive(self, request: HttpRequest, user: Person) -> HttpResponse:
        record_failed_sign_in(request, user.email, "deactivated")
        response: HttpResponse = super().respond_user_inactive(request, user)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        if template_prefix == MAIL_TO_UNKNOWN_ACCOUNT:  # sent to who asks for a link and has no account
            record_reset_request(self.request, email, "no-account")
        super().send_mail(template_prefix, email, context)

    def send_password_reset_mail(self, user: Person, email: str, context: dict[str, Any]) -> None:
        record_reset_request(self.request, user.email)
        super().send_password_reset_mail(user, email, context)

    def get_logout_redirect_url(self, request: HttpRequest) -> str:
        address: str = agency_sign_in.sign_out_page(request) or super().get_logout_redirect_url(request)
        return address

    def post_login(self, request: HttpRequest, user: Person, **details: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **details)
        attempts.remember_device(request, response, user.email)
        return response

    def is_reauthentication_required(self, *, app: str, **_: Any) -> bool:
        """Return True if the portal's own confirmation is missing: allauth would be content with the passphrase."""
        return not reauthentication.is_confirmed(self.request)

    def get_reauthentication_methods(self, user: Person | AnonymousUser) -> list[dict[str, str]]:
        """Return one way to confirm, for signatures and for the sign-in's own pages alike."""
        if not user.is_authenticated:
            return []
        return [{"id": "reauthenticate", "description": "Confirm", "url": reverse(CONFIRMATION_PAGE)}]


class SessionsAdapter(DefaultUserSessionsAdapter):
    """Sessions that a person ends from elsewhere."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        for session in sessions:
            details = {"ended": session_digest(session.session_key)}
            record(context.request, AccessRecord.Kind.SESSION_ENDED, details=details)
            session.end()


class MfaAdapter(DefaultMFAAdapter):
    """The secrets of second factors as they are stored, and the portal as authenticators know it."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "Incorrect code or passkey, or it was already used.",
    }

    def encrypt(self, text: str) -> str:
        return encrypt(text, second_factor.PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text, second_factor.PURPOSE)

    def get_totp_issuer(self) -> str:
        return factor_forms.NAME

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return factor_forms.relying_party()

    def generate_authenticator_name(self, user: Person, type: Authenticator.Type) -> str:
        return f"Passkey {Authenticator.objects.filter(user=user, type=type).count() + 1}"


def _email(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email", ""))


def no_such_page(request: HttpRequest) -> HttpResponse:
    raise Http404("The portal has no such page.")


@receiver(authenticator_added)
def _added(request: HttpRequest, user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:  # the code that activated the app signs nobody in
        second_factor.mark_code_used(authenticator, request.POST.get("code", ""))
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        members.record_second_factor_set_up(user, here=request.session.session_key or "")


@receiver(authenticator_removed)
def _removed(user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        members.record_second_factor_given_up(user)
