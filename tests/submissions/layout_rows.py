"""Layout filings for tests: through the actions with the reference drawing, or as rows of any day with any report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from submissions.audit.record import record_event
from submissions.filings import filing as filings
from submissions.jobs import leases
from submissions.layouts import layout_filings as layouts
from submissions.layouts import layout_review
from submissions.layouts import uploaded_drawings as layout_drawings
from submissions.layouts.reference_drawing.drawing_sheet import layout_svg
from submissions.models import (
    Job,
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutRevision,
    LayoutStatus,
    Part,
    Person,
    Revision,
    StoredFile,
    Submission,
)
from submissions.rules import layout_chapter
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file

ALL = (Part.LAYOUT, Part.SIGN, Part.GUIDE)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><text x="10" y="40">%s</text></svg>'
Where = Mapping[str, float]


# Through the actions.


def filed_rules(manager: Person, number: str = "682a") -> Submission:
    """The chapter's example, filed; nothing is simulated."""
    submission = ready_to_file(manager, number)
    filings.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission


def drawn_layout(
    manager: Person, submission: Submission, *, without: Sequence[str] = (), parts: Sequence[str] = ALL
) -> LayoutFiling:
    """A draft with the reference drawing, from which these words were taken, inspected as the worker does it."""
    filing = layouts.start_layout_filing(manager, submission, 0, parts)
    if Part.LAYOUT in parts:
        draw(manager, filing, without=without)
    return filing


def filed_layout(
    manager: Person, submission: Submission, *, without: Sequence[str] = (), parts: Sequence[str] = ALL
) -> LayoutFiling:
    """The same, filed, with a note where something is missing."""
    filing = drawn_layout(manager, submission, without=without, parts=parts)
    layouts.file_layout(manager, filing, version=filing.version, note="As the manufacturer drew it." if without else "")
    filing.refresh_from_db()
    return filing


def draw(manager: Person, filing: LayoutFiling, *, without: Sequence[str] = ()) -> LayoutDrawing:
    """Upload the reference drawing, without these words, and inspect it."""
    chapter, answers, _, _ = layout_drawings.subject_of(filing)
    svg = layout_svg(chapter, answers, licensee=filing.organization.name, positions=filing.positions)
    for words in without:
        assert words in svg
        svg = svg.replace(words, "")
    drawing = layout_drawings.upload_drawing(manager, filing, "felt.svg", svg.encode())
    inspect(drawing)
    return drawing


def approved_papers(cast: Cast, revision: Revision, parts: Sequence[str] = ALL, group: int = 0) -> LayoutFiling:
    """Layout, sign and guide of a group of tables, filed with the reference drawing and approved.

    The drawing is not read, which takes a second: what reading finds in it is tested in `layouts`.
    """
    filing = layouts.start_layout_filing(cast.manager, revision.submission, group, parts)
    if filing.has_layout:
        record_report(layout_drawings.use_reference_drawing(cast.manager, filing), report(element("rack")))
    layouts.file_layout(cast.manager, filing, version=filing.version, note="As drawn.")
    for key in (element.key for element in layout_review.unsettled(filing.revisions.latest("number"))):
        layout_review.judge(cast.analyst, filing, key, accepted=True)
    filing.refresh_from_db()
    layout_review.recommend(cast.analyst, filing, version=filing.version)
    filing.refresh_from_db()
    layout_review.approve(cast.director, filing, version=filing.version)
    filing.refresh_from_db()
    return filing


def inspect(drawing: LayoutDrawing) -> LayoutInspection:
    """What the worker does with the drawing; the same drawing for the same answers is read once in a process."""
    job = Job.objects.get(kind=Job.Kind.INSPECT, subject=drawing.pk)
    leases.run_leased(job.pk, _inspection)
    return LayoutInspection.objects.get(drawing=drawing)


def record_report(drawing: LayoutDrawing, found: Any) -> None:
    """Store the result of the drawing's inspection as the worker does, with this report."""
    job = Job.objects.get(kind=Job.Kind.INSPECT, subject=drawing.pk)
    leases.run_leased(job.pk, lambda lease: _record(lease, drawing, found))


_reports: dict[tuple[Any, ...], Any] = {}


