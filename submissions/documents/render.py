"""A record as a tagged PDF/A-3a with the record attached: to be sealed, or marked DRAFT on every page and never stored.

The same record gives the same bytes. Not here: the content and its wording (`document_record`, `context`), how a page
becomes a PDF (`weasyprint_pdf`), the seal (`signed_pdf`).
"""

from datetime import datetime

from django.template.loader import render_to_string

from submissions.core.canonical_json import canonical_json
from submissions.documents.context import document_context
from submissions.documents.document_record import DocumentRecord
from submissions.documents.signed_pdf import add_field
from submissions.documents.weasyprint_pdf import RenderedPdf, attached_file, render_pages, write_pdf


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
