"""Saving the filter of the Board's queue under a name; refused, the queue comes again with what was entered."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions.core.errors import Refusal
from submissions.models import SavedFilter
from submissions.permissions import require
from submissions.search.saved_searches import save_search
from submissions.web.access_gate import person_of
from submissions.web.review import queue, worklist


@require_POST
def save_view(request: HttpRequest) -> HttpResponse:
    """Save the filter that is on the screen under a name, among the person's own."""
    person, query = person_of(request), QueryDict(request.POST.get("query", ""))
    require(person, "oversee")
    filters = queue.queue_filter(request, query)
    filters.refuse_faults()
    try:
        saved = save_search(person, request.POST.get("name", ""), filters.wanted.query, SavedFilter.Page.QUEUE)
    except Refusal as refusal:
        return worklist.board_page(request, person, query, refusal)
    messages.success(request, f"Saved as “{saved.name}”.")
    return HttpResponseRedirect(f"{reverse('home')}?{saved.query}")
