"""The jobs that make PDFs: the sealed papers of an approved layout filing (layout, sign and guide), and drafts.

Each paper is stored once, in one transaction under the lease, so a job that was killed continues with the next paper. A
draft is rendered from the content that `draft_queue` stored. Not here: the PDFs themselves (`paper_pdf`).
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
from submissions.documents.par_sheet import par_sheet_pdf
from submissions.documents.signed_pdf import SignedPdf, seal_pdf
from submissions.documents.submission_document import log_stored, render_document
from submissions.documents.weasyprint_pdf import RenderedPdf
from submissions.filings.evidence.computations import run_computation
from submissions.filings.snapshot import refuse_damaged
from submissions.jobs.leases import Lease
from submissions.layouts.draft_queue import PAR_SHEET, SUBMISSION
from submissions.layouts.layout_review import layout_digest
from submissions.layouts.paper_pdf import (
    FiledDrawing,
    PagePicture,
    PaperDetails,
    filed_layout_pdf,
    guide_pdf,
    payout_sign_pdf,
    reference_layout_pdf,
)
from submissions.layouts.readiness import approved_for, digests
from submissions.models import Computation, LayoutDecision, LayoutRevision, Paper, Part, StoredFile
from submissions.rules import chapter_on, layout_chapter


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
    approvals = LayoutDecision.objects.filter(
        layout_revision__filing=lease.job.subject, kind=LayoutDecision.Kind.APPROVE
    )
    decision = approvals.select_related("layout_revision__filing__submission__organization", "by").last()
    if decision is None:
        raise Refusal("not-approved/layout")
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
        sealed = seal_pdf(_rendered(subject, part), f"{Part(part).label} {filed.receipt}", subject.by)
        with lease.commit():
            _store(subject, part, sealed, last=part == left[-1])


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


def _rendered(subject: PaperSubject, part: str) -> RenderedPdf:
    chapter, answers = subject.chapter, subject.answers
    details = replace(subject.details, verify_at=f"{settings.PUBLIC_URL}/verify/{subject.filed.receipt}-{part}")
    filing, drawing = subject.filed.filing, subject.filed.drawing
    if part == Part.SIGN:
        if filing.organization.is_live:  # in a sandbox nothing is in effect
            address = f"{settings.PUBLIC_URL}/in-force/{filing.organization.slug}/{filing.submission.chapter}/"
            details = replace(details, in_effect_at=address)
        return payout_sign_pdf(chapter, answers, details)
    if part == Part.GUIDE:
        return guide_pdf(chapter, answers, details)
    if drawing is None or drawing.by_portal:
        return reference_layout_pdf(chapter, answers, details, filing.positions)
    source = FiledDrawing(drawing.name, bytes(drawing.stored.content))
    if drawing.kind == "svg":
        pictures = [PagePicture("image/svg+xml", source.content)]
    else:
        previews = drawing.inspection.previews
        files = StoredFile.objects.in_bulk(previews)
        pictures = [PagePicture("image/png", bytes(files[digest].content)) for digest in previews]
    return filed_layout_pdf(chapter, answers, details, source, pictures)


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
    if kind == PAR_SHEET:
        return b64encode(par_sheet_pdf(content)).decode()
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
