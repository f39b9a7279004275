"""A record as a tagged PDF/A-3a with the record attached: to be sealed, or marked DRAFT on every page and never stored.

The same record gives the same bytes. Not here: the content and its wording (`document_record`, `context`), how a page
becomes a PDF (`weasyprint_pdf`), the seal (`signed_pdf`).
"""

from datetime import datetime

from django.template.loader import render_to_string
from django.utils import timezone

from games.registry import chapter as chapter_of
from submissions.core.canonical_json import canonical_json
from submissions.documents.context import document_context
from submissions.documents.document_record import DocumentRecord, compose_record, document_record
from submissions.documents.signed_pdf import add_field
from submissions.documents.weasyprint_pdf import RenderedPdf, attached_file, render_pages, write_pdf
from submissions.filings.snapshot import build_snapshot
from submissions.models import Person, Revision, Submission


def render(record: DocumentRecord, *, draft: bool = False) -> RenderedPdf:
    """The PDF of a record; with an empty signature field unless it is a draft."""
    text = canonical_json(record)
    context = {"document": document_context(record), "draft": draft}
    pages = render_pages(render_to_string("documents/submission.html", context))
    attached = attached_file(
        name=f"{record['snapshot']['receipt']}.json",
        content=text.encode(),
        description="The Rules Submission as data: answers, paytables, exact and simulated figures, decisions",
        moment=datetime.fromisoformat((record["approved"] or record["snapshot"]["filed"])["at"]),
    )
    content = write_pdf(pages, attached, made_from=text)
    return RenderedPdf(content if draft else add_field(content, pages), len(pages.pages))


def draft_of_revision(revision: Revision) -> bytes:
    """A filed revision as it would be printed now, with the evidence and decisions so far."""
    return render({**document_record(revision), "approved": None, "verify_at": ""}, draft=True).content


def draft_of_submission(submission: Submission, person: Person) -> bytes:
    """The current answers, for the person who prints them."""
    content = build_snapshot(
        submission,
        chapter_of(submission.chapter),
        number=submission.revisions.count() + 1,
        by=person,
        at=timezone.now(),
        attestation="",
        engine="",  # nothing was computed for it
    )
    return render(compose_record({**content, "receipt": submission.number}), draft=True).content