def _inspection(lease: leases.Lease) -> None:
    drawing = LayoutDrawing.objects.get(pk=lease.job.subject)
    filing, answers = drawing.filing, json.dumps(drawing.configuration["answers"], sort_keys=True)
    rules = layout_chapter(filing, drawing.revision).digest
    key = (drawing.stored_id, drawing.kind, rules, answers, filing.positions, filing.organization.name)
    if key not in _reports:
        layout_drawings.run_inspection(lease)
        inspected = LayoutInspection.objects.get(drawing=drawing)
        if inspected.report and not inspected.previews:
            _reports[key] = inspected.report
        return
    _record(lease, drawing, _reports[key])


def _record(lease: leases.Lease, drawing: LayoutDrawing, found: Any) -> None:
    filing = drawing.filing
    with lease.commit():
        row = LayoutInspection.objects.create(drawing=drawing, report=found, made_at=timezone.now())
        after = {"filing": filing.number, "name": drawing.name, "readable": True}
        record_event(None, filing.submission, "layout-inspected", after=after, seals=(row,))


# As rows.


def element(key: str, state: str = "found", *, times: int = 1, needed: int = 1, where: Sequence[Where] = ()) -> Any:
    """One line of an inspection's report."""
    places = [dict(place) for place in where]
    return {
        "key": key, "citation": "§ 682a.2(b)(1)", "element": f"The {key.replace('_', ' ')}", "kind": "area",
        "found": state == "found", "state": state, "times": times, "needed": needed, "where": places,
    }  # fmt: skip


def report(*elements: Any, differences: Sequence[Any] = ()) -> dict[str, Any]:
    return {
        "complete": False, "readable": True, "elements": list(elements), "differences": list(differences),
        "source": "svg", "outlined": False, "pages": [[300, 200]],
    }  # fmt: skip


def on(at: str) -> datetime:
    """Pennsylvania's time."""
    return timezone.make_aware(datetime.fromisoformat(at))


def layout_row(
    revision: Revision,
    *,
    at: str = "2026-11-02T12:00",
    status: LayoutStatus = LayoutStatus.FILED,
    parts: Sequence[str] = ALL,
    found: dict[str, Any] | None = None,
) -> LayoutFiling:
    """A filing of a layout for a filed Rules Submission, filed once."""
    highest = LayoutFiling.objects.order_by("-number").values_list("number", flat=True).first()
    place = int(highest[-5:]) + 1 if highest else 1
    filing = LayoutFiling.objects.create(
        number=f"LF-2026-{place:05}",
        submission=revision.submission,
        parts=[str(part) for part in parts],
        status=status,
        created_by=revision.filed_by,
    )
    filed_again(filing, revision, at=at, found=found)
    return filing


def drawing_row(filing: LayoutFiling, revision: Revision, found: dict[str, Any] | None = None) -> LayoutDrawing:
    """A drawing with what its inspection is to have found."""
    number = filing.drawings.count() + 1
    content = SVG % f"{filing.number} {number}".encode()
    drawing = LayoutDrawing.objects.create(
        filing=filing,
        revision=revision,
        place=0,
        name=f"felt-{number}.svg",
        kind="svg",
        stored=StoredFile.keep(content, "image/svg+xml"),
        uploaded_by=revision.filed_by,
        uploaded_at=timezone.now(),
    )
    LayoutInspection.objects.create(
        drawing=drawing, report=found or report(element("ante"), element("rack", "missing", times=0)),
        made_at=timezone.now(),
    )  # fmt: skip
    return drawing


def filed_again(
    filing: LayoutFiling, revision: Revision, *, at: str, found: dict[str, Any] | None = None
) -> LayoutRevision:
    """The next filing of the same layout; what it shows is of no answers of the portal."""
    number = filing.revisions.count() + 1
    return LayoutRevision.objects.create(
        filing=filing,
        number=number,
        receipt=f"{filing.number}-R{number}",
        revision=revision,
        place=0,
        drawing=drawing_row(filing, revision, found) if filing.has_layout else None,
        shown=dict.fromkeys(filing.parts, "0" * 64),
        filed_by=revision.filed_by,
        filed_at=on(at),
    )


def decided(filing: LayoutFiling, kind: LayoutDecision.Kind, by: Person, *, at: str) -> LayoutDecision:
    """What the Board said of its latest filing, on any day."""
    return LayoutDecision.objects.create(layout_revision=filing.revisions.latest("number"), kind=kind, by=by, at=on(at))
