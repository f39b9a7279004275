"""Looking for submissions: the form, what is found, and the searches that a person keeps.

Not here: how a search is read and what it finds (`submissions.search`), taking it away as a file (`exports`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from django.contrib import messages
from django.core.paginator import EmptyPage, Page, PageNotAnInteger
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.rules.model import Chapter, Wager
from submissions.core.errors import Refusal
from submissions.models import Person, SavedFilter, Status, Submission
from submissions.permissions import filters_visible_to, licensees_visible_to
from submissions.review.assignments import assignable_names
from submissions.rules.effective_rules import chapters_on
from submissions.search import saved_searches
from submissions.search.field_parsing import answers_of, paytables_of
from submissions.search.filters import ORDERS, WAITING_ON, SubmissionSearch
from submissions.search.results import Offers, find_submissions, offers_of
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.responses import KeyPaginator

PAGE = 25


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    return _page(request, searched(request, request.GET))


@require_POST
def keep(request: HttpRequest) -> HttpResponse:
    """Save the search that is on the screen; refused, the page comes again with what was typed."""
    search = searched(request, QueryDict(request.POST.get("query", "")))
    name = request.POST.get("name", "")
    try:
        saved_search = saved_searches.save_search(cast(Person, request.user), name, search.understood.query)
    except Refusal as refusal:
        return _page(
            request, search, {"name": name, "refusal": refusal, "error_fields": {ANY_ENTRY: "name"}}, refusal.status
        )
    messages.success(request, f"Saved as “{saved_search.name}”.")
    return redirect(f"{reverse('search')}?{saved_search.query}")


@require_POST
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    saved_search = get_object_or_404(filters_visible_to(request.user), pk=pk)
    saved_searches.delete_search(cast(Person, request.user), saved_search)
    messages.success(request, f"“{saved_search.name}” is deleted.")
    return redirect("home" if saved_search.page == SavedFilter.Page.QUEUE else "search")


def searched(request: HttpRequest, query: Mapping[str, str]) -> SubmissionSearch:
    """The search of a query string, among the licensees that this person may look for."""
    person = cast(Person, request.user)
    licensees = dict(licensees_visible_to(person).values_list("slug", "name"))
    return SubmissionSearch(query, licensees, assignable_names(person))


def _page(
    request: HttpRequest, search: SubmissionSearch, more: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    wanted, (rows, fault) = search.filter, _rows(request, search)
    wager = _wager(search)
    faults = {**search.faults, **({"page": fault} if fault else {})}
    if faults and not getattr(request, "htmx", False):  # there only the form's choices are asked for
        status = 400
    context = {
        **_form(request, search),
        "faults": faults,
        "without_field": () if cast(Person, request.user).at_regulator else ("licensee", "assigned"),
        "page": rows,
        "wager": wager,
        "submissions": _with_offers(rows or (), wager),
        "query": f"{wanted.query}&" if wanted.query else "",
        "saved_searches": list(filters_visible_to(request.user).filter(page=SavedFilter.Page.SEARCH)),
        "orders": [
            {"key": key, "label": label, "query": replace(wanted, by=key).query, "current": wanted.by == key}
            for key, label in ORDERS.items()
        ],
        "here": "search",
        **(more or {}),
    }
    return render(request, "pages/search.html", context, status=status)


def _rows(request: HttpRequest, search: SubmissionSearch) -> tuple[Page[Submission] | None, Refusal | None]:
    """The page of what is found; nothing as long as a field is not understood."""
    if search.faults:
        return None, None
    page_number = request.GET.get("page", "1")
    pages = KeyPaginator(find_submissions(request.user, search.filter), PAGE, page_number)
    try:
        return pages.page(page_number), None
    except (PageNotAnInteger, EmptyPage):
        there = f"There are pages 1 to {pages.num_pages}." if pages.num_pages > 1 else "There is one page."
        return pages.page(1), Refusal("no-such-page", fix=there, value=page_number[:40])


def _wager(search: SubmissionSearch) -> Wager | None:
    """The wager whose paytable is looked for; of a part of a wager, the whole, which has the hold."""
    if search.game is None or not search.filter.paytable:
        return None
    wager = search.game.wager(search.filter.paytable.partition("/")[0])
    return search.game.wager(wager.part_of) if wager.part_of else wager


def _with_offers(rows: Iterable[Any], wager: Wager | None) -> list[tuple[Submission, Offers]]:
    """Each submission, and what its table groups offer of the wager."""
    offers = offers_of([row.latest for row in rows], wager.key) if wager else {}
    return [(row, offers.get(row.latest, [])) for row in rows]


def _form(request: HttpRequest, search: SubmissionSearch) -> dict[str, Any]:
    """What the form offers to choose from."""
    chapter, option = search.game, search.line
    at_regulator, options = cast(Person, request.user).at_regulator, chapter.options if chapter else ()
    return {
        "search": search,
        "entered": search.entered,
        "chapters": chapters_on(timezone.localdate()),
        "chapter": chapter,
        "option": option,
        "states": [(key, label) for key, label in Status.choices if key != Status.DRAFT or not at_regulator],
        "waiting_on": [(key, label) for key, (label, _) in WAITING_ON.items()],
        "lines": [(name, list(some)) for name, some in groupby(options, attrgetter("group"))],
        "answers": answers_of(chapter, option) if chapter and option else [],
        "paytables": _paytables(chapter),
    }


def _paytables(chapter: Chapter | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """Wager → (value, name) of each of its paytables."""
    if chapter is None:
        return []
    return [
        (chapter.wager(line.wager).name, [(f"{line.wager}/{name}", name) for name in names])
        for line, names in paytables_of(chapter)
    ]
