"""The Board's actions on the page of a layout filing: judgments of elements, notice, report, decision.

After a refusal the page shows the values that were entered. Not here: the page (`layout_page`), the Board's part of it
(`review_board`).
"""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest

from submissions import permissions
from submissions.core.errors import Conflict, Refusal
from submissions.core.number_words import counted
from submissions.layouts import layout_review
from submissions.models import LayoutFiling, Person
from submissions.permissions import workflow
from submissions.web.accounts import reauthentication
from submissions.web.filings.filing import version_of
from submissions.web.layouts.layout_page import form_action
from submissions.web.layouts.review_board import ACCEPT, REFUSE, choice_text, differing, judgment_line

DECISIONS = {"recommend": layout_review.recommend, "approve": layout_review.approve, "reject": layout_review.reject}
DONE_MESSAGES = {
    "notify": "Deficiency notice issued. The clock is stopped until the licensee files again.",
    "recommend": "Reported to the Executive Director, who decides.",
    "approve": "Approved. The portal is creating the sealed documents.",
    "reject": "Rejected. The licensee reads your reasons.",
}


@form_action("board", anchor="#board")
@transaction.atomic
def judge(request: HttpRequest, person: Person, filing: LayoutFiling) -> str:
    """Save the judgments that changed: all of them or, after a refusal, none."""
    workflow.check_version(filing, version_of(request), "notify")  # the refusal names the person who was faster
    permissions.require(person, "judge", filing)
    filed, changed = filing.revisions.latest("number"), 0
    for place, element in enumerate(layout_review.element_states(filed), 1):
        current = judgment_line(place, element, differing(filed))
        seen, choice, reason = _sent_judgment(request, element.key)
        if choice not in (ACCEPT, REFUSE) or seen in ("", choice_text(choice, reason)):
            continue
        if seen != current.seen:
            raise Conflict("judged-meanwhile", name=element.name, part=element.label.lower())
        layout_review.judge(person, filing, element.key, accepted=choice == ACCEPT, reason=reason)
        changed += 1
    if changed:
        return f"Kept for {counted(changed, 'element')}."
    messages.info(request, "Nothing was changed.")
    return ""


@form_action("board")
def decide(request: HttpRequest, person: Person, filing: LayoutFiling, step: str) -> str:
    version, reason = version_of(request), request.POST.get("reason", "")
    if workflow.LAYOUT_TRANSITIONS[step].signs:
        reauthentication.require_confirmation(request)
    refused = _refused(request)
    if step == "notify":
        layout_review.notify(person, filing, version=version, deficient=refused, reason=reason)
    elif step == "recommend" and refused:
        raise Refusal("layout-refused-elements", count=len(refused), plural_verb="s are" if len(refused) > 1 else " is")
    else:
        DECISIONS[step](person, filing, version=version, reason=reason)
    return DONE_MESSAGES[step]


def _refused(request: HttpRequest) -> dict[str, str]:
    """The elements that are marked as not accepted, with the text on each."""
    keys = [name.removeprefix("judged-") for name, value in request.POST.items() if value == REFUSE]
    return {key: request.POST.get(f"word-{key}", "") for key in keys}


def _sent_judgment(request: HttpRequest, key: str) -> tuple[str, str, str]:
    """The judgment of an element that the form showed, and the choice and text that it sends."""
    sent = (request.POST.get(f"{name}-{key}", "") for name in ("seen", "judged", "word"))
    seen, choice, word = (text.replace("\r\n", "\n") for text in sent)  # line ends as before a browser sent them
    return seen, choice, word.strip()
