"""The drawing of a layout filing: uploaded, inspected by a job for the latest filed answers, its areas marked.

The job reads the drawing in an isolated process, compares it with the answers and stores the result once. Not here: the
comparison itself (`inspection`), filing the drawing (`layout_filings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.rules.model import Answers, Chapter
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.configurations import index_of_group
from submissions.core.dates import date_text
from submissions.core.errors import Busy, Refusal
from submissions.filings.attachments import check_size, clean_name
from submissions.jobs import leases
from submissions.layouts.inspection.findings import to_json, words_of_report
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.recognition.drawing_files import admit, previews, read_drawing
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.layouts.required_elements import PLACE, element_statuses, required_elements
from submissions.models import (
    Job,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutMark,
    Person,
    Revision,
    StoredFile,
)
from submissions.permissions import workflow
from submissions.rules import layout_chapter, refuse_corrected_rules

MEDIA = {"svg": "image/svg+xml", "pdf": "application/pdf"}
MOST_MARKS = 200


def subject_of(filing: LayoutFiling) -> tuple[Chapter, Answers, Revision, int]:
    """Return the chapter on the day of the filing's rules, its group's answers, the latest revision and the place."""
    revision = filing.submission.revisions.latest("number")
    refuse_corrected_rules(revision)
    place = place_in(revision, filing.group)
    return layout_chapter(filing, revision), revision.content["configurations"][place]["answers"], revision, place


@dataclass(frozen=True, slots=True)
class CheckedDrawing:
    """A file that may be read as a drawing."""

    name: str
    kind: str  # svg, pdf, picture
    content: bytes
    by_portal: bool = False

    @property
    def media_type(self) -> str:
        return MEDIA.get(self.kind) or ("image/png" if self.content.startswith(b"\x89PNG") else "image/jpeg")


def check_drawing(actor: Person, filing: LayoutFiling, name: str, content: bytes) -> CheckedDrawing:
    """Return the file, if it may be read; it takes its time, so a caller that opens a transaction does this before."""
    permissions.require(actor, "draw", filing)
    if not filing.has_layout:
        raise Refusal("layout-not-asked", number=filing.number)
    name = clean_name(name)
    check_size(name, len(content))
    return CheckedDrawing(name, admit(name, content), content)


def reference_drawing(actor: Person, filing: LayoutFiling) -> CheckedDrawing:
    """Return the portal's own drawing of the table."""
    permissions.require(actor, "draw", filing)
    chapter, answers, revision, _ = subject_of(filing)
    caption = Caption(f"{filing.number} for {revision.receipt}", date_text(timezone.localdate()))
    licensee = filing.organization.name
    svg = layout_svg(chapter, answers, licensee=licensee, caption=caption, positions=filing.positions)
    checked = check_drawing(actor, filing, f"{filing.number}-reference.svg", svg.encode())
    return replace(checked, by_portal=True)


@transaction.atomic
def store_drawing(
    actor: Person, filing: LayoutFiling, drawing: CheckedDrawing, *, version: int | None = None
) -> LayoutDrawing:
    """Store a checked drawing, and queue its inspection; one that is sent again is the drawing that is there."""
    filing = workflow.lock_row(filing)
    if version is not None:
        workflow.check_version(filing, version)
    permissions.require(actor, "draw", filing)  # again: the filing may have been filed during the check
    return _present_drawing(filing, drawing) or _store(actor, filing, drawing)


def upload_drawing(actor: Person, filing: LayoutFiling, name: str, content: bytes) -> LayoutDrawing:
    """Check that the file may be read, store it, and queue its inspection."""
    return store_drawing(actor, filing, check_drawing(actor, filing, name, content))


def use_reference_drawing(actor: Person, filing: LayoutFiling) -> LayoutDrawing:
    """Use the portal's own drawing of the table as the drawing to file."""
    return store_drawing(actor, filing, reference_drawing(actor, filing))


@transaction.atomic
def inspect_again(actor: Person, filing: LayoutFiling) -> LayoutDrawing:
    """Inspect the same drawing again, for the latest filed answers; its marks are copied."""
    filing = workflow.lock_row(filing)
    permissions.require(actor, "draw", filing)
    last = drawing_of(filing)
    again = _store(actor, filing, CheckedDrawing(last.name, last.kind, bytes(last.stored.content), last.by_portal))
    for mark in last.marks.all():
        mark.pk, mark.drawing = None, again
        mark.save()
    return again


@transaction.atomic
def set_positions(actor: Person, filing: LayoutFiling, positions: int) -> None:
    """Set the number of betting positions of the tables; a drawing is inspected again."""
    chapter = layout_chapter(filing, filing.submission.revisions.latest("number"))
    most = chapter.max_positions
    if not 1 <= positions <= most:
        raise Refusal("layout-positions", option="positions", positions=positions, chapter=chapter.number, most=most)
    filing = workflow.lock_row(filing)
    permissions.require(actor, "draw", filing)
    if filing.positions == positions:
        return
    filing.positions = positions
    filing.save(update_fields=["positions", "changed_at"])
    after = {"filing": filing.number, "positions": positions}
    record_event(actor, filing.submission, "layout-positions", after=after, seals=(filing,))
    if filing.drawings.exists():
        inspect_again(actor, filing)


def mark_element(actor: Person, drawing: LayoutDrawing, element: str, place: Mapping[str, float]) -> LayoutMark:
    """Mark where on the drawing an element is: a page and a rectangle in shares of it."""
    permissions.require(actor, "draw", drawing.filing)
    report = report_of(drawing)
    if element not in [known.key for known in element_statuses(report, ())]:
        raise Refusal("layout-element/mark", element=element)
    _refuse_outside(place, len(report.get("pages", ())) or 1)
    if drawing.marks.count() >= MOST_MARKS:
        raise Refusal("layout-marks", most_marks=MOST_MARKS)
    where = {name: place[name] for name in PLACE}
    return LayoutMark.objects.create(drawing=drawing, element=element, by=actor, at=timezone.now(), **where)


