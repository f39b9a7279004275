"""The jobs that make PDFs: the sealed papers of an approved layout filing (layout, sign and guide), and drafts.

Each paper is verified and stored once, in one transaction under the lease, so a job that was killed continues with the
next paper. A layout is the drawing that was approved; the portal's own drawing is drawn again for the paper. A draft is
rendered from the content that `draft_queue` stored, marked DRAFT, and stored for a day. Not here: the PDFs themselves
(`paper_pdf`).
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.registry import words as words_of
from games.rules.model import Answers, Chapter
from submissions.audit import record as history
from submissions.core.configurations import tables_text
from submissions.core.errors import Refusal
from submissions.documents.checkpoints import checkpoint_of_approval
from submissions.documents.signed_pdf import SignedPdf, seal_pdf
from submissions.documents.submission_document import log_stored, render_document
from submissions.documents.weasyprint_pdf import RenderedPdf
from submissions.filings.evidence.computations import run_computation
from submissions.filings.snapshot import refuse_damaged
from submissions.jobs.leases import Lease
from submissions.layouts import paper_pdf
from submissions.layouts.draft_queue import SUBMISSION
from submissions.layouts.layout_review import layout_digest
from submissions.layouts.layout_rules import layout_chapter
from submissions.layouts.paper_pdf import FiledDrawing, PaperDetails, guide_pdf, payout_sign_pdf, reference_layout_pdf
from submissions.layouts.readiness import approved_for, digests
from submissions.models import Computation, LayoutDecision, LayoutDrawing, LayoutRevision, Paper, Part, StoredFile
from submissions.rules import chapter_on


@dataclass(frozen=True, slots=True)
class PaperSubject:
    """The data that the papers of a filing are made from."""

    filed: LayoutRevision
    by: dict[str, str]
    chapter: Chapter
    answers: Answers
    details: PaperDetails


def produce_papers(lease: Lease) -> None:
    """Make and store those papers of the job's filing that do not exist yet; no guide if the chapter has no text."""
    decision = _approval(lease.job.subject)
    filed = decision.layout_revision
    subject = _subject(decision)
    there = set(filed.papers.values_list("part", flat=True))
    parts = [part for part in filed.filing.parts if part != Part.GUIDE or words_of(subject.chapter).guide.object]
    left = [part for part in parts if part not in there]
    approved = digests(subject.chapter, subject.answers)
    for part in left:
        if filed.shown.get(part) not in approved[part]:  # the rules changed since the approval
            raise Refusal("rules-changed/paper", part=Part(part).label.lower(), receipt=filed.receipt)
    for part in left:
        lease.beat(parts.index(part), len(parts), f"{Part(part).label}: laying out and sealing")
        sealed = _sealed(subject, part)
        with lease.commit():
            _store(subject, part, sealed, last=part == left[-1])


def _approval(filing: int) -> LayoutDecision:
    """Return the director's approval of the filing; only what is approved is sealed."""
    decisions = LayoutDecision.objects.filter(layout_revision__filing=filing, kind=LayoutDecision.Kind.APPROVE)
    decision = decisions.select_related("layout_revision__filing__submission__organization", "by").last()
    if decision is None:
        raise Refusal("not-approved/layout")
    return decision


def _subject(decision: LayoutDecision) -> PaperSubject:
    filed = decision.layout_revision
    revision, place = approved_for(filed)
    refuse_damaged(revision)
    details = PaperDetails(
        licensee=filed.filing.organization.name,
        day=timezone.localdate(decision.at),
        version=revision.receipt,
        tables=tables_text(revision.content, place),
        filing=filed.receipt,
        filing_sha256=layout_digest(filed),
        history=checkpoint_of_approval(filed.receipt, filed.filing.submission_id),
        demo=settings.DEMO,
    )
    by = {"name": decision.by.name, "role": decision.by.get_role_display()}
    answers = revision.content["configurations"][place]["answers"]
    return PaperSubject(filed, by, layout_chapter(filed.filing, revision), answers, details)


