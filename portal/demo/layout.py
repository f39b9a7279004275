"""The example's layout, sign and guide: filed with the portal's own drawing, waiting for the Board's review."""

from collections.abc import Callable

from portal.demo import cast
from submissions.layouts import layout_filings as filings
from submissions.layouts import uploaded_drawings
from submissions.models import Job, LayoutFiling, LayoutStatus, Part, Submission

Wait = Callable[[Job.Kind, int], None]


def file(submission: Submission, wait: Wait, say: Callable[[str], None]) -> LayoutFiling:
    """The filing; interrupted, it continues from its state."""
    manager = cast.person("manager", "east")
    filing = submission.layout_filings.order_by("pk").first()
    if filing is None:
        filing = filings.start_layout_filing(manager, submission, 0, list(Part))
    if filing.status == LayoutStatus.DRAFT:
        drawing = filing.drawings.first() or uploaded_drawings.use_reference_drawing(manager, filing)
        wait(Job.Kind.INSPECT, drawing.pk)
        filings.file_layout(manager, filing, version=filing.version)
        say(f"{filing.number}: layout, payout sign and gaming guide filed by the {manager.name}")
    return filing