def remove_mark(actor: Person, drawing: LayoutDrawing, pk: int) -> None:
    """Remove a mark; a mark that does not exist is no error."""
    permissions.require(actor, "draw", drawing.filing)
    drawing.marks.filter(pk=pk).delete()


def drawing_of(filing: LayoutFiling) -> LayoutDrawing:
    """Return the filing's current drawing."""
    drawing = filing.drawings.select_related("stored").first()
    if drawing is None:
        raise Refusal("layout-missing")
    return drawing


def report_of(drawing: LayoutDrawing) -> dict[str, Any]:
    """Return the inspection's report; a `Refusal` if the drawing is not inspected yet or cannot be read."""
    inspection = getattr(drawing, "inspection", None)
    if inspection is None:
        raise Refusal("layout-not-inspected", name=drawing.name)
    if inspection.refused:
        raise Refusal(inspection.refused, inspection.message, fix=inspection.fix)
    report: dict[str, Any] = inspection.report
    return report


def _present_drawing(filing: LayoutFiling, checked: CheckedDrawing) -> LayoutDrawing | None:
    """Return the filing's drawing, if it is this file, for the same answers, and can be read; else None."""
    _, _, revision, place = subject_of(filing)
    last = filing.drawings.select_related("inspection").first()
    this = (checked.name, sha256(checked.content).hexdigest(), checked.by_portal, revision.pk, place)
    if last is None or this != (last.name, last.stored_id, last.by_portal, last.revision_id, last.place):
        return None
    inspection = getattr(last, "inspection", None)
    return None if inspection and inspection.refused else last


def _store(actor: Person, filing: LayoutFiling, checked: CheckedDrawing) -> LayoutDrawing:
    _, _, revision, place = subject_of(filing)
    drawing = LayoutDrawing.objects.create(
        filing=filing,
        revision=revision,
        place=place,
        name=checked.name,
        kind=checked.kind,
        stored=StoredFile.keep(checked.content, checked.media_type),
        by_portal=checked.by_portal,
        uploaded_by=actor,
        uploaded_at=timezone.now(),
    )
    after = {"filing": filing.number, "name": drawing.name, "sha256": drawing.stored_id, "for": revision.receipt}
    record_event(actor, filing.submission, "layout-drawn", after=after, seals=(drawing, drawing.stored))
    leases.enqueue(Job.Kind.INSPECT, drawing.pk)
    return drawing


def _refuse_outside(place: Mapping[str, float], pages: int) -> None:
    inside = all(0 <= place[name] <= 1 for name in PLACE[1:]) and place["width"] > 0 < place["height"]
    within = place["left"] + place["width"] <= 1.0001 and place["top"] + place["height"] <= 1.0001
    if not (inside and within and 1 <= place["page"] <= pages and int(place["page"]) == place["page"]):
        raise Refusal("layout-area", pages=pages)


def place_in(revision: Revision, group: int) -> int:
    """Return the place of the group of tables in the revision."""
    place = index_of_group(revision.content, group)
    if place is None:
        raise Refusal("layout-group-gone", receipt=revision.receipt)
    return place


INSPECTION_STEPS = 3


def run_inspection(lease: leases.Lease) -> None:
    """Inspect the job's drawing, unless it is inspected already."""
    related = LayoutDrawing.objects.select_related("stored", "revision", "filing__submission__organization")
    drawing = related.get(pk=lease.job.subject)
    if LayoutInspection.objects.filter(drawing=drawing).exists():
        return
    pictures: list[bytes] = []
    try:
        lease.beat(0, INSPECTION_STEPS, "Reading the drawing")
        report, pictures = _inspected_drawing(lease, drawing)
        result: dict[str, Any] = {"report": report}
    except Busy as busy:  # says nothing about the file
        raise leases.TryLater(busy.message) from busy
    except Refusal as refusal:  # also a result: the file cannot be read, and the reason
        result = {"refused": refusal.code, "message": refusal.message, "fix": refusal.fix}
    with lease.commit():
        files = [StoredFile.keep(picture, "image/png") for picture in pictures]
        result |= {"previews": [file.sha256 for file in files], "made_at": timezone.now()}
        inspection, is_first = LayoutInspection.objects.get_or_create(drawing=drawing, defaults=result)
        if is_first:
            filing = drawing.filing
            after = {"filing": filing.number, "name": drawing.name, "readable": not inspection.refused}
            record_event(None, filing.submission, "layout-inspected", after=after, seals=(inspection, *files))


def _inspected_drawing(lease: leases.Lease, drawing: LayoutDrawing) -> tuple[dict[str, Any], list[bytes]]:
    content = bytes(drawing.stored.content)
    read_as = read_drawing(drawing.name, content)
    lease.beat(1, INSPECTION_STEPS, "Looking for the required elements")
    filing = drawing.filing
    chapter, answers = layout_chapter(filing, drawing.revision), drawing.configuration["answers"]
    needed = required_elements(chapter, answers, positions=filing.positions, licensee=filing.organization.name)
    report = to_json(inspect(read_as, needed, chapter, answers, licensee=filing.organization.name))
    pages = [[page.width, page.height] for page in read_as.pages]
    report |= {"source": str(read_as.source), "outlined": read_as.outlined, "pages": pages}
    report["words"] = words_of_report(read_as)
    lease.beat(2, INSPECTION_STEPS, "Creating a picture of it")
    return report, previews(drawing.name, content)
