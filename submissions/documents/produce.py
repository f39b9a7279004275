"""The job that makes the signed document of an approved revision: rendered, sealed, verified, stored, once.

Killed anywhere, it starts again from nothing; what is stored is stored in one transaction under the lease, and a
revision that has its document never gets another.
"""

from __future__ import annotations

from submissions.actions import history
from submissions.actions.jobs import Lease
from submissions.canonical import digest
from submissions.documents.keys import seal
from submissions.documents.record import Record, record
from submissions.documents.render import render
from submissions.documents.sealing import Sealed, verified
from submissions.documents.sign import sign
from submissions.errors import Refusal
from submissions.models import Document, Revision
from submissions.places import runs_needed

STEPS = 3


def produce(lease: Lease) -> None:
    """Make and store the document of the revision that the job is about; nothing, if it is there."""
    revision = Revision.objects.select_related("submission__organisation").get(pk=lease.job.subject)
    if Document.objects.filter(revision=revision).exists():
        return
    lease.beat(0, STEPS, "Laying out the pages")
    content = record(revision)
    _refuse_incomplete(revision, content)
    rendered = render(content)
    lease.beat(1, STEPS, "Sealing")
    our_seal = seal()
    signed = sign(rendered.content, f"Rules Submission {revision.receipt}", content["approved"]["by"], our_seal)
    lease.beat(2, STEPS, "Verifying the seal")
    sealed = verified(rendered, signed, our_seal)
    with lease.commit():
        if not Document.objects.filter(revision=revision).exists():
            store(revision, content, sealed)


def _refuse_incomplete(revision: Revision, content: Record) -> None:
    """Only what is approved is sealed, and only with the whole of its evidence."""
    if content["approved"] is None:
        raise Refusal("not-approved", f"{revision.receipt} is not approved.", fix="Only what is approved is sealed.")
    runs = content["simulations"]
    complete = all(run["passed"] and run["analysis"] and run["result"] for run in runs)
    if not complete or [run["configuration"] for run in runs] != runs_needed(content["snapshot"]["configurations"]):
        raise Refusal(
            "evidence-missing",
            f"{revision.receipt} lacks exact figures or a passed simulation for one of its configurations.",
            fix="Look at the simulations of this revision; a document without evidence is not sealed.",
        )


def store(revision: Revision, content: Record, sealed: Sealed) -> Document:
    """The document's row, its bytes and the event that tells of it; inside the caller's transaction."""
    document = Document.objects.create(revision=revision, **sealed.keep())
    after = {
        "receipt": revision.receipt,
        "sha256": document.signed_id,
        "unsigned_sha256": document.unsigned_sha256,
        "record_sha256": digest(content),
        "signer": document.signer,
    }
    history.record(None, revision.submission, "signed", after=after)
    return document
