"""The actions on the page of a layout filing: the licensee's, from its start on, and the Board's.

After a refusal the page shows the values that were entered. Not here: the page (`layout_page`).
"""

from typing import Any, ClassVar

from django import forms
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from submissions import permissions
from submissions.accounts.pages import reauthentication
from submissions.core.dates import date_text
from submissions.core.errors import Conflict, Refusal
from submissions.core.parameters import DayField
from submissions.filings import attachments
from submissions.filings.pages.filing import version_of
from submissions.layouts import layout_filings, layout_review, readiness, uploaded_drawings
from submissions.layouts.pages.layout_page import filing_of, form_action, show, show_decided
from submissions.layouts.pages.layout_worklist import tables_of
from submissions.layouts.pages.review_board import ACCEPT, REFUSE, review_board, stored_decision
from submissions.layouts.required_elements import PLACE
from submissions.models import OPEN_LAYOUTS, LayoutDrawing, LayoutFiling, Part, Person, Revision
from submissions.permissions import drawings_visible_to, may, workflow
from submissions.rules import days_of_change, paper_day
from submissions.web.access_gate import person_of, submission_of
from submissions.web.forms import PageForm, add_refusal, explained, form_refusals, posted, render_form
from submissions.web.responses import render_page, whole_number
from submissions.web.upload_handler import oversize

HINTS = {
    Part.LAYOUT: "Upload the drawing of the felt, or use the portal's drawing.",
    Part.SIGN: "The portal creates it from the answers.",
    Part.GUIDE: "The portal creates it from the answers.",
}


PAGE = "pages/layout_start.html"


