"""The start of a layout filing: the choice of layout, payout sign and gaming guide for a group of tables.

The parts that must be updated are selected already (`layouts.readiness`). Not here: the page of a filing
(`layout_page`).
"""

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from submissions.core.errors import Refusal
from submissions.layouts import layout_filings as filings
from submissions.layouts import readiness
from submissions.models import OPEN_LAYOUTS, Part, Person, Revision, Submission
from submissions.permissions import may
from submissions.web.access_gate import submission_of
from submissions.web.layouts.layout_worklist import tables_of

HINTS = {
    Part.LAYOUT: "You upload the drawing of the felt, or take the portal's own.",
    Part.SIGN: "The portal's own, made from the answers.",
    Part.GUIDE: "The portal's own, made from the answers.",
}


def start(request: HttpRequest, number: str, group: int) -> HttpResponse:
    """GET: the choice of parts. POST: start the filing, and go to its page."""
    submission = submission_of(request, number)
    if request.method != "POST":
        return _form(request, submission, group)
    try:
        filing = filings.start_layout_filing(
            cast(Person, request.user), submission, group, request.POST.getlist("part")
        )
    except Refusal as refusal:
        return _form(request, submission, group, refusal)
    return redirect("layout", filing.number)


def _form(request: HttpRequest, submission: Submission, group: int, refusal: Refusal | None = None) -> HttpResponse:
    revision = submission.revisions.first()
    tables = tables_of(revision, group)
    if not tables:
        raise Http404("There is no such group of tables.")
    chosen = request.POST.getlist("part") if request.method == "POST" else _missing(revision, group)
    context = {
        "submission": submission,
        "tables": tables,
        "group": group,
        "parts": [(part, HINTS[part], part in chosen) for part in Part],
        "open": submission.layout_filings.filter(group=group, status__in=OPEN_LAYOUTS).first(),
        "verdict": may(request.user, "lay-out", submission),
        "refusal": refusal,
        "here": "home",
    }
    return render(request, "pages/layout_start.html", context, status=refusal.status if refusal else 200)


def _missing(revision: Revision | None, group: int) -> list[str]:
    """The parts that must be updated; all parts if none must be."""
    groups = readiness.readiness_of_revision(revision) if revision else []
    return [str(part.part) for one in groups if one.group == group for part in one.missing] or list(Part.values)
