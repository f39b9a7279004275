"""The job: one document per revision, under its lease, recorded in the history."""

from __future__ import annotations

import pytest

from submissions.core.errors import Refusal
from submissions.documents.document_record import document_record
from submissions.documents.submission_document import produce_document
from submissions.jobs.leases import LeaseLost
from submissions.models import Document, Event, Job, Revision, Simulation, StoredFile
from tests.submissions.signed_documents import lease_on

pytestmark = pytest.mark.service("transactions")


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
