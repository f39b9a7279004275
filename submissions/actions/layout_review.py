"""What the Board says of a layout filing (§ 601a.10): element by element, notice of deficiencies, report, decision.

The Bureau of Gaming Operations reviews and reports within 15 calendar days (`layouts.clock`); the Executive Director
decides. Layout and Rules Submission are approved for each other: only for the answers that are approved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from submissions import access, workflow
from submissions.actions import jobs
from submissions.actions.history import record
from submissions.actions.wording import clean_text
from submissions.errors import Refusal
from submissions.following import digests
from submissions.laid_out import Element, elements
from submissions.models import (
    Job,
    LayoutDecision,
    LayoutFiling,
    LayoutJudgement,
    LayoutRevision,
    Person,
    Revision,
    Status,
)
from submissions.places import place_of

Kind = LayoutDecision.Kind
KINDS = {"notify": Kind.NOTICE, "recommend": Kind.RECOMMEND, "approve": Kind.APPROVE, "reject": Kind.REJECT}
OF_ODDS = ("different", "missing", "not_in_table")  # differences that the element of the odds stands for


def standings(filed: LayoutRevision) -> list[Element]:
    """Every element of the filed drawing as it stands now; none where the filing has no layout."""
    if filed.drawing is None:
        return []
    judged = filed.judgements.values_list("element", "accepted", "reason")
    return elements(filed.drawing.inspection.report, filed.marks, judged)


def besides(filed: LayoutRevision) -> list[str]:
    """What the drawing shows otherwise and no element stands for, in words."""
    return [one["message"] for one in differences(filed) if one["kind"] not in OF_ODDS]


def differences(filed: LayoutRevision) -> list[dict[str, Any]]:
    """What the drawing shows otherwise than the answers call for, as the inspection found it."""
    found: list[dict[str, Any]] = filed.drawing.inspection.report.get("differences", []) if filed.drawing else []
    return found


def unsettled(filed: LayoutRevision) -> list[Element]:
    """The elements that the Board has still to say something about."""
    return [one for one in standings(filed) if not one.settled]


def judge(actor: Person, filing: LayoutFiling, key: str, *, accepted: bool, reason: str = "") -> LayoutJudgement:
    """Accept an element that the machine could not settle, or not; the latest word counts."""
    with transaction.atomic():
        filing = workflow.locked(filing)
        access.demand(actor, "judge", filing)
        filed = filing.revisions.latest("number")
        found = next((one for one in standings(filed) if one.key == key), None)
        if found is None:
            raise Refusal("layout-element", f"No element {key!r} is called for.", fix="Choose one of the list.")
        reason = clean_text(reason, "The reason")
        if not accepted and not reason:
            raise Refusal(
                "reason-missing", f"“{found.name}” is not accepted without a reason.", fix="Say why in a few words."
            )
        told = LayoutJudgement.objects.create(
            layout_revision=filed, element=key, accepted=accepted, reason=reason, by=actor, at=timezone.now()
        )
        after = {"filing": filing.number, "element": found.name, "accepted": accepted}
        record(actor, filing.submission, "layout-judged", reason=reason, after=after)
    return told


def notify(
    actor: Person, filing: LayoutFiling, *, version: int, deficient: Mapping[str, str], reason: str = ""
) -> LayoutDecision:
    """Give notice of deficiencies (§ 601a.10(d)): the elements with a word on each, or a reason about the whole."""
    reason = clean_text(reason, "The notice")
    with transaction.atomic():
        filed = _open(actor, filing, "notify", version)
        known = {one.key: one for one in standings(filed)}
        if unknown := sorted(deficient.keys() - known.keys()):
            raise Refusal("layout-element", f"No element {unknown[0]!r} is called for.", fix="Choose of the list.")
        if not deficient and not reason:
            raise Refusal(
                "layout-notice-empty",
                "A deficiency notice names what is deficient.",
                fix="Tick the elements that are, or say what is wrong with the filing as a whole.",
            )
        named = [_named(known[key], clean_text(text, "The word")) for key, text in deficient.items()]
        return _decide(actor, filed, "notify", version, reason, named)


def recommend(actor: Person, filing: LayoutFiling, *, version: int, reason: str = "") -> LayoutDecision:
    """Report to the Executive Director that the filing may be approved: every element is found or accepted."""
    with transaction.atomic():
        filed = _open(actor, filing, "recommend", version)
        if left := unsettled(filed):
            raise Refusal(
                "layout-unsettled",
                f"{len(left)} element{'s' if len(left) > 1 else ''} still to be judged: "
                f"{'; '.join(one.name for one in left[:5])}.",
                fix="Accept each, or give notice of what is deficient.",
            )
        reason = clean_text(reason, "The reason")
        if (found := besides(filed)) and not reason:
            raise Refusal(
                "layout-shows-more",
                f"The drawing shows what the answers do not call for: {'; '.join(found[:5])}.",
                fix="Give notice of it, or say in the reason why it may stay.",
                option="reason",
            )
        return _decide(actor, filed, "recommend", version, reason)


def approve(actor: Person, filing: LayoutFiling, *, version: int, reason: str = "") -> LayoutDecision:
    """The Executive Director's approval; the worker makes and seals the papers."""
    with transaction.atomic():
        filed = _open(actor, filing, "approve", version)
        if found := objection(filing, filed):
            raise found
        decision = _decide(actor, filed, "approve", version, clean_text(reason, "The reason"))
        jobs.enqueue(Job.Kind.PAPERS, filing.pk)
    return decision