def _sealed(subject: PaperSubject, part: str) -> SignedPdf:
    return seal_pdf(_rendered(subject, part), f"{Part(part).label} {subject.filed.receipt}", subject.by)


def _rendered(subject: PaperSubject, part: str) -> RenderedPdf:
    chapter, answers = subject.chapter, subject.answers
    details = replace(subject.details, verify_at=f"{settings.PUBLIC_URL}/verify/{subject.filed.receipt}-{part}")
    if part == Part.SIGN:
        details = replace(details, in_effect_at=_in_effect_at(subject.filed))
        return paper_pdf.payout_sign_pdf(chapter, answers, details)
    if part == Part.GUIDE:
        return paper_pdf.guide_pdf(chapter, answers, details)
    drawing = subject.filed.drawing
    if drawing is None or drawing.by_portal:
        return paper_pdf.reference_layout_pdf(chapter, answers, details, subject.filed.filing.positions)
    source = FiledDrawing(drawing.name, bytes(drawing.stored.content))
    return paper_pdf.filed_layout_pdf(chapter, answers, details, source, _pictures(drawing))


def _in_effect_at(filed: LayoutRevision) -> str:
    """Return the public page of the rules in effect at this licensee; "" for a sandbox, where nothing is in effect."""
    submission, owner = filed.filing.submission, filed.filing.organization
    return f"{settings.PUBLIC_URL}/in-force/{owner.slug}/{submission.chapter}/" if owner.is_live else ""


def _pictures(drawing: LayoutDrawing) -> list[paper_pdf.PagePicture]:
    """Return the drawing itself if it is an SVG, else the pictures that the inspection made of its pages."""
    if drawing.kind == "svg":
        return [paper_pdf.PagePicture("image/svg+xml", bytes(drawing.stored.content))]
    files = StoredFile.objects.in_bulk(drawing.inspection.previews)
    return [paper_pdf.PagePicture("image/png", bytes(files[digest].content)) for digest in drawing.inspection.previews]


def _store(subject: PaperSubject, part: str, sealed: SignedPdf, *, last: bool) -> None:
    """Store the paper's row and, with the last, the event that names all; inside the caller's transaction."""
    filed = subject.filed
    if Paper.objects.filter(layout_revision=filed, part=part).exists():
        return
    paper = Paper.objects.create(layout_revision=filed, part=part, **sealed.keep())
    log_stored(f"{filed.receipt}, {part}", paper.signed_id)
    if last:
        papers = dict(filed.papers.values_list("part", "signed_id"))
        after = {"filing": filed.filing.number, "receipt": filed.receipt, "papers": papers}
        rows = [row for paper in filed.papers.select_related("signed") for row in (paper, paper.signed)]
        history.record_event(None, filed.filing.submission, "papers-signed", after=after, seals=rows)


def run_draft(lease: Lease) -> None:
    """Run the job of one draft."""
    run_computation(lease, _draft)


def _draft(row: Computation) -> str:
    """Return the PDF in base64."""
    kind, content = row.arguments["kind"], json.loads(row.arguments["content"])
    rendered = render_document(content, draft=True) if kind == SUBMISSION else _paper(kind, content)
    return b64encode(rendered.content).decode()


def _paper(part: str, content: Mapping[str, Any]) -> RenderedPdf:
    chapter, answers = chapter_on(content["chapter"], date.fromisoformat(content["rules_on"])), content["answers"]
    details = PaperDetails(content["licensee"], date.fromisoformat(content["day"]), tables=content["tables"])
    if part == Part.LAYOUT:
        return reference_layout_pdf(chapter, answers, details)
    if part == Part.GUIDE:
        return guide_pdf(chapter, answers, details)
    return payout_sign_pdf(chapter, answers, details, size=content["size"])
