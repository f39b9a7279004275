"""The drawing of a layout filing: uploaded, inspected for the answers as they are filed now, its areas marked.

Not here: what is found on it (`layout_inspections`), filing it (`layouts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.rules.model import Answers, Chapter
from games.rules.registry import chapter as chapter_of
from submissions import access, workflow
from submissions.actions import jobs
from submissions.actions.history import record
from submissions.actions.uploads import check_size, clean_name
from submissions.errors import Refusal
from submissions.laid_out import PLACE, elements
from submissions.layouts.reading import admit
from submissions.layouts.table import Caption, layout_svg
from submissions.models import (
    Job,
    LayoutDrawing,
    LayoutFiling,
    LayoutMark,
    Person,
    Revision,
    StoredFile,
)
from submissions.places import place_of
from submissions.terms import in_words

MEDIA = {"svg": "image/svg+xml", "pdf": "application/pdf"}
MOST_MARKS = 200


def subject(filing: LayoutFiling) -> tuple[Chapter, Answers, Revision, int]:
    """What it is filed for now: the chapter, the answers of its group in the latest filing, that filing and place."""
    revision = filing.submission.revisions.latest("number")
    chapter = chapter_of(filing.submission.chapter)
    if chapter.digest != revision.rules_digest:
        raise Refusal(
            "rules-changed",
            f"The rules of chapter {chapter.number} changed after {revision.receipt} was filed.",
            fix="File the Rules Submission anew under the rules of today; the layout follows it.",
        )
    place = place_in(revision, filing.group)
    return chapter, revision.content["configurations"][place]["answers"], revision, place


def upload(actor: Person, filing: LayoutFiling, name: str, content: bytes, *, by_portal: bool = False) -> LayoutDrawing:
    """Check that the file may be read, keep it, and have the worker inspect it."""
    access.demand(actor, "draw", filing)
    if not filing.has_layout:
        raise Refusal("layout-not-asked", f"{filing.number} has no layout in it.", fix="Its papers are the portal's.")
    name = clean_name(name)
    check_size(name, len(content))
    kind = admit(name, content)
    with transaction.atomic():
        filing = workflow.locked(filing)
        access.demand(actor, "draw", filing)  # again: it may have been filed while the file was read
        return _keep(actor, filing, name, kind, content, by_portal=by_portal)


def take_reference(actor: Person, filing: LayoutFiling) -> LayoutDrawing:
    """The portal's own drawing of the table becomes the drawing that is filed."""
    access.demand(actor, "draw", filing)
    chapter, answers, revision, _ = subject(filing)
    caption = Caption(f"{filing.number} for {revision.receipt}", in_words(timezone.localdate()))
    licensee = filing.organisation.name
    svg = layout_svg(chapter, answers, licensee=licensee, caption=caption, positions=filing.positions)
    return upload(actor, filing, f"{filing.number}-reference.svg", svg.encode(), by_portal=True)


def inspect_again(actor: Person, filing: LayoutFiling) -> LayoutDrawing:
    """The same drawing, held against the answers as they are filed now, or read once more."""
    with transaction.atomic():
        filing = workflow.locked(filing)
        access.demand(actor, "draw", filing)
        last = drawing_of(filing)
        content = bytes(last.stored.content)
        again = _keep(actor, filing, last.name, last.kind, content, by_portal=last.by_portal)
        for mark in last.marks.all():
            mark.pk, mark.drawing = None, again
            mark.save()
    return again


def set_positions(actor: Person, filing: LayoutFiling, positions: int) -> None:
    """How many betting positions the tables have; a drawing is inspected anew."""
    most = chapter_of(filing.submission.chapter).max_positions
    if not 1 <= positions <= most:
        raise Refusal(
            "layout-positions",
            f"{positions} betting positions: chapter {filing.submission.chapter} allows 1 to {most}.",
            fix=f"Choose a number from 1 to {most}.",
            option="positions",
        )
    access.demand(actor, "draw", filing)
    LayoutFiling.objects.filter(pk=filing.pk).update(positions=positions)
    filing.positions = positions
    if filing.drawings.exists():
        inspect_again(actor, filing)


