"""The example's layout, sign and guide: filed with the portal's own drawing, waiting for the Board's review."""

from __future__ import annotations

from collections.abc import Callable

from portal.demo import cast
from submissions.actions import layout_drawings, layouts
from submissions.models import Job, LayoutFiling, LayoutStatus, Part, Submission

Wait = Callable[[Job.Kind, int], None]


def file(submission: Submission, wait: Wait, say: Callable[[str], None]) -> LayoutFiling:
    """The filing; interrupted, it goes on from where it stands."""
    manager = cast.one("manager", "east")
    filing = submission.layout_filings.order_by("pk").first()
    if filing is None:
        filing = layouts.start(manager, submission, 0, list(Part))
    if filing.status == LayoutStatus.DRAFT:
        drawing = filing.drawings.first() or layout_drawings.take_reference(manager, filing)
        wait(Job.Kind.INSPECT, drawing.pk)
        layouts.file(manager, filing, version=filing.version)
        say(f"{filing.number}: layout, payout sign and gaming guide filed by the {manager.name}")
    return filing
