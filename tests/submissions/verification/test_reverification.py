"""Stored documents are answered by their newest verification, which a job makes again once a day."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from submissions.core import append_only
from submissions.core.isolated_process import Failure, IsolatedProcessFailed
from submissions.core.packing import pack
from submissions.documents import signing_keys, verification, verify
from submissions.documents.verification import Identity, examine_stored
from submissions.jobs import leases
from submissions.models import Document, Job, Reverification
from submissions.tasks import run_task
from tests.submissions.signed_documents import APPROVED
from tests.submissions.web.clients import compact, work

LATER = APPROVED + timedelta(days=30)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("jobs_travel"), pytest.mark.service("queries")]


def page(client: Client, document: Document) -> str:
    return compact(client.get(f"/verify/{document.signed_id}").content.decode())


def verify_again(document: Document) -> Reverification:
    assert verification.start_due_reverifications(timezone.now()) == 1
    work()
    return Reverification.objects.get(stored=document.signed)


def test_page_says_when_the_seal_was_verified(client: Client, document: Document) -> None:
    shown = page(client, document)
    assert "<h1>Genuine and unchanged</h1>" in shown
    assert f"The portal last verified the seal on {timezone.localtime(document.signed_at):%B} " in shown
    assert not Job.objects.filter(kind__in=(Job.Kind.VERIFY, Job.Kind.REVERIFY)).exists()


def test_page_of_a_stored_document_starts_no_process(client: Client, document: Document, signed: bytes) -> None:
    """By its address, and where the file itself is sent: a verification takes seconds of a process of its own."""

    def seconds_of_children() -> float:
        return sum(getrusage(RUSAGE_CHILDREN)[:2])

    before = seconds_of_children()
    assert "<h1>Genuine and unchanged</h1>" in page(client, document)
    sent = client.post("/verify/", {"document": SimpleUploadedFile("a.pdf", signed, "application/pdf")})
    assert "<h1>Genuine and unchanged</h1>" in compact(sent.content.decode())
    assert seconds_of_children() == before


def test_document_that_is_due_is_verified_again_once_a_day(client: Client, document: Document) -> None:
    with time_machine.travel(document.signed_at + timedelta(hours=23), tick=False):
        assert verification.start_due_reverifications(timezone.now()) == 0
    with time_machine.travel(document.signed_at + timedelta(hours=25), tick=False):
        row = verify_again(document)
        assert (row.verification["good"], row.verified_at) == (True, timezone.now())
        assert verification.start_due_reverifications(timezone.now()) == 0
    with time_machine.travel(document.signed_at + timedelta(hours=50), tick=False):
        assert verify_again(document).verified_at == timezone.now()
    assert Job.objects.filter(kind=Job.Kind.REVERIFY).count() == 1


def test_few_are_under_way_at_a_time(document: Document) -> None:
    for subject in range(100, 100 + verification.REVERIFIED_AT_A_TIME):
        leases.enqueue(Job.Kind.REVERIFY, subject)
    assert verification.start_due_reverifications(document.signed_at + timedelta(days=2)) == 0


def test_changed_certificates_make_it_due(document: Document, settings: Settings, tmp_path: Path) -> None:
    verified_at = document.signed_at + timedelta(days=30)
    values = {"requested_at": verified_at, "verified_at": verified_at, "verifier": verification.verifier()}
    Reverification.objects.create(stored=document.signed, verification=document.verification, **values)
    with time_machine.travel(verified_at + timedelta(hours=1), tick=False):
        assert verification.start_due_reverifications(timezone.now()) == 0
        settings.KEYS = tmp_path / "keys"
        signing_keys.make_demo_keys(settings.KEYS)
        row = verify_again(document)
        assert (row.verification["good"], row.verification["trusted"]) == (False, False)


def test_newest_verification_that_is_not_good_is_shown(client: Client, document: Document) -> None:
    values = {"requested_at": LATER, "verified_at": LATER, "verifier": "x"}
    problem = {**document.verification, "good": False, "trusted": False, "problems": ["It is not confirmed."]}
    Reverification.objects.create(stored=document.signed, verification=problem, **values)
    shown = page(client, document)
    assert "<h1>Unchanged, but its seal is not valid</h1>" in shown
    assert "It is not confirmed." in shown
    assert f"Verified on {timezone.localtime(LATER):%B} " in shown


def test_verification_that_says_good_without_its_parts_is_not(document: Document) -> None:
    assert verification.verification_of({"good": True}).good is False
    assert verification.verification_of({}).problems == (verification.NO_VERIFICATION,)


def test_stored_bytes_that_were_changed_are_not_good(client: Client, document: Document) -> None:
    append_only.drop(connection)
    try:
        changed, packing = pack(document.signed.content[:-1] + b"x")
        type(document.signed).objects.filter(pk=document.signed_id).update(packed=changed, packing=packing)
    finally:
        append_only.create(connection)
    found = examine_stored(Document.objects.get())
    assert (found.identity, found.good) == (Identity.CHANGED, False)
    assert "The file that the portal stores is not the one that was sealed" in page(client, document)
    assert client.get(f"/verify/{document.signed_id}/document.pdf").status_code == 302
    with time_machine.travel(document.signed_at + timedelta(hours=25), tick=False):
        assert verify_again(document).verification["good"] is False


def test_process_that_fails_is_tried_again_and_fails_closed_at_the_end(
    document: Document, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that is too busy says nothing about the document; one that never can verify it does."""
    monkeypatch.setattr(verify, "_verify_in_child", _fail)
    settings.JOB_ATTEMPTS = 2
    verification.start_due_reverifications(document.signed_at + timedelta(days=2))
    job = Job.objects.get(kind=Job.Kind.REVERIFY)
    run_task(job)
    assert Reverification.objects.get().verified_at is None
    Job.objects.update(not_before=timezone.now(), lease_until=None)
    run_task(job)
    assert Reverification.objects.get().verification["problems"] == [verify.NOT_COMPLETED]


def _fail(*_: object) -> object:
    raise IsolatedProcessFailed(Failure.TIME)
