"""Searches that a person keeps under a name. They are nobody else's, and no part of the history."""

from __future__ import annotations

from django.db import transaction

from submissions.access import filters_visible_to
from submissions.actions.wording import clean_text
from submissions.errors import Refusal
from submissions.models import Person, SavedFilter

LONGEST_NAME = 80
MOST = 50


def keep(actor: Person, name: str, query: str) -> SavedFilter:
    """Keep a search, as its cleaned query string, under a name that this person has not used yet."""
    name = " ".join(clean_text(name, "The name").split())
    if not name:
        raise Refusal("name-missing", "The search has no name yet.", fix="Name it as you will look for it.")
    if len(name) > LONGEST_NAME:
        raise Refusal(
            "name-too-long", f"The name has {len(name):,} characters; {LONGEST_NAME} can be kept.", fix="Shorten it."
        )
    if not query:
        raise Refusal("search-empty", "This search asks for nothing yet.", fix="Search for something, then save it.")
    with transaction.atomic():
        Person.objects.select_for_update(no_key=True).get(pk=actor.pk)  # one at a time, so that the count is true
        kept = filters_visible_to(actor)
        if kept.filter(name=name).exists():
            raise Refusal("name-taken", f"You have a search named “{name}”.", fix="Choose another name, or delete it.")
        if kept.count() >= MOST:
            raise Refusal("filters-full", f"You have {MOST} saved searches.", fix="Delete one that you do not need.")
        return SavedFilter.objects.create(person=actor, name=name, query=query)


def forget(actor: Person, kept: SavedFilter) -> None:
    """Delete one of one's own."""
    filters_visible_to(actor).filter(pk=kept.pk).delete()
