"""The Board's actions on the page of a layout filing: decisions on elements, notice, report, decision on the filing.

After a refusal the page shows the values that were entered. Not here: the page (`layout_page`), the Board's part of it
(`review_board`).
"""

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from submissions import permissions
from submissions.core.errors import Conflict, Refusal
from submissions.layouts import layout_review
from submissions.models import LayoutFiling, Person
from submissions.permissions import workflow
from submissions.web.access_gate import person_of
from submissions.web.accounts import reauthentication
from submissions.web.filings.filing import version_of
from submissions.web.layouts.layout_page import filing_of, form_action, show, show_decided
from submissions.web.layouts.review_board import review_board
from submissions.web.layouts.review_lines import ACCEPT, REFUSE, stored_decision

DECISIONS = {
    "notify": layout_review.notify,
    "recommend": layout_review.recommend,
    "approve": layout_review.approve,
    "reject": layout_review.reject,
}
DONE_MESSAGES = {
    "notify": "Deficiency notice issued. The clock is stopped until the licensee files again.",
    "recommend": "Reported to the Executive Director, who decides.",
    "approve": "Approved. The portal is creating the sealed documents.",
    "reject": "Rejected. The licensee reads your reasons.",
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
    entered = request.POST.dict()
    if request.htmx:  # type: ignore[attr-defined]
        return show_decided(request, number, key, refusal, entered)
    if refusal:
        return show(request, number, refusal=refusal, entered=entered, form="judging")
    board = review_board(person, filing, {})
    next_open = board.next_after(key) if board else ""
    return HttpResponseRedirect(reverse("layout", args=[number]) + (f"#judge-{next_open}" if next_open else "#decide"))


@transaction.atomic
def _judge(request: HttpRequest, person: Person, filing: LayoutFiling, key: str) -> None:
    workflow.check_version(filing, version_of(request), "notify")  # the refusal names the person who was faster
    permissions.require(person, "judge", filing)
    filed, choice = filing.revisions.latest("number"), request.POST.get("judged", "")
    known = (*layout_review.element_states(filed), *layout_review.difference_states(filed))
    element = next((element for element in known if element.key == key), None)
    if element is None or choice not in (ACCEPT, REFUSE):
        raise Refusal("layout-element/judge", name=key)
    if request.POST.get("seen", "").replace("\r\n", "\n") != stored_decision(element):
        raise Conflict("judged-meanwhile", name=element.name, part=element.label.lower())
    reason = request.POST.get("word", "").replace("\r\n", "\n").strip()
    layout_review.judge(person, filing, key, accepted=choice == ACCEPT, reason=reason)


@form_action("board")
def decide(request: HttpRequest, person: Person, filing: LayoutFiling, step: str) -> str:
    version, reason = version_of(request), request.POST.get("reason", "")
    if workflow.LAYOUT_TRANSITIONS[step].signs:
        reauthentication.require_confirmation(request)
    DECISIONS[step](person, filing, version=version, reason=reason)
    return DONE_MESSAGES[step]
