"""Confirmation before a signature that the person at the screen is the one who signed in.

The page that signs asks for a code or a passkey if the person has a second factor, else for the passphrase; then not
again for a few minutes. All pages of django-allauth that change or show a passphrase, a second factor or recovery codes
ask in the same way. Whether the person may sign is in `submissions.permissions`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from allauth.mfa.models import Authenticator
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from submissions.accounts.pages import attempts
from submissions.accounts.pages.factor_forms import ConfirmationCodeForm, ConfirmationPasskeyForm
from submissions.core.errors import Forbidden
from submissions.models import AccessRecord
from submissions.web.access_gate import account_of
from submissions.web.responses import render_page
from submissions.web.security_records import record

CONFIRMED_FOR = timedelta(minutes=5)
CONFIRMED = "confirmed_at"  # in the session, seconds since 1970; gone with it at sign-out
FIELD = "confirm_password"  # a name that `access_gate` never writes into a page, as the next
PASSKEY_FIELD = "confirm_password_passkey"


class Unconfirmed(Forbidden):
    """Refusal of a signature: the person must confirm first. It belongs to the page's field `confirm`."""

    def __init__(self, code: str, message: str, *, fix: str) -> None:
        super().__init__(code, message, fix=fix, option="confirm")


@dataclass(frozen=True, slots=True)
class ConfirmationQuestion:
    """The question of `parts/confirm.html`, and the refusal of a wrong answer."""

    what: str
    by_code: bool
    wrong: str
    fix: str
    by_passkey: bool = False


PASSPHRASE = ConfirmationQuestion("Your passphrase", by_code=False, wrong="Incorrect passphrase.", fix="Try again.")
CODE = ConfirmationQuestion(
    "Code of your authenticator app",
    by_code=True,
    wrong="Incorrect code, or it was already used.",
    fix="Wait for the next code in the app, then enter it.",
)
PASSKEY = ConfirmationQuestion(
    "Recovery code",
    by_code=True,
    wrong="The passkey or code was not accepted.",
    fix="Use your passkey again, or enter a recovery code.",
    by_passkey=True,
)
PASSKEY_OR_CODE = replace(
    CODE, wrong="The passkey or code was not accepted.", fix="Use your passkey again, or enter the app's next code.",
    by_passkey=True,
)  # fmt: skip


def confirmation_question(request: HttpRequest) -> ConfirmationQuestion | None:
    """Return the question that this person must answer to sign; None for a few minutes after a confirmation."""
    if not request.user.is_authenticated or is_confirmed(request):
        return None
    kinds = set(Authenticator.objects.filter(user=account_of(request)).values_list("type", flat=True))
    if Authenticator.Type.WEBAUTHN in kinds:
        return PASSKEY_OR_CODE if Authenticator.Type.TOTP in kinds else PASSKEY
    return CODE if Authenticator.Type.TOTP in kinds else PASSPHRASE


def require_confirmation(request: HttpRequest) -> None:
    """Raise `Unconfirmed` unless the person confirmed recently or does so in this request."""
    question = confirmation_question(request)
    if question is None:
        return
    entered = request.POST.get(FIELD, "").strip() if question.by_code else request.POST.get(FIELD, "")
    passkey = request.POST.get(PASSKEY_FIELD, "") if question.by_passkey else ""
    if not (entered or passkey):
        fix = f"{'Use your passkey, or enter' if question.by_passkey else 'Enter'}: {question.what}."
        raise Unconfirmed("not-confirmed", "Confirm that it is you before you sign.", fix=fix)
    details = {"with": "passkey" if passkey else "code" if question.by_code else "passphrase"}
    try:
        if not _is_right(request, question, entered, passkey):
            raise Unconfirmed("confirmation-wrong", question.wrong, fix=question.fix)
    except Unconfirmed as refusal:
        record(request, AccessRecord.Kind.CONFIRMATION_FAILED, reason=refusal.code, details=details)
        raise
    record(request, AccessRecord.Kind.CONFIRMED, details=details)
    request.session[CONFIRMED] = timezone.now().timestamp()


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the person confirmed in this session a few minutes ago or less."""
    passed = timezone.now().timestamp() - request.session.get(CONFIRMED, 0)
    return bool(0 <= passed < CONFIRMED_FOR.total_seconds())


def _is_right(request: HttpRequest, question: ConfirmationQuestion, entered: str, passkey: str) -> bool:
    """Return whether it is this person's passkey, code or passphrase; `Unconfirmed` after too many tries."""
    if not attempts.may_try_confirmation(request):
        fix = "Wait five minutes, then try again. Your entries stay on this page."
        raise Unconfirmed("confirmation-too-often", "Too many incorrect attempts.", fix=fix)
    if passkey:
        is_right = _is_accepted(ConfirmationPasskeyForm(user=account_of(request), data={"credential": passkey}))
    elif question.by_code:
        is_right = _is_accepted(ConfirmationCodeForm(user=account_of(request), data={"code": entered}))
    else:
        is_right = _is_passphrase(request, entered)
    if is_right:
        attempts.clear_confirmation_attempts(request)
    return is_right


def _is_passphrase(request: HttpRequest, entered: str) -> bool:
    account = account_of(request)
    person_found = authenticate(request, email=account.email, password=entered)
    return person_found is not None and person_found.pk == account.pk


def _is_accepted(form: ConfirmationCodeForm | ConfirmationPasskeyForm) -> bool:
    if not form.is_valid():
        return False
    form.save()
    return True


CONFIRMATION_PAGE = "account_reauthenticate"  # allauth's own page has this name and address
SIGN_IN_ROUTE = "accounts/"
# Pages that a signed-in person opens without confirming. A page that is not named here asks.
OPEN_PAGES = frozenset(
    {
        CONFIRMATION_PAGE, "account_login", "account_logout", "account_inactive", "account_signup", "account_email",
        "account_email_verification_sent", "account_confirm_email", "account_confirm_login_code",
        "account_reset_password", "account_reset_password_done", "account_reset_password_from_key",
        "account_reset_password_from_key_done", "mfa_authenticate", "mfa_index", "passkey-options", "agency-sign-in",
        "agency-signed-out",
        "usersessions_list",
    }
)  # fmt: skip


class ConfirmationGate:
    """Middleware: sends a person who has not just confirmed from the pages that change a sign-in to the question."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: object, parts: object
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is None or not match.route.startswith(SIGN_IN_ROUTE) or match.url_name in OPEN_PAGES:
            return None
        if not request.user.is_authenticated or is_confirmed(request):
            return None
        return redirect(f"{reverse(CONFIRMATION_PAGE)}?{urlencode({'next': request.path})}")


def page(request: HttpRequest) -> HttpResponse:
    """Show the question (GET); check the answer (POST), and go on to the page that asked."""
    refusal: Unconfirmed | None = None
    going_to = next_page(request, "mfa_index")
    try:
        if request.method == "POST" or is_confirmed(request):
            require_confirmation(request)
            return redirect(going_to)
    except Unconfirmed as refused:
        refusal = refused
    return render_page(request, "pages/confirm.html", {"next": going_to}, refusal)


def next_page(request: HttpRequest, otherwise: str) -> str:
    """Return where the person was going, if that is a page of this portal; otherwise the page with that name."""
    address = request.POST.get("next") or request.GET.get("next", "")
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else reverse(otherwise)
