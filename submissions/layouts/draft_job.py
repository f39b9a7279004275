"""The job that makes a draft (PDF): rendered from what `draft_queue` stored of it, marked DRAFT, stored for a day."""

import json
from base64 import b64encode
from collections.abc import Mapping
from datetime import date
from typing import Any

from submissions.documents.render import render
from submissions.documents.weasyprint_pdf import RenderedPdf
from submissions.evidence.computations import run_computation
from submissions.jobs.leases import Lease
from submissions.layouts.draft_queue import SUBMISSION
from submissions.layouts.paper import PaperDetails
from submissions.layouts.paper_pdf import guide_pdf, payout_sign_pdf, reference_layout_pdf
from submissions.models import Computation, Part
from submissions.rules.effective_rules import chapter_on


def run_draft(lease: Lease) -> None:
    """The job of one draft."""
    run_computation(lease, _draft)


def _draft(row: Computation) -> str:
    """The PDF in base64."""
    kind, content = row.arguments["kind"], json.loads(row.arguments["content"])
    rendered = render(content, draft=True) if kind == SUBMISSION else _paper(kind, content)
    return b64encode(rendered.content).decode()


def _paper(part: str, content: Mapping[str, Any]) -> RenderedPdf:
    chapter, answers = chapter_on(content["chapter"], date.fromisoformat(content["rules_on"])), content["answers"]
    details = PaperDetails(content["licensee"], date.fromisoformat(content["day"]), tables=content["tables"])
    if part == Part.LAYOUT:
        return reference_layout_pdf(chapter, answers, details)
    if part == Part.GUIDE:
        return guide_pdf(chapter, answers, details)
    return payout_sign_pdf(chapter, answers, details, size=content["size"])
