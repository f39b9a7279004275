"""The subject of a sealed document, and its status: in effect, scheduled or superseded.

A Rules Submission is in effect by its effective period; a layout, sign or guide, as long as the version in effect
requires exactly what it shows and no later one was approved for that.
"""

from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from submissions.core.configurations import tables_text
from submissions.core.dates import date_text
from submissions.documents.verification import SealedRow
from submissions.filings import versions
from submissions.filings.versions import EffectivePeriod, VersionState, effective_period
from submissions.layouts import readiness
from submissions.layouts.readiness import GroupReadiness, PaperReadiness
from submissions.models import Decision, Document, LayoutRevision, Organization, Paper, Part, Revision, Version


@dataclass(frozen=True, slots=True)
class DocumentSubject:
    """A document's subject; `revision`: the Rules Submission as filed, the document itself or what its paper is for."""

    kind: str  # Rules Submission, Layout, Payout sign, Gaming guide
    is_paper: bool  # one of the latter three
    receipt: str
    filed_at: datetime
    approved_at: datetime
    licensee: str
    organization: Organization
    game: str
    chapter: str
    tables: str  # empty for all tables
    revision: Revision


def subject_of(document: SealedRow) -> DocumentSubject:
    """Return the subject as it was frozen."""
    filed: Revision | LayoutRevision
    if isinstance(document, Document):
        kind, filed, revision, tables = "Rules Submission", document.revision, document.revision, ""
    else:
        filed = document.layout_revision
        revision, place = readiness.approved_for(filed)
        kind, tables = str(Part(document.part).label), tables_text(revision.content, place)
    content = revision.content
    return DocumentSubject(
        kind=kind,
        is_paper=isinstance(document, Paper),
        receipt=filed.receipt,
        filed_at=filed.filed_at,
        approved_at=filed.decisions.get(kind=Decision.Kind.APPROVE).at,
        licensee=content["licensee"]["name"],
        organization=revision.submission.organization,
        game=content["chapter"]["title"],
        chapter=content["chapter"]["number"],
        tables=tables,
        revision=revision,
    )


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """The `state` on a day; `detail`: since when, or why; `successor`: what replaces it."""

    state: VersionState
    detail: str
    successor: SealedRow | None = None


def document_status(document: SealedRow, day: date | None = None) -> DocumentStatus:
    """Return the document's status among those of its licensee's game, today or on another day."""
    day = day or timezone.localdate()
    period = effective_period(Version.objects.get(revision=subject_of(document).revision))
    if isinstance(document, Paper):
        return _of_paper(document, period, day)
    successor = Document.objects.filter(revision__receipt=period.successor).select_related("revision").first()
    return DocumentStatus(period.state(day), period.words(day), successor)


def _of_paper(paper: Paper, own_period: EffectivePeriod, day: date) -> DocumentStatus:
    """Return the paper's status by the version in effect that day, which may not be the one it was made for."""
    version = own_period.version
    current = versions.version_in_effect(version.organization, version.chapter, day)
    if current is None or current.revision is None:
        return DocumentStatus(own_period.state(day), own_period.words(day))
    groups = readiness.readiness_of_revision(current.revision)
    receipt = current.revision.receipt
    if shown_at := [group for group in groups if _at(group, paper).paper == paper]:
        names = ", ".join(group.tables or group.name.lower() for group in shown_at)
        at = f", at {names}" if len(groups) > 1 else ""
        detail = f"It shows what {receipt}, in effect since {date_text(current.from_day)}, requires{at}."
        return DocumentStatus(VersionState.IN_FORCE, detail)
    if own_period.state(day) is VersionState.SCHEDULED:
        return DocumentStatus(VersionState.SCHEDULED, own_period.words(day))
    own = next((group for group in groups if group.group == paper.layout_revision.filing.group), groups[0])
    instead = _at(own, paper)
    if instead.paper:
        detail = f"{instead.paper.name} was approved in its place."
    else:
        why = f" {'; '.join(instead.why)}." if instead.why else ""
        detail = f"{receipt}, in effect today, requires another {str(instead.part.label).lower()}.{why}"
    return DocumentStatus(VersionState.SUPERSEDED, detail, instead.paper)


def _at(group: GroupReadiness, paper: Paper) -> PaperReadiness:
    return next(paper_readiness for paper_readiness in group.parts if paper_readiness.part is Part(paper.part))