def mark(actor: Person, drawing: LayoutDrawing, element: str, place: Mapping[str, float]) -> LayoutMark:
    """Say where on the drawing an element is: a page and a rectangle in shares of it."""
    access.demand(actor, "draw", drawing.filing)
    known = {one.key for one in elements(report_of(drawing), ())}
    if element not in known:
        raise Refusal("layout-element", f"No element {element!r} is called for.", fix="Choose one of the list.")
    _refuse_outside(place, len(report_of(drawing).get("pages", ())) or 1)
    if drawing.marks.count() >= MOST_MARKS:
        raise Refusal("layout-marks", f"{MOST_MARKS} areas are marked already.", fix="Remove some.")
    where = {name: place[name] for name in PLACE}
    return LayoutMark.objects.create(drawing=drawing, element=element, by=actor, at=timezone.now(), **where)


def unmark(actor: Person, drawing: LayoutDrawing, pk: int) -> None:
    """Take a mark back; one that is gone already is no error."""
    access.demand(actor, "draw", drawing.filing)
    drawing.marks.filter(pk=pk).delete()


def drawing_of(filing: LayoutFiling) -> LayoutDrawing:
    """The drawing that the filing has now."""
    drawing = filing.drawings.select_related("stored").first()
    if drawing is None:
        raise Refusal("layout-missing", "There is no drawing yet.", fix="Upload one, or take the reference layout.")
    return drawing


def report_of(drawing: LayoutDrawing) -> dict[str, Any]:
    """What was found on it; a `Refusal` where it is not inspected yet, or cannot be read."""
    inspection = getattr(drawing, "inspection", None)
    if inspection is None:
        raise Refusal("layout-not-inspected", f"“{drawing.name}” is not inspected yet.", fix="Wait a few seconds.")
    if inspection.refused:
        raise Refusal(inspection.refused, inspection.message, fix=inspection.fix)
    report: dict[str, Any] = inspection.report
    return report


def _keep(
    actor: Person, filing: LayoutFiling, name: str, kind: str, content: bytes, *, by_portal: bool
) -> LayoutDrawing:
    _, _, revision, place = subject(filing)
    picture = "image/png" if content.startswith(b"\x89PNG") else "image/jpeg"
    drawing = LayoutDrawing.objects.create(
        filing=filing,
        revision=revision,
        place=place,
        name=name,
        kind=kind,
        stored=StoredFile.keep(content, MEDIA.get(kind, picture)),
        by_portal=by_portal,
        uploaded_by=actor,
        uploaded_at=timezone.now(),
    )
    after = {"filing": filing.number, "name": name, "sha256": drawing.stored_id, "for": revision.receipt}
    record(actor, filing.submission, "layout-drawn", after=after)
    jobs.enqueue(Job.Kind.INSPECT, drawing.pk)
    return drawing


def _refuse_outside(place: Mapping[str, float], pages: int) -> None:
    inside = all(0 <= place[name] <= 1 for name in PLACE[1:]) and place["width"] > 0 < place["height"]
    within = place["left"] + place["width"] <= 1.0001 and place["top"] + place["height"] <= 1.0001
    if not (inside and within and 1 <= place["page"] <= pages and int(place["page"]) == place["page"]):
        raise Refusal(
            "layout-area",
            "The area is not on the drawing.",
            fix=f"Give its page (1 to {pages}) and its edges in percent of the page, from 0 to 100.",
        )


def place_in(revision: Revision, group: int) -> int:
    """Where the filing has that group of tables."""
    place = place_of(revision.content, group)
    if place is None:
        raise Refusal(
            "layout-group-gone",
            f"{revision.receipt} has no such group of tables.",
            fix="Withdraw this filing and start one for the tables that there are.",
        )
    return place
