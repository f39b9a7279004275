"""The sessions of a person, and the end of one; the switch between an account's properties, and what waits there."""

import re
from dataclasses import dataclass

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from submissions.accounts.pages import reauthentication
from submissions.core.text import counted
from submissions.filings.review.worklist import count_tasks
from submissions.models import Person
from submissions.web import access_gate
from submissions.web.access_gate import account_of

BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (  # patterns
    ("iPhone|iPad", "iOS"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


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
    """Return the names of a browser and its system, in two words; the header itself if neither is known."""
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if re.search(sign, agent)), "")
    return " on ".join(filter(None, (browser, system))) or agent[:60] or "Unknown"


@dataclass(frozen=True, slots=True)
class PropertyChoice:
    """A property in the switch: the row that acts there, and its open tasks; None for the present one."""

    row: Person
    tasks: int | None

    @property
    def words(self) -> str:
        """Return the property and its tasks as "Casino West (3 tasks)"."""
        if self.tasks is None:
            return str(self.row.organization)
        return f"{self.row.organization} ({counted(self.tasks, 'task')})"


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Act for another property of the account's from now on."""
    now = access_gate.acting_of(request)
    row = now.row(request.POST.get("person", "")) if now else None
    if row is None:
        raise Http404("You do not act for this property.")
    access_gate.switch(request, row)
    messages.success(request, f"You now act for {row.organization}, as {row.get_role_display()}.")
    return redirect(reauthentication.next_page(request, "home"))


def property_choices(request: HttpRequest) -> list[PropertyChoice]:
    """Return the properties for which the account acts, in the order of the switch; none if there is only one."""
    now = access_gate.acting_of(request)
    if now is None or not now.is_one_of_several:
        return []
    return [PropertyChoice(row, None if row.pk == now.person.pk else count_tasks(row)) for row in now.rows]
