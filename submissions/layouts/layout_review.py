"""The Board's review of a layout filing (§ 601a.10): element by element, deficiency notice, report, decision.

The Bureau of Gaming Operations reviews and reports; the Executive Director decides, only for answers that are approved.
While the licensee prepares the filing, its people see the latest drawing with its marks; the Board sees what was filed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.configurations import index_of_group
from submissions.core.digests import digest
from submissions.core.errors import Refusal
from submissions.core.text import clean_text
from submissions.jobs import leases
from submissions.layouts.readiness import digests
from submissions.layouts.required_elements import (
    DIFFERENCE,
    OF_ODDS,
    PLACE,
    Element,
    ElementStatus,
    difference_statuses,
    element_statuses,
)
from submissions.models import (
    Job,
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutJudgment,
    LayoutRevision,
    Person,
    Status,
)
from submissions.permissions import drawings_visible_to, workflow
from submissions.rules import layout_chapter

Kind = LayoutDecision.Kind
KINDS = {"notify": Kind.NOTICE, "recommend": Kind.RECOMMEND, "approve": Kind.APPROVE, "reject": Kind.REJECT}
MOST_ODDS = 5  # differences that are quoted in the text on an element


def element_states(filed: LayoutRevision) -> list[Element]:
    """Return every element of the filed drawing with its status; none if the filing has no layout."""
    if filed.drawing is None:
        return []
    judged = filed.judgments.values_list("element", "accepted", "reason")
    return element_statuses(filed.drawing.inspection.report, filed.marks, judged)


def difference_states(filed: LayoutRevision) -> list[Element]:
    """Return every difference that no element includes, with the Board's decision on it."""
    if filed.drawing is None:
        return []
    judged = filed.judgments.values_list("element", "accepted", "reason")
    return difference_statuses(filed.drawing.inspection.report, judged)


def other_differences(filed: LayoutRevision) -> list[str]:
    """Return the differences that no element includes and that the Board did not accept, in words."""
    return [difference.name for difference in difference_states(filed) if not difference.settled]


def known_elements(filed: LayoutRevision) -> dict[str, Element]:
    """Return what the Board can decide on, by key: the elements, then the differences."""
    return {each.key: each for each in (*element_states(filed), *difference_states(filed))}


def unsettled(filed: LayoutRevision) -> list[Element]:
    """Return the elements that the Board must still decide on, and the differences that it did not accept."""
    refused = [each for each in difference_states(filed) if each.status is ElementStatus.REFUSED]
    return [*(element for element in element_states(filed) if not element.settled), *refused]


def deficiencies(filed: LayoutRevision) -> dict[str, str]:
    """Return the text of each element and difference that is wrong or missing, by key, for a notice."""
    printed = printed_odds(filed)
    return {key: reason_text(each, printed) for key, each in known_elements(filed).items() if each.deficient}


def printed_odds(filed: LayoutRevision) -> str:
    """Return the odds that the drawing prints differently, as a text on their element."""
    differences = filed.drawing.inspection.report.get("differences", []) if filed.drawing else []
    of_odds = [difference["message"] for difference in differences if difference["kind"] in OF_ODDS]
    return "; ".join(of_odds[:MOST_ODDS])


def reason_text(element: Element, printed: str) -> str:
    """Return the Board's reason; for an element that differs, until then, the odds `printed`."""
    is_of_odds = element.status is ElementStatus.DIFFERENT and element.kind != DIFFERENCE
    return element.reason or (printed if is_of_odds else "")


@transaction.atomic
def judge(actor: Person, filing: LayoutFiling, key: str, *, accepted: bool, reason: str = "") -> LayoutJudgment:
    """Accept or refuse an element, or a difference, by its key; the latest judgment counts."""
    filing = workflow.lock_row(filing)
    permissions.require(actor, "judge", filing)
    filed = filing.revisions.latest("number")
    element = known_elements(filed).get(key)
    if element is None:
        raise Refusal("layout-element/judge", name=key)
    reason = clean_text(reason, "The reason")
    if not accepted and not reason:
        raise Refusal("reason-missing/element", name=element.name)
    judgment = LayoutJudgment.objects.create(
        layout_revision=filed, element=key, accepted=accepted, reason=reason, by=actor, at=timezone.now()
    )
    after = {"filing": filing.number, "element": element.name, "accepted": accepted}
    record_event(actor, filing.submission, "layout-judged", reason=reason, after=after, seals=(judgment,))
    return judgment


@transaction.atomic
def notify(
    actor: Person, filing: LayoutFiling, *, version: int, deficient: Mapping[str, str] | None = None, reason: str = ""
) -> LayoutDecision:
    """Issue a deficiency notice (§ 601a.10(d)): texts on `deficient` elements (None: on all of them), or a reason."""
    reason = clean_text(reason, "The notice")
    filed = _locked_revision(actor, filing, "notify", version)
    deficient = deficiencies(filed) if deficient is None else deficient
    known = known_elements(filed)
    if unknown := sorted(deficient.keys() - known.keys()):
        raise Refusal("layout-element/notify", name=unknown[0])
    if not deficient and not reason:
        raise Refusal("layout-notice-empty")
    named = [_named(known[key], clean_text(text, "The word")) for key, text in deficient.items()]
    return _decide(actor, filed, "notify", version, reason, named)


