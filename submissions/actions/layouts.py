"""A licensee's filing of a layout (§ 601a.10): begun, filed, filed anew after a notice, withdrawn.

Signs and guides of a filing are the portal's own and follow from the answers; only the layout has a drawing
(`layout_drawings`). Not here: what the Board says of it (`layout_review`).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from games.rules.model import Answers, Chapter
from submissions import access, workflow
from submissions.actions.history import record
from submissions.actions.layout_drawings import drawing_of, place_in, report_of, subject
from submissions.actions.wording import clean_text
from submissions.errors import Conflict, Refusal
from submissions.laid_out import PLACE, elements
from submissions.layouts.follows import shown
from submissions.layouts.required import ODDS
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


def start(actor: Person, submission: Submission, group: int, parts: Sequence[str]) -> LayoutFiling:
    """A draft for one group of tables; one at a time is open for a group."""
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "lay-out", submission)
        asked = [str(part) for part in Part if part in parts]
        if not asked or set(parts) - set(asked):
            raise Refusal("layout-parts", "Nothing is chosen to be filed.", fix="Choose layout, payout sign or guide.")
        place_in(submission.revisions.latest("number"), group)
        if found := submission.layout_filings.filter(group=group, status__in=OPEN_LAYOUTS).first():
            raise Conflict(
                "layout-open",
                f"{found.number} is open for these tables: it is “{found.get_status_display()}”.",
                fix=f"Go on with {found.number}, or withdraw it first.",
            )
        filing = LayoutFiling.objects.create(
            number=uuid.uuid4().hex[:20], submission=submission, group=group, parts=asked, created_by=actor
        )
        filing.number = f"LF-{timezone.localdate().year}-{filing.pk:05d}"
        filing.save(update_fields=["number"])
        record(actor, submission, "layout-started", after={"filing": filing.number, "parts": asked})
    return filing


def file(actor: Person, filing: LayoutFiling, *, version: int, note: str = "") -> LayoutRevision:
    """Freeze drawing and marks for the Board; the 15 days begin, or go on where they were stopped."""
    with transaction.atomic():
        filing = workflow.locked(filing)
        workflow.expect(filing, version, "file")
        access.demand(actor, "file", filing)
        note = clean_text(note, "The note")
        chapter, answers, revision, place = subject(filing)
        _refuse_nothing_new(filing, drawing_of(filing) if filing.has_layout else None, note)
        drawing = _ready(filing, revision, place, note) if filing.has_layout else None
        workflow.apply(filing, "file", version=version)
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
        record(actor, filing.submission, "layout-filed", reason=note, after=after)
    return filed


def withdraw(actor: Person, filing: LayoutFiling, *, version: int, reason: str) -> None:
    """Take the filing back, with a reason; it stays in the history."""
    with transaction.atomic():
        filing = workflow.locked(filing)
        workflow.expect(filing, version, "withdraw")
        access.demand(actor, "withdraw", filing)
        reason = clean_text(reason, "The reason")
        workflow.apply(filing, "withdraw", version=version, reason=reason)
        verb = "layout-withdrew" if filing.revisions.exists() else "layout-given-up"  # the Board never saw a draft
        record(actor, filing.submission, verb, reason=reason, after={"filing": filing.number})


def _ready(filing: LayoutFiling, revision: Revision, place: int, note: str) -> LayoutDrawing:
    """The drawing that can be filed: inspected for these very answers; what was not found is explained."""
    drawing = drawing_of(filing)
    report = report_of(drawing)
    if (drawing.revision_id, drawing.place) != (revision.pk, place):
        raise Refusal(
            "layout-outdated",
            f"“{drawing.name}” was inspected for {drawing.revision.receipt}; {revision.receipt} was filed since.",
            fix="Have it inspected again.",
        )
    lacking = [one for one in elements(report, drawing.marks.values("element", *PLACE)) if one.deficient]
    count = len(lacking) + len(report["differences"])
    if count and not note:
        raise Refusal(
            "layout-deficient",
            f"{count} thing{'s' if count > 1 else ''} on the drawing differ{'' if count > 1 else 's'} from what the "
            f"answers call for: {'; '.join([one.name for one in lacking][:5]) or report['differences'][0]['message']}.",
            fix="Mend the drawing, mark where the elements are, or say in the note why it is filed all the same.",
            option="note",
        )
    return drawing


def _shown(chapter: Chapter, answers: Answers, drawing: LayoutDrawing | None) -> dict[str, str]:
    """Part → the digest of what it must show. A drawing that prints no odds does not follow those of the sign."""
    odds = [one for one in report_of(drawing)["elements"] if one["key"] in ODDS] if drawing else []
    repeated = drawing is None or any(one["where"] for one in odds)
    return {part: found.digest for part, found in shown(chapter, answers, odds_repeated=repeated).items()}


def _refuse_nothing_new(filing: LayoutFiling, drawing: LayoutDrawing | None, note: str) -> None:
    """What is filed after a deficiency notice says or shows something that the filing before it did not."""
    last = filing.revisions.select_related("drawing").first()
    if last is None or note or (drawing and last.drawing and drawing.stored_id != last.drawing.stored_id):
        return
    if drawing and last.drawing and list(drawing.marks.values("element", *PLACE)) != last.marks:
        return
    raise Refusal(
        "layout-unchanged",
        f"Nothing was changed since {last.receipt}.",
        fix="Upload the mended drawing, mark the areas that were asked for, or answer the notice in the note.",
        option="note",
    )
