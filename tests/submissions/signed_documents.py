"""An approved revision with its evidence, and a sealed PDF of two pages as its document.

Seal, verification and storage are the same for few pages. By the real job: `test_produced_document`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from asn1crypto import x509
from django.db import transaction
from django.utils import timezone

from submissions.audit.record import record_event
from submissions.core.digests import canonical_json, digest
from submissions.documents import signing_keys
from submissions.documents.document_record import DocumentRecord, document_record
from submissions.documents.signed_pdf import SignedPdf, add_field, sign_pdf
from submissions.documents.submission_document import attached_files, store_document
from submissions.documents.verify import Verification, verify
from submissions.documents.weasyprint_pdf import RenderedPdf, render_pages, write_pdf
from submissions.jobs import leases
from submissions.models import (
    Decision,
    Document,
    Job,
    Organization,
    Person,
    Revision,
    Simulation,
    Status,
    Submission,
    Version,
)
from tests.submissions.documents import sample

FILED = datetime(2026, 11, 18, 19, 2, tzinfo=UTC)
RECOMMENDED = datetime(2026, 11, 19, 15, 15, tzinfo=UTC)
APPROVED = datetime(2026, 11, 20, 14, 14, tzinfo=UTC)
TWO_PAGES = """<html lang="en-US"><title>Rules Submission</title>
<link rel="stylesheet" href="static:documents/document.css"><body><h1>Rules Submission</h1>
<p id="seal" style="break-before: page; width: 8cm; height: 2cm">Seal</p></body></html>"""


@pytest.fixture
def filed(casino: Organization, manager: Person) -> Revision:
    return filed_revision(casino, manager)


@pytest.fixture
def approved(filed: Revision, analyst: Person, director: Person) -> Revision:
    return approve(filed, analyst, director)


def filed_revision(casino: Organization, manager: Person) -> Revision:
    """A revision with one answer, and its evidence."""
    submission = Submission.objects.create(
        number="RS-2026-00001", organization=casino, chapter="687a", status=Status.FILED, created_by=manager
    )
    short = sample.short_configuration()
    content = sample.snapshot([short])
    revision = Revision.objects.create(
        submission=submission,
        number=1,
        receipt=content["receipt"],
        snapshot=canonical_json(content),
        sha256=digest(content),
        rules_digest=content["rules_digest"],
        engine=content["engine"],
        attestation=content["attestation"],
        filed_by=manager,
        filed_at=FILED,
    )
    Simulation.objects.create(
        revision=revision,
        seed=4_611_686_018_427,
        rounds=20_000_000,
        block_rounds=1_000_000,
        analysis=sample.analysis(short["offered"]),
        result=sample.result(short["offered"]),
        passed=True,
        finished_at=FILED,
    )
    return revision


def approve(filed: Revision, analyst: Person, director: Person) -> Revision:
    """Recommend and approve it, at fixed times."""
    for kind, by, at in (("recommend", analyst, RECOMMENDED), ("approve", director, APPROVED)):
        Decision.objects.create(revision=filed, kind=kind, by=by, at=at)
    in_force(filed, director, APPROVED)
    with transaction.atomic():
        record_event(director, filed.submission, "approved", after={"receipt": filed.receipt, "sha256": filed.sha256})
    Submission.objects.filter(pk=filed.submission_id).update(status=Status.APPROVED)
    filed.submission.refresh_from_db()
    return filed


def in_force(revision: Revision, director: Person, at: datetime) -> Version:
    """The version of an approval at this time, in effect from the same day."""
    return Version.objects.create(
        organization=revision.submission.organization,
        chapter=revision.submission.chapter,
        from_day=timezone.localdate(at),
        revision=revision,
        by=director,
        made_at=at,
    )


@pytest.fixture
def the_record(approved: Revision) -> DocumentRecord:
    return document_record(approved)


def lease_on(revision: Revision) -> leases.Lease:
    job = Job.objects.create(kind=Job.Kind.DOCUMENT, subject=revision.pk, not_before=timezone.now())
    lease = leases.take_lease(job.pk)
    assert lease is not None
    return lease


@dataclass(frozen=True, slots=True)
class Example:
    """A sealed PDF with the sample's record, made once for all tests that only look at it."""

    record: DocumentRecord
    rendered: RenderedPdf
    signed: bytes
    roots: tuple[x509.Certificate, ...]
    seals: tuple[str, ...]  # fingerprints
    found: Verification


@pytest.fixture(scope="session")
def example(key_folder: Path) -> Example:
    content = sample.record()
    rendered, seal = two_pages(content), signing_keys.demo_seal(key_folder)
    what = f"Rules Submission {content['snapshot']['receipt']}"
    signed = sign_pdf(rendered.content, what, content["approved"]["by"], seal)
    found = verify(signed, seal.roots, (seal.sha256,))
    return Example(content, rendered, signed, seal.roots, (seal.sha256,), found)


def two_pages(record: DocumentRecord, chapter: Mapping[str, object] | None = None) -> RenderedPdf:
    """A page, and one with room for the seal, with the record attached: the full validation visits every object."""
    pages = render_pages(TWO_PAGES)
    return RenderedPdf(add_field(write_pdf(pages, *attached_files(record, chapter)), pages), len(pages.pages))


@pytest.fixture
def document(approved: Revision, example: Example) -> Document:
    return stored_document(approved, example)


def stored_document(approved: Revision, example: Example) -> Document:
    """The example as stored for an approved revision; the job that makes documents is tested by itself."""
    with transaction.atomic():
        return store_document(approved, example.record, SignedPdf(example.rendered, example.signed, example.found))


@pytest.fixture
def signed(document: Document) -> bytes:
    return bytes(document.signed.content)
