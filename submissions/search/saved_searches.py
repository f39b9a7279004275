"""Views that a person saves under a name: searches, and filters of the queue. Only that person sees them; the history
does not record them.
"""

from django.db import transaction

from submissions.core.errors import Refusal
from submissions.core.text_cleaning import clean_name
from submissions.models import Person, SavedFilter
from submissions.permissions import filters_visible_to

LONGEST_NAME = 80
MOST = 50


def save_search(actor: Person, name: str, query: str, page: SavedFilter.Page = SavedFilter.Page.SEARCH) -> SavedFilter:
    """Store a search, as its cleaned query string, under a name that this person has not used yet; or a filter of the
    queue, by its `page`.
    """
    fix = "Enter a name."
    name = clean_name(name, most=LONGEST_NAME, missing="The name of the search is missing.", fix=fix)
    if not query:
        raise Refusal("search-empty")
    with transaction.atomic():
        Person.objects.select_for_update(no_key=True).get(pk=actor.pk)  # one at a time, so that the count is true
        saved_searches = filters_visible_to(actor)
        if saved_searches.filter(name=name).exists():
            raise Refusal("name-taken", name=name)
        if saved_searches.count() >= MOST:
            raise Refusal("filters-full", most=MOST)
        return SavedFilter.objects.create(person=actor, name=name, query=query, page=page)


def delete_search(actor: Person, saved_search: SavedFilter) -> None:
    """Delete one of one's own."""
    filters_visible_to(actor).filter(pk=saved_search.pk).delete()
