"""The job that makes the signed document of an approved revision: rendered, sealed, verified, stored, once.

A job that was killed starts from the beginning. Everything is stored in one transaction under the lease, and a revision
never gets a second document.
"""

from functools import partial

from submissions.audit.record import record_event
from submissions.core.canonical_json import digest
from submissions.core.configuration_index import runs_needed
from submissions.core.errors import Refusal
from submissions.documents.document_log import log_stored
from submissions.documents.document_record import DocumentRecord, document_record, sealed_record
from submissions.documents.render import render
from submissions.documents.signed_pdf import SignedPdf, seal_pdf
from submissions.jobs.leases import Lease
from submissions.models import Document, Revision

STEPS = 3


def produce_document(lease: Lease) -> None:
    """Make and store the document of the job's revision, unless it exists."""
    revision = Revision.objects.select_related("submission__organization").get(pk=lease.job.subject)
    if Document.objects.filter(revision=revision).exists():
        return
    lease.beat(0, STEPS, "Laying out the pages")
    _refuse_incomplete(revision, document_record(revision))
    content = sealed_record(revision)
    rendered = render(content)
    lease.beat(1, STEPS, "Sealing")
    verifying = partial(lease.beat, 2, STEPS, "Verifying the seal")
    what = f"Rules Submission {revision.receipt}"
    sealed = seal_pdf(rendered, what, content["approved"]["by"], verifying)
    with lease.commit():
        if not Document.objects.filter(revision=revision).exists():
            store_document(revision, content, sealed)


def _refuse_incomplete(revision: Revision, content: DocumentRecord) -> None:
    """Raise `Refusal` unless the revision is approved and its evidence is complete."""
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
