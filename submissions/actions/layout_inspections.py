"""The job that inspects a drawing: read in a process of its own, held against what the answers call for, kept once."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from submissions.actions import jobs
from submissions.errors import Refusal
from submissions.layouts.inspection import inspect, to_json
from submissions.layouts.reading import read
from submissions.layouts.reading.previews import previews
from submissions.layouts.required import required
from submissions.models import LayoutDrawing, LayoutInspection, StoredFile

STEPS = 3


def run(lease: jobs.Lease) -> None:
    """Inspect the drawing that the job is about; nothing, if it is inspected."""
    drawing = LayoutDrawing.objects.select_related("stored", "revision", "filing__submission__organisation").get(
        pk=lease.job.subject
    )
    if LayoutInspection.objects.filter(drawing=drawing).exists():
        return
    pictures: list[bytes] = []
    found: dict[str, Any]
    try:
        lease.beat(0, STEPS, "Reading the drawing")
        report, pictures = _inspected(lease, drawing)
        found = {"report": report}
    except Refusal as refusal:  # an answer as good as another: the file cannot be read, and why
        found = {"refused": refusal.code, "message": refusal.message, "fix": refusal.fix}
    with lease.commit():
        kept = [StoredFile.keep(picture, "image/png").sha256 for picture in pictures]
        LayoutInspection.objects.get_or_create(
            drawing=drawing, defaults={**found, "previews": kept, "made_at": timezone.now()}
        )


def _inspected(lease: jobs.Lease, drawing: LayoutDrawing) -> tuple[dict[str, Any], list[bytes]]:
    content = bytes(drawing.stored.content)
    read_as = read(drawing.name, content)
    lease.beat(1, STEPS, "Looking for what the answers call for")
    filing = drawing.filing
    chapter, answers = chapter_of(filing.submission.chapter), drawing.configuration["answers"]
    needed = required(chapter, answers, positions=filing.positions, licensee=filing.organisation.name)
    report = to_json(inspect(read_as, needed, chapter, answers))
    pages = [[page.width, page.height] for page in read_as.pages]
    lease.beat(2, STEPS, "Making a picture of it")
    return {
        **report, "source": str(read_as.source), "outlined": read_as.outlined, "pages": pages
    }, previews(drawing.name, content)  # fmt: skip
