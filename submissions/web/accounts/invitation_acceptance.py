"""The page of an invitation's link, where a person enters a name and a passphrase and joins."""

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control

from submissions.accounts import invitations
from submissions.core.errors import Refusal
from submissions.models import Invitation
from submissions.web.forms import RefusalForm, SentText
from submissions.web.responses import render_page

HINT = "At least 12 characters; a sentence of your own is easy to keep."


class JoinForm(RefusalForm):
    field_of = {"passphrase": "password"}
    name = SentText(
        "Your name", hint="As it stands in signed documents.", autocomplete="name", maxlength=120, required=True
    )
    password = SentText("Passphrase", hint=HINT, kind="password", autocomplete="new-password", required=True)
    password_again = SentText("Passphrase, again", kind="password", autocomplete="new-password", required=True)


class TooManyAttempts(Refusal):
    status = 429


def page(request: HttpRequest, secret: str) -> HttpResponse:
    """GET: the invitation. POST: join."""
    invitation = invitations.invitation_of(secret)
    if invitation is None:
        raise Http404("This is no invitation: its link was perhaps cut short. Ask for it again.")
    form = JoinForm(request, name=invitation.name)
    try:
        invitations.refuse_expired(invitation)
        if form.is_bound and not request.user.is_authenticated:
            _join(request, invitation, **form.values)
            messages.success(request, f"Welcome. Sign in with {invitation.email} and the passphrase you just chose.")
            return redirect("account_login")
    except invitations.InvitationExpired as expired:
        response = render_page(request, "pages/invitation_expired.html", {"invitation": invitation}, expired)
    except Refusal as refusal:
        form.refuse(refusal)
        response = form.page(request, "pages/accept_invitation.html", {"invitation": invitation})
    else:
        response = form.page(request, "pages/accept_invitation.html", {"invitation": invitation})
    patch_cache_control(response, private=True, no_store=True)
    return response


def _join(request: HttpRequest, invitation: Invitation, *, name: str, password: str, password_again: str) -> None:
    if not ratelimit.consume(request, action="join"):
        raise TooManyAttempts("too-many-attempts", "That was tried too often.", fix="Wait a minute, then try again.")
    if password != password_again:
        raise Refusal("passphrases-differ", option="passphrase")
    invitations.accept_invitation(invitation, name=name, passphrase=password)
