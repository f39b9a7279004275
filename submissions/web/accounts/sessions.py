"""Where a person is signed in, in addition to what the sign-in's own page lists: ending one of those sessions."""

import re

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from submissions.web.access_gate import account_of

BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    (r"iPhone|iPad", "iOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign out one's own session there; another person's is not found."""
    session = get_object_or_404(UserSession, pk=pk, user=account_of(request))
    if session.session_key == request.session.session_key:
        logout(request)  # its own session: nothing may be written to it after it has ended
        return redirect("account_login")
    get_adapter().end_sessions([session])
    messages.success(request, "Signed out there.")
    return redirect("usersessions_list")


def browser_of(agent: str) -> str:
    """What a browser says of itself, in two words; as it stands where it is none that is known."""
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if re.search(sign, agent)), "")
    return " on ".join(filter(None, (browser, system))) or agent[:60] or "Unknown"
