"""The job that inspects a drawing: read in an isolated process, compared with the answers, stored once."""

from typing import Any

from django.utils import timezone

from submissions.audit.record import record_event
from submissions.core.errors import Busy, Refusal
from submissions.jobs import leases
from submissions.layouts.inspection import inspect, to_json
from submissions.layouts.layout_rules import layout_chapter
from submissions.layouts.recognition.drawing_files import previews, read_drawing
from submissions.layouts.required_elements import required_elements
from submissions.layouts.words_read import words_of_report
from submissions.models import LayoutDrawing, LayoutInspection, StoredFile

STEPS = 3


def run_inspection(lease: leases.Lease) -> None:
    """Inspect the job's drawing, unless it is inspected already."""
    drawing = LayoutDrawing.objects.select_related("stored", "revision", "filing__submission__organization").get(
        pk=lease.job.subject
    )
    if LayoutInspection.objects.filter(drawing=drawing).exists():
        return
    pictures: list[bytes] = []
    result: dict[str, Any]
    try:
        lease.beat(0, STEPS, "Reading the drawing")
        report, pictures = _inspected(lease, drawing)
        result = {"report": report}
    except Busy as busy:  # says nothing about the file
        raise leases.TryLater(busy.message) from busy
    except Refusal as refusal:  # also a result: the file cannot be read, and the reason
        result = {"refused": refusal.code, "message": refusal.message, "fix": refusal.fix}
    with lease.commit():
        files = [StoredFile.keep(picture, "image/png") for picture in pictures]
        result |= {"previews": [file.sha256 for file in files], "made_at": timezone.now()}
        inspection, is_first = LayoutInspection.objects.get_or_create(drawing=drawing, defaults=result)
        if is_first:
            _record(inspection, files)


def _record(inspection: LayoutInspection, files: list[StoredFile]) -> None:
    filing = inspection.drawing.filing
    after = {"filing": filing.number, "name": inspection.drawing.name, "readable": not inspection.refused}
    record_event(None, filing.submission, "layout-inspected", after=after, seals=(inspection, *files))


def _inspected(lease: leases.Lease, drawing: LayoutDrawing) -> tuple[dict[str, Any], list[bytes]]:
    content = bytes(drawing.stored.content)
    read_as = read_drawing(drawing.name, content)
    lease.beat(1, STEPS, "Looking for the required elements")
    filing = drawing.filing
    chapter, answers = layout_chapter(filing, drawing.revision), drawing.configuration["answers"]
    needed = required_elements(chapter, answers, positions=filing.positions, licensee=filing.organization.name)
    report = to_json(inspect(read_as, needed, chapter, answers, licensee=filing.organization.name))
    pages = [[page.width, page.height] for page in read_as.pages]
    report |= {"source": str(read_as.source), "outlined": read_as.outlined, "pages": pages}
    report["words"] = words_of_report(read_as)
    lease.beat(2, STEPS, "Creating a picture of it")
    return report, previews(drawing.name, content)
