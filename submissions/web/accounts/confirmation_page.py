"""The page that asks who you are before you change how you sign in, and the gate that leads there.

The pages of the sign-in are django-allauth's. All that change a passphrase, a second factor or recovery codes, or show
such codes, open only to a person who has just confirmed as for a signature: with the second factor, where there is one.
How a person confirms is in `reauthentication`.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from submissions.web.accounts import reauthentication
from submissions.web.responses import render_page

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
        if not request.user.is_authenticated or reauthentication.is_confirmed(request):
            return None
        return redirect(f"{reverse(CONFIRMATION_PAGE)}?{urlencode({'next': request.path})}")


def page(request: HttpRequest) -> HttpResponse:
    """GET: the question. POST: the answer, and on to the page that asked."""
    try:
        if request.method == "POST" or reauthentication.is_confirmed(request):
            reauthentication.require_confirmation(request)
            return redirect(_next_page(request))
    except reauthentication.Unconfirmed as refusal:
        return render_page(request, "pages/confirm.html", {"next": _next_page(request)}, refusal)
    return render_page(request, "pages/confirm.html", {"next": _next_page(request)})


def _next_page(request: HttpRequest) -> str:
    """Where the person was going, if that is a page of this portal."""
    address = request.POST.get("next") or request.GET.get("next", "")
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else reverse("mfa_index")
