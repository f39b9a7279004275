"""The job that makes a signed errata report: computed, rendered, sealed, verified, stored, once.

A job that was killed starts from the beginning; the holds that it computed are stored. Everything else is stored in one
transaction under the lease, and a request never gets a second report.
"""

from functools import partial

from games.runs.errata import ErrataReport
from submissions.audit.record import record_event
from submissions.core.canonical_json import digest
from submissions.documents.document_log import log_stored
from submissions.documents.document_record import DocumentRecord
from submissions.documents.errata_pdf import render_errata
from submissions.documents.errata_record import digests_of, errata_record
from submissions.documents.signed_pdf import REQUEST, SignedPdf, seal_pdf
from submissions.evidence.errata_reports import computed_report
from submissions.jobs.leases import Lease
from submissions.models import ErrataDocument, ErrataRequest

SIGNED = "errata-signed"  # the event's verb
STEPS_AFTER = 3  # the chapters: the pages, the seal, its verification


def produce_errata(lease: Lease) -> None:
    """Make and store the report of the job's request, unless it exists."""
    request = ErrataRequest.objects.select_related("by").get(pk=lease.job.subject)
    if ErrataDocument.objects.filter(request=request).exists():
        return
    record = errata_record(request, _computed(lease, request))
    sealed = _sealed(lease, record)
    with lease.commit():
        if not ErrataDocument.objects.filter(request=request).exists():
            _store(request, record, sealed)


def _computed(lease: Lease, request: ErrataRequest) -> list[ErrataReport]:
    reports, total = [], len(request.chapters) + STEPS_AFTER
    for place, number in enumerate(request.chapters):
        lease.beat(place, total, f"Computing the holds of {number}")
        reports.append(computed_report(number))
    return reports


def _sealed(lease: Lease, record: DocumentRecord) -> SignedPdf:
    done = len(record["reports"])
    total = done + STEPS_AFTER
    lease.beat(done, total, "Laying out the pages")
    rendered = render_errata(record)
    lease.beat(done + 1, total, "Sealing")
    verifying = partial(lease.beat, done + 2, total, "Verifying the seal")
    return seal_pdf(rendered, f"Errata report {record['number']}", record["requested"]["by"], REQUEST, verifying)


def _store(request: ErrataRequest, record: DocumentRecord, sealed: SignedPdf) -> None:
    """The report's row, its bytes and its event, in the caller's transaction."""
    document = ErrataDocument.objects.create(
        request=request, digests=digests_of(record["reports"]), record_sha256=digest(record), **sealed.keep()
    )
    after = {
        "number": request.number,
        "sha256": document.signed_id,
        "unsigned_sha256": document.unsigned_sha256,
        "record_sha256": document.record_sha256,
        "signer": document.signer,
    }
    record_event(None, None, SIGNED, after=after, seals=(document, document.signed))
    log_stored(request.number, document.signed_id)
