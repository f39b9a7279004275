"""What stands above every page until it is done: a second factor to set up, an administrator who is missing."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from submissions.access import has_second_factor, takes_steps
from submissions.actions.people import too_few_administrators
from submissions.models import Person


@dataclass(frozen=True, slots=True)
class Reminder:
    words: str
    address: str
    link: str


def reminders(request: HttpRequest) -> list[Reminder]:
    """Those for whoever is signed in; none on the pages where they are seen to."""
    person, here = request.user, request.resolver_match.url_name if request.resolver_match else None
    if not isinstance(person, Person) or person.organisation is None:
        return []
    told = []
    if not str(here).startswith("mfa_") and _needs_second_factor(person):
        words = "You sign with a second factor here: until it is set up, you can read and prepare, but not decide."
        told.append(Reminder(words, reverse("mfa_index"), "Set it up"))
    if person.administrator and too_few_administrators(person.organisation):
        words = f"{person.organisation} has fewer than two administrators: nobody could stand in for the only one."
        told.append(Reminder(words, reverse("people") + "#invite", "Invite another one"))
    return told


def _needs_second_factor(person: Person) -> bool:
    return settings.SECOND_FACTOR and (person.administrator or takes_steps(person)) and not has_second_factor(person)
