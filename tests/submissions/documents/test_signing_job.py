"""The job: one document per revision, verified before it is kept, told in the history."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from submissions.audit.hash_chain import verify_chain
from submissions.core.errors import Refusal
from submissions.core.log_context import job_context
from submissions.documents.document_record import document_record, sealed_record
from submissions.documents.log_proof import check_log_proof, check_log_proof_isolated
from submissions.documents.render import render
from submissions.documents.signing_job import produce_document
from submissions.jobs.leases import LeaseLost
from submissions.models import Document, Event, Job, Revision, Simulation, StoredFile
from submissions.transparency.log_key import log_verifier
from tests.submissions.signed_documents import lease_on


@pytest.fixture(autouse=True)
def _own_log_key(settings: Settings, tmp_path: Path) -> None:
    settings.LOG_KEY = str(tmp_path / "log.pem")


def test_approved_revision_gets_one_verified_document(approved: Revision) -> None:
    produce_document(lease_on(approved))
    (document,) = Document.objects.select_related("signed")
    content = bytes(document.signed.content)
    assert hashlib.sha256(content).hexdigest() == document.signed_id
    assert document.unsigned_sha256 == render(sealed_record(approved)).sha256
    assert document.verification["good"] is True
    assert document.demo is True
    assert document.signer == "DEMO seal of the Rules Submission Portal"
    approval, introduced, event = Event.objects.order_by("sequence")
    assert (approval.verb, introduced.verb, event.verb) == ("approved", "seal-introduced", "signed")
    assert event.actor is None
    assert event.after["sha256"] == document.signed_id
    assert verify_chain() == (3, None)
    proof = check_log_proof(content, log_verifier())
    assert (proof.entry, proof.size, proof.problem) == (1, 1, "")
    assert check_log_proof_isolated(content, log_verifier()) == proof


def test_line_of_the_log_leads_from_the_request_to_the_document(
    approved: Revision, caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: Any
) -> None:
    caplog.set_level(logging.INFO)
    lease = lease_on(approved)
    with job_context(lease.job.pk, "of-the-approval"), django_capture_on_commit_callbacks(execute=True):
        produce_document(lease)
    (line,) = [line for line in caplog.records if Document.objects.get().signed_id in line.getMessage()]
    assert (line.request_id, line.job, approved.receipt in line.getMessage()) == ("of-the-approval", lease.job.pk, True)


def test_proof_of_another_log_or_record_is_refused(approved: Revision, settings: Settings, tmp_path: Path) -> None:
    record = sealed_record(approved)
    changed = {**record, "snapshot": {**record["snapshot"], "attestation": "Nobody attested this."}}
    assert "about something else" in check_log_proof(render(changed).content, log_verifier()).problem
    assert check_log_proof(render(document_record(approved)).content, log_verifier()).entry == 0
    assert "cannot be read" in check_log_proof(b"%PDF-1.7", log_verifier()).problem
    content = render(record).content
    settings.LOG_KEY = str(tmp_path / "another.pem")
    assert "no valid signature" in check_log_proof(content, log_verifier()).problem


def test_second_delivery_changes_nothing(document: Document, approved: Revision) -> None:
    produce_document(lease_on(approved))
    assert list(Document.objects.all()) == [document]
    assert StoredFile.objects.count() == 1
    assert Event.objects.filter(verb="signed").count() == 1


def test_worker_that_lost_its_lease_stores_nothing(approved: Revision) -> None:
    lease = lease_on(approved)
    Job.objects.filter(pk=lease.job.pk).update(fence=lease.fence + 1)
    with pytest.raises(LeaseLost):
        produce_document(lease)
    assert not Document.objects.exists()
    assert not StoredFile.objects.exists()


def test_revision_that_is_not_approved_is_refused(filed: Revision) -> None:
    with pytest.raises(Refusal) as refusal:
        produce_document(lease_on(filed))
    assert refusal.value.code == "not-approved"


def test_approval_without_evidence_is_refused(approved: Revision) -> None:
    Simulation.objects.update(analysis=None)
    with pytest.raises(Refusal) as refusal:
        produce_document(lease_on(approved))
    assert refusal.value.code == "evidence-missing"


def test_damaged_filing_is_refused(approved: Revision) -> None:
    damaged = Revision(pk=approved.pk, snapshot=approved.snapshot + " ", sha256=approved.sha256, receipt="R")
    with pytest.raises(Refusal) as refusal:
        document_record(damaged)
    assert refusal.value.code == "snapshot-damaged"
