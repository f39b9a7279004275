"""A licensee's filing of a layout (§ 601a.10): started, filed, filed again after a notice, withdrawn.

Not here: its drawing (`uploaded_drawings`), the Board's review (`layout_review`).
"""

import uuid
from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils import timezone

from games.rules.model import Answers, Chapter
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.layouts.required_elements import ODDS, PLACE, element_statuses
from submissions.layouts.required_facts import facts_shown
from submissions.layouts.uploaded_drawings import drawing_of, place_in, report_of, subject_of
from submissions.models import (
    OPEN_LAYOUTS,
    LayoutDrawing,
    LayoutFiling,
    LayoutRevision,
    Part,
    Person,
    Revision,
    Submission,
)
from submissions.permissions import workflow
from submissions.rules import paper_day


@transaction.atomic
def start_layout_filing(
    actor: Person, submission: Submission, group: int, parts: Sequence[str], *, rules_on: date | None = None
) -> LayoutFiling:
    """Return a draft for one group of tables, by the rules of `rules_on`: by default today or its answers' day."""
    submission = workflow.lock_row(submission)
    permissions.require(actor, "lay-out", submission)
    chosen = [str(part) for part in Part if part in parts]
    if not parts:
        raise Refusal("layout-parts")
    if set(parts) - set(chosen):
        allowed = ", ".join(Part.values)
        raise Refusal("layout-parts/unknown", option="parts", parts=", ".join(parts)[:60], allowed=allowed)
    revision = submission.revisions.latest("number")
    place_in(revision, group)
    if open_filing := submission.layout_filings.filter(group=group, status__in=OPEN_LAYOUTS).first():
        raise Conflict("layout-open", number=open_filing.number, status=open_filing.get_status_display())
    day = max(paper_day(revision), rules_on or date.min)
    number = uuid.uuid4().hex[:20]  # replaced below, once the row has a primary key
    filing = LayoutFiling.objects.create(
        number=number, submission=submission, group=group, parts=chosen, rules_on=day, created_by=actor
    )
    filing.number = f"LF-{timezone.localdate().year}-{filing.pk:05d}"
    filing.save(update_fields=["number"])
    after = {"filing": filing.number, "parts": chosen, "rules_on": day.isoformat()}
    record_event(actor, submission, "layout-started", after=after, seals=(filing,))
    return filing


@transaction.atomic
def file_layout(actor: Person, filing: LayoutFiling, *, version: int, note: str = "") -> LayoutRevision:
    """Freeze drawing and marks for the Board; the 15 days begin, or continue after a stop."""
    filing = workflow.lock_row(filing)
    workflow.check_version(filing, version, "file")
    permissions.require(actor, "file", filing)
    note = clean_text(note, "The note")
    chapter, answers, revision, place = subject_of(filing)
    drawing = drawing_of(filing) if filing.has_layout else None
    _refuse_nothing_new(filing, drawing, note)
    if drawing:
        _refuse_unready(drawing, revision, place, note)
    workflow.apply_transition(filing, "file", version=version)
    number = filing.revisions.count() + 1
    filed = LayoutRevision.objects.create(
        filing=filing,
        number=number,
        receipt=f"{filing.number}-R{number}",
        revision=revision,
        place=place,
        drawing=drawing,
        marks=list(drawing.marks.values("element", *PLACE)) if drawing else [],
        shown={part: digest for part, digest in _shown(chapter, answers, drawing).items() if part in filing.parts},
        note=note,
        filed_by=actor,
        filed_at=timezone.now(),
    )
    after = {"filing": filing.number, "receipt": filed.receipt, "for": revision.receipt}
    record_event(actor, filing.submission, "layout-filed", reason=note, after=after, seals=(filing, filed))
    return filed


@transaction.atomic
def withdraw_layout(actor: Person, filing: LayoutFiling, *, version: int, reason: str) -> None:
    """Withdraw the filing, with a reason; it remains in the history."""
    filing = workflow.lock_row(filing)
    workflow.check_version(filing, version, "withdraw")
    permissions.require(actor, "withdraw", filing)
    reason = clean_text(reason, "The reason")
    workflow.apply_transition(filing, "withdraw", version=version, reason=reason)
    verb = "layout-withdrew" if filing.revisions.exists() else "layout-given-up"  # the Board never saw a draft
    record_event(actor, filing.submission, verb, reason=reason, after={"filing": filing.number}, seals=(filing,))


def _refuse_unready(drawing: LayoutDrawing, revision: Revision, place: int, note: str) -> None:
    """Refuse a drawing that is not inspected for these answers, or lacks elements without a note on them."""
    report = report_of(drawing)
    if (drawing.revision_id, drawing.place) != (revision.pk, place):
        raise Refusal("layout-outdated", name=drawing.name, receipt=drawing.revision.receipt, latest=revision.receipt)
    elements = element_statuses(report, drawing.marks.values("element", *PLACE))
    lacking = [element.name for element in elements if element.deficient]
    count = len(lacking) + len(report["differences"])
    if count and not note:
        plural, ending = ("s", "") if count > 1 else ("", "s")
        missing = "; ".join(lacking[:5]) or report["differences"][0]["message"]
        raise Refusal(
            "layout-deficient", option="note", count=count, plural=plural, verb_ending=ending, missing=missing
        )


def _shown(chapter: Chapter, answers: Answers, drawing: LayoutDrawing | None) -> dict[str, str]:
    """Return the digest of each part's facts. A drawing that prints no odds need not match those of the sign."""
    odds = [element for element in report_of(drawing)["elements"] if element["key"] in ODDS] if drawing else []
    repeated = drawing is None or any(element["where"] for element in odds)
    return {part: facts.digest for part, facts in facts_shown(chapter, answers, odds_repeated=repeated).items()}


def _refuse_nothing_new(filing: LayoutFiling, drawing: LayoutDrawing | None, note: str) -> None:
    """Refuse a filing after a deficiency notice without another drawing, other marks or a note."""
    last = filing.revisions.select_related("drawing").first()
    if last is None or note or (drawing and last.drawing and drawing.stored_id != last.drawing.stored_id):
        return
    if drawing and last.drawing and list(drawing.marks.values("element", *PLACE)) != last.marks:
        return
    raise Refusal("layout-unchanged", option="note", receipt=last.receipt)
