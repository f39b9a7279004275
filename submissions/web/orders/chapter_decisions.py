"""The temporary chapters: what the Board decided of each, the versions under it, and the form of a decision."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from submissions.filings.temporary_chapters import temporary_chapters
from submissions.orders import order_entry
from submissions.orders.chapter_decisions import TEMPORARY, ChapterOutlook, chapter_decisions
from submissions.permissions import may, require, versions_visible_to
from submissions.rules.effective_rules import chapter_on_or_none
from submissions.web.access_gate import person_of
from submissions.web.accounts import reauthentication
from submissions.web.orders.order_forms import ChapterDecisionForm, uploaded_document

STATUTE = "4 Pa.C.S. § 13A03"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every temporary chapter with its outlook and the versions under it: all for the Board, else one's own."""
    today = timezone.localdate()
    rows = temporary_chapters(versions_visible_to(request.user), today)
    context = {
        "rows": rows,
        "undecided": [row for row in rows if row.outlook == ChapterOutlook.UNDECIDED],
        "today": today,
        "may_enter": may(request.user, "enter-order"),
        "statute": STATUTE,
        "here": "orders",
    }
    return render(request, "pages/temporary_chapters.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form. POST: enter the order that decides on the chapter; it takes the place of the one before."""
    require(request.user, "enter-order")
    today = timezone.localdate()
    chapter = chapter_on_or_none(number, today)
    if chapter is None or chapter.status != TEMPORARY:
        raise Http404("This temporary chapter does not exist.")
    decision, form = chapter_decisions().get(number), ChapterDecisionForm(request, citation=STATUTE)
    if request.method == "POST":
        with form.showing_refusals():
            reauthentication.require_confirmation(request)
            content = form.content(chapter.number, today)
            replaced = decision.order if decision else None
            order = order_entry.enter_order(person_of(request), content, uploaded_document(request), replaces=replaced)
            messages.success(request, f"Entered: {order.number}.")
            return redirect("temporary-chapters")
    context = {"chapter": chapter, "decision": decision, "here": "orders"}
    return form.page(request, "pages/chapter_decision.html", context)
