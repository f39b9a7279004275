"""The job: one document per revision, verified before it is kept, told in the history."""

from __future__ import annotations

import hashlib
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from submissions.audit.chain import GENESIS, link_of, seal_event
from submissions.audit.hash_chain import verify_chain
from submissions.core.dates import short_moment
from submissions.core.errors import Refusal
from submissions.core.log_context import job_context
from submissions.documents.checkpoint_seal import make_seal
from submissions.documents.document_record import document_record, sealed_record
from submissions.documents.paper_checkpoint import check_paper, check_paper_isolated, history_problem
from submissions.documents.render import render
from submissions.documents.signing_job import produce_document
from submissions.documents.signing_keys import demo_seal, load_seal
from submissions.jobs.leases import LeaseLost
from submissions.models import Checkpoint, Document, Event, Job, Revision, Simulation, StoredFile, append_only
from tests.submissions.signed_documents import lease_on


def test_approved_revision_gets_one_verified_document(approved: Revision) -> None:
    produce_document(lease_on(approved))
    (document,) = Document.objects.select_related("signed")
    content = bytes(document.signed.content)
    assert hashlib.sha256(content).hexdigest() == document.signed_id
    assert document.unsigned_sha256 == render(sealed_record(approved)).sha256
    assert document.verification["good"] is True
    assert document.demo is True
    assert document.signer == "DEMO seal of the Rules Submission Portal"
    events = list(Event.objects.order_by("sequence"))
    assert [event.verb for event in events] == ["approved", "seal-introduced", "checkpoint-made", "signed"]
    event = events[-1]
    assert event.actor is None
    assert event.after["sha256"] == document.signed_id
    assert verify_chain() == (4, None)
    seal = load_seal()
    paper = check_paper(content, seal.roots, [seal.sha256])
    assert (paper.sequence, paper.link, paper.problem) == (1, Checkpoint.objects.get().link, "")
    assert (paper.authority, history_problem(paper)) == ("DEMO timestamp authority", "")
    assert check_paper_isolated(content, seal.roots, [seal.sha256]) == paper


def test_line_of_the_log_leads_from_the_request_to_the_document(
    approved: Revision, caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: Any
) -> None:
    caplog.set_level(logging.INFO)
    lease = lease_on(approved)
    with job_context(lease.job.pk, "of-the-approval"), django_capture_on_commit_callbacks(execute=True):
        produce_document(lease)
    (line,) = [line for line in caplog.records if Document.objects.get().signed_id in line.getMessage()]
    assert (line.request_id, line.job, approved.receipt in line.getMessage()) == ("of-the-approval", lease.job.pk, True)


def test_checkpoint_of_another_record_event_or_seal_is_refused(approved: Revision, tmp_path: Path) -> None:
    seal, other = load_seal(), demo_seal(tmp_path / "other-keys")
    record = sealed_record(approved)
    history = record["history"]

    def problem(**changed: object) -> str:
        return check_paper(render({**record, **changed}).content, seal.roots, [seal.sha256]).problem

    def of_history(**changed: object) -> str:
        return problem(history={**history, **changed})

    assert problem() == ""
    assert "about something else" in problem(snapshot={**record["snapshot"], "attestation": "Nobody attested this."})
    assert "not the one that its checkpoint seals" in of_history(code="0" * 64)
    assert "not the one that its checkpoint seals" in of_history(
        event={**history["event"], "verb": "approved", "at": ""}
    )
    assert "cannot be read" in of_history(checkpoint={})
    forged = make_seal(1, history["checkpoint"]["link"], other)
    assert "timestamp is not valid" in of_history(checkpoint={**history["checkpoint"], "seal": forged})
    assert check_paper(render(document_record(approved)).content, seal.roots, [seal.sha256]).sequence == 0
    assert "cannot be read" in check_paper(b"%PDF-1.7", seal.roots, [seal.sha256]).problem


def test_page_of_the_document_says_when_its_approval_was_timestamped(approved: Revision, client: Client) -> None:
    produce_document(lease_on(approved))
    document = Document.objects.get()
    page = " ".join(client.get(f"/verify/{document.signed_id}").content.decode().split())
    at = short_moment(datetime.fromisoformat(document.verification["history"]["at"]))
    assert f"history on {at}, when DEMO timestamp authority timestamped it. If that event" in page.replace(
        "&nbsp;", " "
    )


def test_papers_find_a_history_that_was_written_again_with_all_keys(
    approved: Revision, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole chain, the tip and the checkpoints are made again by who has everything but the papers."""
    produce_document(lease_on(approved))
    paper, stranger = tmp_path / "held.pdf", tmp_path / "other.pdf"
    paper.write_bytes(bytes(Document.objects.get().signed.content))
    stranger.write_bytes(b"%PDF-1.7")

    def verified() -> tuple[int, str]:
        try:
            call_command("verify_history", "--against", str(paper))
        except SystemExit as ended:
            return int(str(ended.code)), "".join(capsys.readouterr())
        return 0, "".join(capsys.readouterr())

    assert "held.pdf" not in verified()[1]  # rows of fixtures that no event recorded are named, the paper is not
    append_only.drop(connection)
    try:
        Checkpoint.objects.all().delete()
        link = GENESIS
        for event in Event.objects.exclude(verb="checkpoint-made").order_by("sequence"):
            event.reason = "never so" if event.verb == "approved" else event.reason
            seal_event(event, link)
            event.save()
            link = link_of(event.digest, event.mac)
    finally:
        append_only.create(connection)
    status, words = verified()
    assert status == 1
    assert "held.pdf: event 1, or one before it, is not the one that was sealed at" in words
    with pytest.raises(SystemExit, match="2"):
        call_command("verify_history", "--against", str(tmp_path / "missing.pdf"))
    with pytest.raises(SystemExit, match="1"):
        call_command("verify_history", "--against", str(stranger))
    assert "other.pdf: it proves nothing." in "".join(capsys.readouterr())


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