@transaction.atomic
def recommend(actor: Person, filing: LayoutFiling, *, version: int, reason: str = "") -> LayoutDecision:
    """Report to the Executive Director that every element is found or accepted."""
    filed = _locked_revision(actor, filing, "recommend", version)
    if left := unsettled(filed):
        names = "; ".join(element.name for element in left[:5])
        raise Refusal("layout-unsettled", count=len(left), plural="s" if len(left) > 1 else "", names=names)
    reason = clean_text(reason, "The reason")
    if (messages := other_differences(filed)) and not reason:
        raise Refusal("layout-shows-more", option="reason", names="; ".join(messages[:5]))
    return _decide(actor, filed, "recommend", version, reason)


@transaction.atomic
def approve(actor: Person, filing: LayoutFiling, *, version: int, reason: str = "") -> LayoutDecision:
    """Record the Executive Director's approval; a job makes and seals the papers."""
    filed = _locked_revision(actor, filing, "approve", version)
    if refusal := objection(filing, filed):
        raise refusal
    decision = _decide(actor, filed, "approve", version, clean_text(reason, "The reason"))
    leases.enqueue(Job.Kind.PAPERS, filing.pk)
    return decision


@transaction.atomic
def reject(actor: Person, filing: LayoutFiling, *, version: int, reason: str) -> LayoutDecision:
    """Record the Executive Director's rejection, with reasons: the end of this filing."""
    filed = _locked_revision(actor, filing, "reject", version)
    return _decide(actor, filed, "reject", version, clean_text(reason, "The reason"))


def objection(filing: LayoutFiling, filed: LayoutRevision) -> Refusal | None:
    """Return the refusal of an approval if the answers are not approved, or call for something else; else None."""
    submission = filing.submission
    if submission.status != Status.APPROVED:
        return Refusal("layout-before-rules", number=submission.number, status=submission.get_status_display())
    latest = submission.revisions.latest("number")
    place = index_of_group(latest.content, filing.group)
    chapter = layout_chapter(filing, latest)
    now = digests(chapter, latest.content["configurations"][place]["answers"]) if place is not None else {}
    if all(digest in now.get(part, ()) for part, digest in filed.shown.items()):
        return None
    receipt, filed_receipt = filed.receipt, filed.revision.receipt
    return Refusal(
        "layout-for-other-answers", receipt=receipt, filed_receipt=filed_receipt, latest_receipt=latest.receipt
    )


def _locked_revision(actor: Person, filing: LayoutFiling, verb: str, version: int) -> LayoutRevision:
    """Return the latest revision of the filing, locked for this step, if the filing has the person's version."""
    filing = workflow.lock_row(filing)
    workflow.check_version(filing, version, verb)
    permissions.require(actor, verb, filing)
    return filing.revisions.select_related("filing__submission", "drawing__inspection", "revision").latest("number")


def _decide(
    actor: Person, filed: LayoutRevision, verb: str, version: int, reason: str, named: Sequence[dict[str, str]] = ()
) -> LayoutDecision:
    filing = filed.filing
    workflow.apply_transition(filing, verb, version=version, reason=reason)
    decision = LayoutDecision.objects.create(
        layout_revision=filed, kind=KINDS[verb], elements=list(named), reason=reason, by=actor, at=timezone.now()
    )
    after: dict[str, Any] = {"filing": filing.number, "receipt": filed.receipt, "sha256": layout_digest(filed)}
    after |= {"elements": named} if named else {}
    done = workflow.LAYOUT_TRANSITIONS[verb].done
    record_event(actor, filing.submission, done, reason=reason, after=after, seals=(filing, decision))
    return decision


def _named(element: Element, text: str) -> dict[str, str]:
    return {"key": element.key, "element": element.name, "citation": element.citation, "text": text}


def shown_drawing(person: Person, filing: LayoutFiling, revision: LayoutRevision | None) -> LayoutDrawing | None:
    """Return the drawing in preparation, for its licensee; else the one that was filed last (`revision`)."""
    drawings = drawings_visible_to(person, filing).select_related("inspection", "revision", "uploaded_by")
    if revision and (person.at_regulator or not filing.editable):
        return drawings.get(pk=revision.drawing_id) if revision.drawing_id else None
    return drawings.first()


def shown_elements(
    person: Person, filing: LayoutFiling, revision: LayoutRevision | None, read: LayoutInspection
) -> list[Element]:
    """Return the elements: for the Board with its judgments, else only with the inspection and the marks."""
    if revision and person.at_regulator:
        return element_states(revision)
    frozen = revision and not filing.editable
    marks = revision.marks if revision and frozen else read.drawing.marks.values("element", *PLACE)
    return element_statuses(read.report, marks)


def shown_differences(person: Person, revision: LayoutRevision | None, read: LayoutInspection) -> list[Element]:
    """Return the differences as elements, but those of odds; for the Board with its decisions."""
    if revision and person.at_regulator:
        return difference_states(revision)
    return difference_statuses(read.report, ())


def layout_digest(filed: LayoutRevision) -> str:
    """Return the SHA-256 of the receipt, the parts and the drawing, in hexadecimal."""
    drawing = filed.drawing.stored_id if filed.drawing else ""
    return digest({"receipt": filed.receipt, "shown": filed.shown, "drawing": drawing})