def reject(actor: Person, filing: LayoutFiling, *, version: int, reason: str) -> LayoutDecision:
    """The Executive Director's no, with reasons: the end of this filing."""
    with transaction.atomic():
        filed = _open(actor, filing, "reject", version)
        return _decide(actor, filed, "reject", version, clean_text(reason, "The reason"))


def objection(filing: LayoutFiling, filed: LayoutRevision) -> Refusal | None:
    """Approved for each other: the answers must be approved, and must call for what was filed. Else why not."""
    submission = filing.submission
    if submission.status != Status.APPROVED:
        return Refusal(
            "layout-before-rules",
            f"{submission.number} is “{submission.get_status_display()}”: its layout is approved with what it is for.",
            fix="Decide on the Rules Submission first.",
        )
    latest: Revision = submission.revisions.latest("number")
    place = place_of(latest.content, filing.group)
    chapter = chapter_of(submission.chapter)
    now = digests(chapter, latest.content["configurations"][place]["answers"]) if place is not None else {}
    if all(digest in now.get(part, ()) for part, digest in filed.shown.items()):
        return None
    return Refusal(
        "layout-for-other-answers",
        f"{filed.receipt} was filed for {filed.revision.receipt}; {latest.receipt} calls for something else.",
        fix="Give notice, so that it is filed anew for the answers that are approved.",
    )


def _open(actor: Person, filing: LayoutFiling, verb: str, version: int) -> LayoutRevision:
    """The filing held for this step, as the person saw it."""
    held = workflow.locked(filing)
    workflow.expect(held, version, verb)
    access.demand(actor, verb, held)
    return held.revisions.select_related("filing__submission", "drawing__inspection", "revision").latest("number")


def _decide(
    actor: Person,
    filed: LayoutRevision,
    verb: str,
    version: int,
    reason: str,
    named: list[dict[str, str]] | None = None,
) -> LayoutDecision:
    filing = filed.filing
    workflow.apply(filing, verb, version=version, reason=reason)
    decision = LayoutDecision.objects.create(
        layout_revision=filed, kind=KINDS[verb], elements=named or [], reason=reason, by=actor, at=timezone.now()
    )
    after = {"filing": filing.number, "receipt": filed.receipt} | ({"elements": named} if named else {})
    record(actor, filing.submission, workflow.LAYOUT_TRANSITIONS[verb].done, reason=reason, after=after)
    return decision


def _named(one: Element, text: str) -> dict[str, str]:
    return {"key": one.key, "element": one.name, "citation": one.citation, "text": text}