class LayoutStartForm(PageForm):
    codes: ClassVar = {"invalid_choice": "layout-parts"}
    part = forms.MultipleChoiceField(
        label="Choose what to file",
        choices=[(part.value, explained(str(part.label), hint)) for part, hint in HINTS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    rules_on = DayField(label="Use the rules in effect on", required=False)


def start(request: HttpRequest, number: str, group: int) -> HttpResponse:
    """GET: the choice of parts. POST: start the filing, and go to its page."""
    submission = submission_of(request, number)
    revision = submission.revisions.first()
    tables = tables_of(revision, group)
    if not tables:
        raise Http404("This table group does not exist.")
    form = LayoutStartForm(*posted(request), initial={"part": _missing_parts(revision, group)})
    change_days = [day for day in days_of_change(submission.chapter) if day > timezone.localdate()]
    if revision and change_days:
        form.fields["rules_on"].help_text = (
            f"Leave this empty for {date_text(paper_day(revision))}. "
            f"The rules of this chapter change on {', '.join(map(date_text, change_days))}."
        )
    if request.method == "POST":
        try:
            if form.is_valid():
                parts, day = form.cleaned_data["part"], form.cleaned_data["rules_on"]
                filing = layout_filings.start_layout_filing(person_of(request), submission, group, parts, rules_on=day)
                return redirect("layout", filing.number)
        except Refusal as refusal:
            add_refusal(form, refusal, "part" if refusal.code == "layout-parts" else "")
    context: dict[str, Any] = {
        "submission": submission,
        "tables": tables,
        "group": group,
        "open": submission.layout_filings.filter(group=group, status__in=OPEN_LAYOUTS).first(),
        "verdict": may(request.user, "lay-out", submission),
        "change_days": change_days,
        "here": "home",
    }
    if context["open"] or not context["verdict"]:  # the page has no form, so its summary links to no field
        return render_page(request, PAGE, context, next((refusal for _, refusal in form_refusals(form)), None))
    return render_form(request, PAGE, context, form)


def _missing_parts(revision: Revision | None, group: int) -> list[str]:
    """Return the parts that must be updated; all parts if none must be."""
    groups = readiness.readiness_of_revision(revision) if revision else []
    return [str(part.part) for row in groups if row.group == group for part in row.missing] or list(Part.values)


@form_action("upload")
def upload(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    if request.POST.get("reference"):
        uploaded_drawings.use_reference_drawing(person, filing)
        return "The portal's reference drawing is added."
    for field, name in oversize(request):
        if field == "drawing":
            attachments.check_size(name, int(request.META.get("CONTENT_LENGTH") or 0))
    sent = request.FILES.get("drawing")
    if sent is None:
        raise Refusal("layout-no-file")
    drawing = uploaded_drawings.upload_drawing(person, filing, sent.name or "", sent.read())
    return f"“{drawing.name}” is uploaded."


@form_action("positions")
def positions(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    wanted = whole_number(request.POST.get("positions", ""), otherwise=0, digits=14)
    uploaded_drawings.set_positions(person, filing, wanted)
    return f"{filing.positions} betting position{'s' if filing.positions > 1 else ''}."


@form_action("inspect")
def inspect(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    return f"“{uploaded_drawings.inspect_again(person, filing).name}” is inspected again."


@form_action("marking", anchor="#marking")
def mark_element(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    drawing, element = _drawing(request, filing), request.POST.get("element", "")
    return f"Marked on page {uploaded_drawings.mark_element(person, drawing, element, _place(request)).page}."


@form_action("marking", anchor="#marking")
def remove_mark(request: HttpRequest, person: Person, filing: LayoutFiling, pk: int) -> str:
    uploaded_drawings.remove_mark(person, _drawing(request, filing), pk)
    return "The mark was removed."


@form_action("filing")
def file(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    reauthentication.require_confirmation(request)
    note = request.POST.get("note", "")
    revision = layout_filings.file_layout(person, filing, version=version_of(request), note=note)
    return f"Filed. The receipt is {revision.receipt}; the Bureau of Gaming Operations has 15 calendar days."


@form_action("withdrawal")
def withdraw(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    layout_filings.withdraw_layout(person, filing, version=version_of(request), reason=request.POST.get("reason", ""))
    return "Withdrawn. It stays in the history."


def _drawing(request: HttpRequest, filing: LayoutFiling) -> LayoutDrawing:
    """Return the drawing that the person saw; refused if another one has replaced it."""
    drawings = drawings_visible_to(request.user, filing)
    drawing = get_object_or_404(drawings, pk=whole_number(request.POST.get("drawing", ""), digits=14))
    if drawing != drawings.first():
        raise Conflict("layout-replaced")
    return drawing


def _place(request: HttpRequest) -> dict[str, float]:
    """Page, and edges in shares of it, from the percents entered; NaN, which is refused, for any other text."""
    edges = {name: _number(request.POST.get(name, "")) / 100 for name in PLACE[1:]}
    return {"page": whole_number(request.POST.get("page", ""), otherwise=0, digits=14), **edges}


def _number(text: str) -> float:
    try:
        return float(text.strip().rstrip("%"))
    except ValueError:
        return float("nan")


DECISIONS = {
    "notify": layout_review.notify,
    "recommend": layout_review.recommend,
    "approve": layout_review.approve,
    "reject": layout_review.reject,
}


@require_POST
def judge(request: HttpRequest, number: str) -> HttpResponse:
    """Decide one element: htmx gets what changed on the page, a plain form goes on to the next open element."""
    filing, person, key = filing_of(request, number), person_of(request), request.POST.get("element", "")
    refusal = None
    try:
        _judge(request, person, filing, key)
    except Refusal as refused:
        refusal = refused
    if request.htmx:  # type: ignore[attr-defined]
        return show_decided(request, number, key, refusal)
    if refusal:
        return show(request, number, refusal=refusal, form="judging")
    board = review_board(person, filing, {})
    next_open = board.next_after(key) if board else ""
    return HttpResponseRedirect(reverse("layout", args=[number]) + (f"#judge-{next_open}" if next_open else "#decide"))


@transaction.atomic
def _judge(request: HttpRequest, person: Person, filing: LayoutFiling, key: str) -> None:
    workflow.check_version(filing, version_of(request), "notify")  # the refusal names the person who was faster
    permissions.require(person, "judge", filing)
    filed, choice = filing.revisions.latest("number"), request.POST.get("judged", "")
    element = layout_review.known_elements(filed).get(key)
    if element is None or choice not in (ACCEPT, REFUSE):
        raise Refusal("layout-element/judge", name=key)
    if request.POST.get("seen", "").replace("\r\n", "\n") != stored_decision(element):
        raise Conflict("judged-meanwhile", name=element.name, part=element.label.lower())
    reason = request.POST.get("word", "").replace("\r\n", "\n").strip()
    layout_review.judge(person, filing, key, accepted=choice == ACCEPT, reason=reason)


@form_action("board")
def decide(request: HttpRequest, person: Person, filing: LayoutFiling, step: str) -> str:
    version, reason = version_of(request), request.POST.get("reason", "")
    transition = workflow.LAYOUT_TRANSITIONS[step]
    if transition.signs:
        reauthentication.require_confirmation(request)
    DECISIONS[step](person, filing, version=version, reason=reason)
    return transition.success
