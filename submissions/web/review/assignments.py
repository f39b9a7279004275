"""Posts that assign a filing to a person of the Board or unassign it, from its page or from the queue."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions.core.errors import Refusal
from submissions.models import LayoutFiling, Person, Submission
from submissions.permissions import layouts_visible_to, require
from submissions.review.assignments import assign_work, assignable_people, unassign_work
from submissions.web.access_gate import person_of, submission_of
from submissions.web.filings import submissions
from submissions.web.forms import is_about_entries
from submissions.web.layouts import layout_page
from submissions.web.responses import whole_number

PAGES: dict[str, Callable[..., HttpResponse]] = {"submission": submissions.show, "layout": layout_page.show}
FORM = "assignment"  # of these pages
ME, NOBODY = "me", "nobody"  # what a form sends instead of a person's number


@require_POST
def assign_submission(request: HttpRequest, number: str) -> HttpResponse:
    """`person`: a person's number, `me` or `nobody`; `queue`: the query string of the queue to return to."""
    return _assign(request, submission_of(request, number), "submission")


@require_POST
def assign_layout(request: HttpRequest, number: str) -> HttpResponse:
    """As `assign_submission`, for a layout filing."""
    rows = layouts_visible_to(request.user).select_related("submission__organization")
    return _assign(request, get_object_or_404(rows, number=number), "layout")


def _assign(request: HttpRequest, filing: Submission | LayoutFiling, page: str) -> HttpResponse:
    actor, wanted = person_of(request), request.POST.get("person", "")
    require(actor, "assign", filing)
    if wanted == NOBODY:
        unassign_work(actor, filing)
        messages.success(request, f"{filing.number} is unassigned.")
    else:
        try:
            assignment = assign_work(actor, filing, _person(actor, wanted))
        except Refusal as refusal:
            if not is_about_entries(refusal) or "queue" in request.POST:
                raise
            return PAGES[page](request, filing.number, refusal=refusal, form=FORM)
        to_you = assignment.person_id == actor.pk
        messages.success(request, f"{filing.number} is assigned to {'you' if to_you else assignment.person.name}.")
    if "queue" in request.POST:
        query = request.POST["queue"]
        return HttpResponseRedirect(f"{reverse('home')}?{query}" if query else reverse("home"))
    return redirect(page, filing.number)


def _person(actor: Person, wanted: str) -> Person:
    if wanted == ME:
        return actor
    person = assignable_people(actor).filter(pk=whole_number(wanted)).first()
    if person is None:
        raise Refusal("assignee-unfit", name=wanted[:40])
    return person
