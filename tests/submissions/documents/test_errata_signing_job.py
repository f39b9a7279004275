"""The signed errata report: who may ask for one, what it states, its seal, and that it is made once."""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.registry import chapter, errata
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.core.errors import Forbidden, Refusal
from submissions.documents.errata_pdf import errata_context, render_errata
from submissions.documents.errata_record import errata_record
from submissions.documents.errata_requests import request_errata
from submissions.evidence.errata_reports import computed_report
from submissions.jobs import leases
from submissions.models import ErrataDocument, ErrataRequest, Event, FileVerification, Job, Person
from submissions.tasks import EXECUTORS
from submissions.verification.examination_data import to_data, to_examination
from submissions.verification.examine import Identity, examine


@pytest.fixture(autouse=True)
def _own_log_key(settings: Settings, tmp_path: Path) -> None:
    settings.LOG_KEY = str(tmp_path / "log.pem")


def made(request: ErrataRequest) -> ErrataDocument:
    """What a worker makes of the request."""
    leases.run_leased(Job.objects.get(kind=Job.Kind.ERRATA, subject=request.pk).pk, EXECUTORS)
    return ErrataDocument.objects.select_related("signed", "request__by").get(request=request)


def attached_record(content: bytes) -> dict[str, object]:
    with pikepdf.open(BytesIO(content)) as pdf:
        (name,) = pdf.attachments
        record: dict[str, object] = json.loads(pdf.attachments[name].get_file().read_bytes())
    return record


def test_report_is_sealed_stored_and_verified_offline(analyst: Person, tmp_path: Path) -> None:
    begin_sealing()
    document = made(request_errata(analyst, ["683a"]))
    content = bytes(document.signed.content)
    assert hashlib.sha256(content).hexdigest() == document.signed_id
    assert document.verification["good"] is True
    assert document.digests == {"683a": [chapter("683a").digest, errata("683a").digest]}
    assert [event.verb for event in Event.objects.order_by("sequence")][-2:] == ["seal-introduced", "errata-signed"]
    assert Event.objects.get(verb="errata-requested").actor == analyst
    assert not verify_history().differences
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        call_command("verify_document", str(path))
    assert ended.value.code == 0
    path.write_bytes(content.replace(b"DEMO", b"REAL", 1))
    with pytest.raises(SystemExit) as ended:
        call_command("verify_document", str(path))
    assert ended.value.code == 1


def test_changed_report_is_a_changed_document_of_this_portal(analyst: Person, client: Client) -> None:
    """One byte, and bytes at the end; the page names the report that the file was made from."""
    document = made(request_errata(analyst, ["general"]))
    content = bytearray(document.signed.content)
    content[-10] ^= 1
    examined = examine(bytes(content))
    assert (examined.identity, examined.errata, examined.document) == (Identity.CHANGED, document, None)
    assert examined.problems[0].startswith("1 byte differs from the sealed document")
    assert examine(bytes(document.signed.content) + b"\n").problems[0].startswith("1 bytes were added at the end")
    assert to_examination(to_data(examined), None).errata == document
    file = SimpleUploadedFile("report.pdf", bytes(content), "application/pdf")
    sent = client.post(reverse("verify"), {"document": file}, follow=True)
    row = FileVerification.objects.get()
    leases.run_leased(Job.objects.get(kind=Job.Kind.VERIFY, subject=row.pk).pk, EXECUTORS)
    assert sent.status_code == 202
    shown = client.get(reverse("verify-result", args=[row.key])).content.decode()
    assert "This document was changed" in shown
    assert f"errata report {document.request.number}</a>" in shown


def test_report_states_what_it_is_its_day_its_digests_and_both_holds(director: Person) -> None:
    request = request_errata(director, ["general", "683a"])
    document = made(request)
    record = attached_record(bytes(document.signed.content))
    assert record == errata_record(request, [computed_report(number) for number in ("683a", "general")])
    shown = errata_context(record)
    assert shown["requested"]["name"] == director.name
    assert [part["chapter"] for part in shown["chapters"]] == ["683a", "general"]
    notes = [note for part in shown["chapters"] for section in part["sections"] for note in section["notes"]]
    (hold,) = next(note["holds"] for note in notes if note["id"] == "683a.mini-royal-40")
    assert (hold["as_read"], hold["otherwise"], hold["change"]) == ("2.316742", "2.135747", "−0.180995")
    assert shown["counts"][-1]["sum"] == len(notes) == document_notes()


def document_notes() -> int:
    return len(errata("683a").notes) + len(errata("").notes)


def test_same_record_gives_the_same_bytes(analyst: Person) -> None:
    record = errata_record(request_errata(analyst, ["general"]), [computed_report("general")])
    assert render_errata(record).sha256 == render_errata(record).sha256
    assert render_errata({**record, "day": "2020-01-01"}).sha256 != render_errata(record).sha256


def test_second_delivery_changes_nothing(analyst: Person) -> None:
    request = request_errata(analyst, ["general"])
    document = made(request)
    Job.objects.filter(kind=Job.Kind.ERRATA).update(state=Job.State.DUE, lease_until=None)
    assert made(request) == document
    assert ErrataDocument.objects.count() == 1


def test_one_report_is_made_at_a_time(analyst: Person, director: Person) -> None:
    first = request_errata(analyst, ["general"])
    with pytest.raises(Refusal) as refused:
        request_errata(director, ["683a"])
    assert (refused.value.code, first.number in refused.value.message) == ("errata-pending", True)
    made(first)
    second = request_errata(director, ["general"])
    assert [int(row.number[-5:]) for row in (first, second)] == [1, 2]


@pytest.mark.parametrize("role", ["preparer", "manager", "reader", "stranger"])
def test_only_the_board_asks_for_a_report(role: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(Forbidden):
        request_errata(request.getfixturevalue(role), ["general"])
    assert not ErrataRequest.objects.exists()


def test_unknown_chapter_is_refused_with_those_there_are(analyst: Person) -> None:
    with pytest.raises(Refusal) as refused:
        request_errata(analyst, ["600a"])
    assert refused.value.code == "unknown-chapter"
    assert "683a" in refused.value.fix
