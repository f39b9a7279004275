"""The page of an invitation's link, where a person enters a name and a passphrase and joins.

A person who has an account at another property of the company signs in and confirms instead.
"""

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control

from submissions.accounts import invitations
from submissions.accounts.eligibility import account_at
from submissions.accounts.memberships import accept_membership
from submissions.core.errors import Refusal
from submissions.models import Invitation, Person
from submissions.web.access_gate import account_of
from submissions.web.accounts import reauthentication
from submissions.web.forms import RefusalForm, SentText
from submissions.web.responses import render_page

HINT = "At least 12 characters. A sentence of your own is easy to remember."


class JoinForm(RefusalForm):
    field_of = {"passphrase": "password"}
    name = SentText(
        "Your name", hint="Your name as signed documents show it.", autocomplete="name", maxlength=120, required=True
    )
    password = SentText("Passphrase", hint=HINT, kind="password", autocomplete="new-password", required=True)
    password_again = SentText("Passphrase, again", kind="password", autocomplete="new-password", required=True)


class TooManyAttempts(Refusal):
    status = 429


def page(request: HttpRequest, secret: str) -> HttpResponse:
    """GET: the invitation. POST: join."""
    invitation = invitations.invitation_of(secret)
    if invitation is None:
        raise Http404("This invitation link is not valid. It may be incomplete. Ask for a new invitation.")
    form, account = JoinForm(request, name=invitation.name), account_at(invitation.email)
    context = {"invitation": invitation, "account": account, "is_own": _is_own(request, account)}
    if account or request.user.is_authenticated:
        form.needed = ()
    try:
        invitations.refuse_expired(invitation)
        if form.is_bound and context["is_own"]:
            return _joined_property(request, invitation)
        if form.is_bound and not (account or request.user.is_authenticated):
            _join(request, invitation, **form.values)
            messages.success(request, f"Welcome. Sign in with {invitation.email} and the passphrase you just chose.")
            return redirect("account_login")
    except invitations.InvitationExpired as expired:
        response = render_page(request, "pages/invitation_expired.html", {"invitation": invitation}, expired)
    except Refusal as refusal:
        form.refuse(refusal)
        response = form.page(request, "pages/accept_invitation.html", context)
    else:
        response = form.page(request, "pages/accept_invitation.html", context)
    patch_cache_control(response, private=True, no_store=True)
    return response


def _is_own(request: HttpRequest, account: Person | None) -> bool:
    """Whether the account that the invitation is for is the one that is signed in."""
    return account is not None and request.user.is_authenticated and account_of(request).pk == account.pk


def _joined_property(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Confirm, accept, and say where the other property is."""
    reauthentication.require_confirmation(request)
    membership = accept_membership(account_of(request), invitation)
    messages.success(
        request,
        f"You may now act for {membership.organization}: choose it under “You act for”, at the top of the page.",
    )
    return redirect("home")


def _join(request: HttpRequest, invitation: Invitation, *, name: str, password: str, password_again: str) -> None:
    if not ratelimit.consume(request, action="join"):
        raise TooManyAttempts("too-many-attempts", "Too many attempts.", fix="Wait a minute, then try again.")
    if password != password_again:
        raise Refusal("passphrases-differ", option="passphrase")
    invitations.accept_invitation(invitation, name=name, passphrase=password)
