"""The document that the job made: verified, with a checkpoint of the history that every paper of it can be held to."""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, TestCase, override_settings
from pytest_django import Settings

from submissions.audit.chain import GENESIS, link_of, seal_event, verify_chain
from submissions.core import append_only
from submissions.core.dates import short_moment
from submissions.core.digests import canonical_json
from submissions.core.log_context import job_context
from submissions.documents.checkpoints import (
    PaperCheckpoint,
    check_paper,
    check_paper_isolated,
    history_problem,
    make_seal,
)
from submissions.documents.document_record import document_record, sealed_record
from submissions.documents.signing_keys import demo_seal, load_seal
from submissions.documents.submission_document import produce_document, render_document
from submissions.models import Checkpoint, Document, Event, Revision
from tests import cast
from tests.submissions.signed_documents import Example, approve, filed_revision, lease_on


@dataclass(frozen=True)
class Produced:
    """An approved revision whose document the job made, the folder with its checkpoint's copy, and the job's log."""

    revision: Revision
    checkpoints: Path
    job: int
    log: list[logging.LogRecord]


@pytest.fixture(scope="module")
def built(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Produced:
    revision = approve(filed_revision(cast.casino(), cast.manager()), cast.analyst(), cast.director())
    folder = tmp_path_factory.mktemp("produced") / "checkpoints"
    lease = lease_on(revision)
    with (
        override_settings(CHECKPOINTS=folder),
        TestCase().assertLogs("submissions", "INFO") as log,
        job_context(lease.job.pk, "of-the-approval"),
        TestCase.captureOnCommitCallbacks(execute=True),
    ):
        produce_document(lease)
    return Produced(revision, folder, lease.job.pk, log.records)


@pytest.fixture
def produced(built: Produced, db: None, settings: Settings, tmp_path: Path) -> Revision:
    settings.CHECKPOINTS = shutil.copytree(built.checkpoints, tmp_path / "checkpoints")
    return Revision.objects.select_related("submission__organization").get(pk=built.revision.pk)


def test_approved_revision_gets_one_verified_document(produced: Revision) -> None:
    (document,) = Document.objects.select_related("signed")
    content = bytes(document.signed.content)
    assert hashlib.sha256(content).hexdigest() == document.signed_id
    assert document.unsigned_sha256 == render_document(sealed_record(produced)).sha256
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


def test_line_of_the_log_leads_from_the_request_to_the_document(built: Produced, produced: Revision) -> None:
    (line,) = [line for line in built.log if Document.objects.get().signed_id in line.getMessage()]
    assert (line.request_id, line.job, produced.receipt in line.getMessage()) == ("of-the-approval", built.job, True)


def test_checkpoint_of_another_record_event_or_seal_is_refused(
    produced: Revision, example: Example, tmp_path: Path
) -> None:
    seal, other = load_seal(), demo_seal(tmp_path / "other-keys")
    record = sealed_record(produced)
    history = record["history"]

    def checked(attached: Mapping[str, object]) -> PaperCheckpoint:
        return check_paper(with_record(example.rendered.content, attached), seal.roots, [seal.sha256])

    def problem(**changed: object) -> str:
        return checked({**record, **changed}).problem

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
    assert checked(document_record(produced)).sequence == 0
    assert "cannot be read" in check_paper(b"%PDF-1.7", seal.roots, [seal.sha256]).problem


def with_record(content: bytes, record: Mapping[str, object]) -> bytes:
    """The PDF with this record attached in place of its own."""
    with pikepdf.open(BytesIO(content)) as pdf:
        (name,) = pdf.attachments
        pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, canonical_json(record).encode(), filename=name)
        written = BytesIO()
        pdf.save(written)
    return written.getvalue()


def test_page_of_the_document_says_when_its_approval_was_timestamped(produced: Revision, client: Client) -> None:
    document = Document.objects.get()
    page = " ".join(client.get(f"/verify/{document.signed_id}").content.decode().split())
    at = short_moment(datetime.fromisoformat(document.verification["history"]["at"]))
    assert f"history on {at}, when DEMO timestamp authority timestamped it. If that event" in page.replace(
        "&nbsp;", " "
    )


@pytest.mark.usefixtures("verifies_here")
def test_papers_find_a_history_that_was_written_again_with_all_keys(
    produced: Revision, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole chain, the tip and the checkpoints are made again by who has everything but the papers."""
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
