"""Whether an approved version is in force, superseded or withdrawn today: what an inspector asks first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from submissions.models import Decision, Document, Status


@dataclass(frozen=True, slots=True)
class Standing:
    """`state` is one of in-force, superseded, withdrawn; `label` says it, `detail` since when or by what."""

    state: str
    label: str
    approved_at: datetime
    detail: str = ""
    successor: Document | None = None


def standing(document: Document) -> Standing:
    """The document's place among the approved versions of its licensee and chapter."""
    submission = document.revision.submission
    approved_at = document.revision.decisions.get(kind=Decision.Kind.APPROVE).at
    later = (
        Document.objects.filter(
            revision__submission__organisation=submission.organisation,
            revision__submission__chapter=submission.chapter,
            revision__decisions__kind=Decision.Kind.APPROVE,
            revision__decisions__at__gt=approved_at,
        )
        .exclude(pk=document.pk)
        .order_by("-revision__decisions__at")
        .first()
    )
    if later:
        return Standing(
            "superseded", "Superseded", approved_at, f"Replaced by {later.revision.receipt}.", successor=later
        )
    if submission.status == Status.WITHDRAWN:
        return Standing("withdrawn", "Withdrawn", approved_at, "The licensee has withdrawn the submission.")
    return Standing("in-force", "In force", approved_at)
