"""An organisation's people: who is there, who was asked to come, and what an administrator changes about them."""

from __future__ import annotations

from typing import cast

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions.access import (
    demand,
    invitations_visible_to,
    may,
    people_history_visible_to,
    people_visible_to,
)
from submissions.actions import invitations, people
from submissions.errors import Refusal
from submissions.models import ROLES_OF, Event, Organisation, Person, Role
from submissions.web import confirming

LAST = 20  # changes that are told
WORDS = {
    "invited": "invited {email} as {role}",
    "uninvited": "withdrew the invitation of {email}",
    "joined": "joined as {role}",
    "assigned": "made {name} {role}",
    "deactivated": "deactivated {name}",
    "reactivated": "let {name} in again",
    "second-factor-set-up": "set up a second factor",
    "second-factor-given-up": "removed their own second factor",
    "second-factor-removed": "removed the second factor of {name}",
}
DEEDS = {
    "deactivate": (people.deactivate, "{} can no longer sign in. What they did stays in the history."),
    "reactivate": (people.reactivate, "{} can sign in again."),
    "second-factor": (people.remove_second_factor, "The second factor of {} is removed: they set up another one."),
}


def page(request: HttpRequest) -> HttpResponse:
    """GET: the people. POST: invite somebody."""
    if request.method != "POST":
        return _page(request)
    demand(request.user, "administer")
    try:
        confirming.demand(request)
        invited = invitations.invite(
            cast(Person, request.user),
            email=request.POST.get("email", ""),
            name=request.POST.get("name", ""),
            role=request.POST.get("role", ""),
            administrator=request.POST.get("administrator") == "yes",
        )
    except Refusal as refusal:
        return _page(request, refusal)
    return render(request, "pages/invited.html", {"invited": invited, "here": "people"})


@require_POST
def invitation(request: HttpRequest, pk: int, deed: str) -> HttpResponse:
    """Withdraw an invitation, or send it anew."""
    demand(request.user, "administer")
    found = get_object_or_404(invitations_visible_to(request.user), pk=pk)
    if deed == "withdraw":
        invitations.withdraw(cast(Person, request.user), found)
        messages.success(request, f"The invitation of {found.email} is withdrawn: its link no longer works.")
        return redirect("people")
    if deed != "again":
        raise Http404
    try:
        confirming.demand(request)
        invited = invitations.send_anew(cast(Person, request.user), found)
    except Refusal as refusal:
        return _page(request, refusal)
    return render(request, "pages/invited.html", {"invited": invited, "here": "people"})


def one(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: one person. POST: their role, and whether they administer."""
    found = get_object_or_404(_with_second_factor(people_visible_to(request.user)), pk=pk)
    demand(request.user, "administer")
    if request.method != "POST":
        return _person(request, found)
    try:
        confirming.demand(request)
        people.assign(
            cast(Person, request.user),
            found,
            role=request.POST.get("role", ""),
            administrator=request.POST.get("administrator") == "yes",
        )
    except Refusal as refusal:
        return _person(request, found, refusal)
    messages.success(request, f"Saved: {found.name}.")
    return redirect("people")


@require_POST
def change(request: HttpRequest, pk: int, deed: str) -> HttpResponse:
    """Deactivate, reactivate, or remove the second factor."""
    found = get_object_or_404(_with_second_factor(people_visible_to(request.user)), pk=pk)
    demand(request.user, "administer")
    if deed not in DEEDS:
        raise Http404
    action, done = DEEDS[deed]
    try:
        confirming.demand(request)
        action(cast(Person, request.user), found)
    except Refusal as refusal:
        return _person(request, found, refusal)
    messages.success(request, done.format(found.name))
    return redirect("people")


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    organisation = cast(Person, request.user).organisation
    context = {
        "people": list(_with_second_factor(people_visible_to(request.user))),
        "administers": may(request.user, "administer"),
        "invitations": list(invitations_visible_to(request.user)),
        "roles": roles(organisation),
        "now": timezone.now(),
        "changes": [_told(event) for event in people_history_visible_to(request.user)[:LAST]],
        "refusal": refusal,
        "here": "people",
    }
    return render(request, "pages/people.html", context, status=refusal.status if refusal else 200)


def _person(request: HttpRequest, found: Person, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "person": found,
        "own": found.pk == request.user.pk,
        "roles": roles(found.organisation),
        "role": request.POST.get("role", found.role),
        "administrator": request.POST.get("administrator") == "yes" if "role" in request.POST else found.administrator,
        "refusal": refusal,
        "here": "people",
    }
    return render(request, "pages/person.html", context, status=refusal.status if refusal else 200)


def _with_second_factor(people: QuerySet[Person]) -> QuerySet[Person]:
    factors = Authenticator.objects.filter(user=OuterRef("pk")).exclude(type=Authenticator.Type.RECOVERY_CODES)
    return people.annotate(second_factor=Exists(factors))


def roles(organisation: Organisation | None) -> tuple[Role, ...]:
    return ROLES_OF[Organisation.Kind(organisation.kind)] if organisation else ()


def _told(event: Event) -> dict[str, object]:
    """A change in words: who, what, when."""
    facts = {**event.before, **event.after}
    role = Role(facts["role"]).label if facts.get("role") in Role.values else ""
    if facts.get("administrator"):
        role += " and administrator"
    words = WORDS[event.verb].format(email=facts.get("email", ""), name=facts.get("name", ""), role=role)
    return {"who": event.actor.name if event.actor else "The portal's operator", "what": words, "at": event.at}
