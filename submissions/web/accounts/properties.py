"""The switch between the properties for which an account acts, and what waits at the others."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from submissions.models import Person
from submissions.review.worklist import count_tasks
from submissions.web import acting


@dataclass(frozen=True, slots=True)
class PropertyChoice:
    """A property in the switch: the row that acts there, and its open tasks; None for the present one."""

    row: Person
    tasks: int | None

    @property
    def words(self) -> str:
        """ "Casino West (3 tasks)"."""
        if self.tasks is None:
            return str(self.row.organization)
        return f"{self.row.organization} ({self.tasks} task{'' if self.tasks == 1 else 's'})"


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Act for another property of the account's from now on."""
    now = acting.acting_of(request)
    row = now.row(request.POST.get("person", "")) if now else None
    if row is None:
        raise Http404("You do not act for this property.")
    acting.switch(request, row)
    messages.success(request, f"You now act for {row.organization}, as {row.get_role_display()}.")
    return redirect(_next_page(request))


def property_choices(request: HttpRequest) -> list[PropertyChoice]:
    """The properties for which the account acts, in the order of the switch; none if there is only one."""
    now = acting.acting_of(request)
    if now is None or not now.is_one_of_several:
        return []
    return [PropertyChoice(row, None if row.pk == now.person.pk else count_tasks(row)) for row in now.rows]


def _next_page(request: HttpRequest) -> str:
    """The page of this portal that the form names; the first page otherwise."""
    address = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else reverse("home")
