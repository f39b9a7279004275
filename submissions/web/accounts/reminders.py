"""Reminders above every page until they are done: a second factor to set up, a missing administrator."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from submissions.accounts.members import too_few_administrators
from submissions.models import Person
from submissions.permissions import has_second_factor, takes_steps


@dataclass(frozen=True, slots=True)
class Reminder:
    words: str
    address: str
    link: str


def reminders(request: HttpRequest) -> list[Reminder]:
    """The reminders of the person who is signed in, except on the pages where they are done."""
    person, here = request.user, request.resolver_match.url_name if request.resolver_match else None
    if not isinstance(person, Person) or person.organization is None:
        return []
    found = []
    if not str(here).startswith("mfa_") and _needs_second_factor(person):
        words = "You sign with a second factor here: until it is set up, you can read and prepare, but not decide."
        found.append(Reminder(words, reverse("mfa_index"), "Set it up"))
    if person.administrator and too_few_administrators(person.organization):
        words = f"{person.organization} has fewer than two administrators: nobody could stand in for the only one."
        found.append(Reminder(words, reverse("people") + "#invite", "Invite another one"))
    return found


def _needs_second_factor(person: Person) -> bool:
    return settings.SECOND_FACTOR and (person.administrator or takes_steps(person)) and not has_second_factor(person)
