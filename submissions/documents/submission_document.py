"""The document of a Rules Submission: a record rendered as a tagged PDF/A-3a, and the job that makes the signed one.

The same record and chapter give the same bytes. A job that was killed starts from the beginning; a revision never gets
a second document. Not here: content and wording (`document_record`, `context`), the seal (`signed_pdf`).
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.template.loader import render_to_string
from weasyprint import Attachment

from games.rules.dated_files import ATTACHED_END
from submissions.audit.record import record_event
from submissions.core.configurations import runs_needed
from submissions.core.digests import canonical_json, digest
from submissions.core.errors import Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import DocumentRecord, dated_chapter, document_record, sealed_record
from submissions.documents.signed_pdf import SignedPdf, add_field, seal_pdf
from submissions.documents.weasyprint_pdf import RenderedPdf, attached_file, render_pages, write_pdf
from submissions.jobs.leases import Lease
from submissions.models import Document, Revision


def render_document(
    record: DocumentRecord, chapter: Mapping[str, Any] | None = None, *, draft: bool = False
) -> RenderedPdf:
    """Return the PDF of a record and its chapter; with an empty signature field unless it is a draft."""
    context = {"document": document_context(record), "draft": draft, "has_chapter": chapter is not None}
    pages = render_pages(render_to_string("documents/submission.html", context))
    attached = attached_files(record, chapter)
    content = write_pdf(pages, *attached, made_from=canonical_json([record, chapter]))
    return RenderedPdf(content if draft else add_field(content, pages), len(pages.pages))


def attached_files(record: DocumentRecord, chapter: Mapping[str, Any] | None) -> list[Attachment]:
    """Return the files for one PDF: the record and, where it is known, the chapter (`dated_chapter`)."""
    receipt = record["snapshot"]["receipt"]
    moment = datetime.fromisoformat((record["approved"] or record["snapshot"]["filed"])["at"])
    about = "The Rules Submission as data: answers, paytables, exact and simulated figures, decisions"
    attached = [attached_file(f"{receipt}.json", canonical_json(record).encode(), about, moment)]
    if chapter is not None:
        about = f"Chapter {chapter['number']} as data, in effect on {chapter['rules_on']}: the figures follow from it"
        name = f"{receipt}{ATTACHED_END}"
        attached.append(attached_file(name, canonical_json(chapter).encode(), about, moment))
    return attached


STEPS = 3


def produce_document(lease: Lease) -> None:
    """Make and store the document of the job's revision, unless it exists."""
    revision = Revision.objects.select_related("submission__organization").get(pk=lease.job.subject)
    if Document.objects.filter(revision=revision).exists():
        return
    lease.beat(0, STEPS, "Laying out the pages")
    _refuse_incomplete(revision, document_record(revision))
    content = sealed_record(revision)
    rendered = render_document(content, dated_chapter(revision))
    lease.beat(1, STEPS, "Sealing")
    verifying = partial(lease.beat, 2, STEPS, "Verifying the seal")
    what = f"Rules Submission {revision.receipt}"
    sealed = seal_pdf(rendered, what, content["approved"]["by"], verifying)
    with lease.commit():
        if not Document.objects.filter(revision=revision).exists():
            store_document(revision, content, sealed)


def _refuse_incomplete(revision: Revision, content: DocumentRecord) -> None:
    if content["approved"] is None:
        raise Refusal("not-approved/filing", receipt=revision.receipt)
    runs = content["simulations"]
    complete = all(run["passed"] and run["analysis"] and run["result"] for run in runs)
    if not complete or [run["configuration"] for run in runs] != runs_needed(content["snapshot"]["configurations"]):
        raise Refusal("evidence-missing", receipt=revision.receipt)


def store_document(revision: Revision, content: DocumentRecord, sealed: SignedPdf) -> Document:
    """Store the document's row, its bytes and its event, in the caller's transaction."""
    document = Document.objects.create(revision=revision, **sealed.keep())
    after = {
        "receipt": revision.receipt,
        "sha256": document.signed_id,
        "unsigned_sha256": document.unsigned_sha256,
        "record_sha256": digest(content),
        "signer": document.signer,
    }
    record_event(None, revision.submission, "signed", after=after, seals=(document, document.signed))
    log_stored(revision.receipt, document.signed_id)
    return document


log = logging.getLogger(__name__)


def log_stored(name: str, sha256: str) -> None:
    """Write the line once the caller's transaction is committed. `name`: receipt or number; `sha256`: of the PDF."""
    transaction.on_commit(partial(log.info, "%s: signed document stored, SHA-256 %s", name, sha256))
