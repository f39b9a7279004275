"""The page behind an invitation's link: whoever has it chooses a name and a passphrase, and belongs to the casino."""

from __future__ import annotations

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control

from submissions.actions import joining
from submissions.errors import Refusal
from submissions.models import Invitation


class TooMany(Refusal):
    status = 429


def page(request: HttpRequest, secret: str) -> HttpResponse:
    """GET: what one is invited to. POST: join."""
    invitation = joining.invitation_of(secret)
    if invitation is None:
        raise Http404("This is no invitation: its link was perhaps cut short. Ask for it again.")
    try:
        joining.refuse_over(invitation)
    except joining.Over as over:
        return _page(request, "pages/join_over.html", invitation, over)
    if request.method != "POST" or request.user.is_authenticated:
        return _page(request, "pages/join.html", invitation)
    try:
        _join(request, invitation)
    except joining.Over as over:
        return _page(request, "pages/join_over.html", invitation, over)
    except Refusal as refusal:
        return _page(request, "pages/join.html", invitation, refusal)
    messages.success(request, f"Welcome. Sign in with {invitation.email} and the passphrase you just chose.")
    return redirect("account_login")


def _join(request: HttpRequest, invitation: Invitation) -> None:
    if not ratelimit.consume(request, action="join"):
        raise TooMany("too-many-attempts", "That was tried too often.", fix="Wait a minute, then try again.")
    passphrase = request.POST.get("password", "")
    if passphrase != request.POST.get("password_again", ""):
        raise Refusal(
            "passphrases-differ", "The two passphrases differ.", fix="Enter the same one twice.", option="passphrase"
        )
    joining.accept(invitation, name=request.POST.get("name", ""), passphrase=passphrase)


def _page(request: HttpRequest, template: str, invitation: Invitation, refusal: Refusal | None = None) -> HttpResponse:
    context = {"invitation": invitation, "refusal": refusal, "name": request.POST.get("name", invitation.name)}
    response = render(request, template, context, status=refusal.status if refusal else 200)
    patch_cache_control(response, private=True, no_store=True)
    return response
