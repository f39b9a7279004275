"""The job that makes the signed document of an approved revision: rendered, sealed, verified, stored, once.

Killed anywhere, it starts again from nothing; what is stored is stored in one transaction under the lease, and a
revision that has its document never gets another.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from submissions.actions import history
from submissions.actions.jobs import Lease
from submissions.canonical import digest
from submissions.documents.keys import Seal, seal
from submissions.documents.record import Record, record
from submissions.documents.render import Rendered, render
from submissions.documents.sign import sign
from submissions.documents.verify import Verification, verify
from submissions.errors import Refusal
from submissions.models import Document, Revision, StoredFile

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
    signed = sign(rendered.content, content, our_seal)
    lease.beat(2, STEPS, "Verifying the seal")
    verification = _verified(rendered, signed, our_seal)
    with lease.commit():
        if not Document.objects.filter(revision=revision).exists():
            store(revision, content, rendered, signed, verification)


def _refuse_incomplete(revision: Revision, content: Record) -> None:
    """Only what is approved is sealed, and only with the whole of its evidence."""
    if content["approved"] is None:
        raise Refusal("not-approved", f"{revision.receipt} is not approved.", fix="Only what is approved is sealed.")
    runs = content["simulations"]
    complete = all(run["passed"] and run["analysis"] and run["result"] for run in runs)
    if not complete or len(runs) != len(content["snapshot"]["configurations"]):
        raise Refusal(
            "evidence-missing",
            f"{revision.receipt} lacks exact figures or a passed simulation for one of its configurations.",
            fix="Look at the simulations of this revision; a document without evidence is not sealed.",
        )


def _verified(rendered: Rendered, signed: bytes, our_seal: Seal) -> Verification:
    """The document as anyone will verify it; whatever does not hold stops the job before anything is stored."""
    found = verify(signed, our_seal.roots)
    problems = list(found.problems)
    if not signed.startswith(rendered.content):
        problems.append("The sealed file does not start with the bytes that were laid out.")
    if problems or not found.good:
        raise Refusal(
            "seal-not-verified",
            "The sealed document does not verify, so it was not stored: " + " ".join(problems),
            fix="Check the certificate, the timestamp authority and the root named in the settings, then run it again.",
        )
    return found


def store(
    revision: Revision, content: Record, rendered: Rendered, signed: bytes, verification: Verification
) -> Document:
    """The document's row, its bytes and the event that tells of it; inside the caller's transaction."""
    document = Document.objects.create(
        revision=revision,
        unsigned_sha256=rendered.sha256,
        signed=StoredFile.keep(signed, "application/pdf"),
        pages=rendered.pages,
        signer=verification.signed_by,
        signed_at=datetime.fromisoformat(verification.signed_at),
        verification=verification.as_json(),
        demo=settings.DEMO,
    )
    after = {
        "receipt": revision.receipt,
        "sha256": document.signed_id,
        "unsigned_sha256": rendered.sha256,
        "record_sha256": digest(content),
        "signer": verification.signed_by,
    }
    history.record(None, revision.submission, "signed", after=after)
    return document
