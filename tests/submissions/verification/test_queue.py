"""Files that the portal does not know: told at once where that is possible, else verified by a worker, in a queue."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from submissions.documents import verification
from submissions.documents.pages import network_of
from submissions.models import Document, FileVerification, Job
from submissions.tasks import run_task
from tests.submissions.signed_documents import Example
from tests.submissions.web.clients import HTMX, compact, work

pytestmark = [pytest.mark.django_db, pytest.mark.service("locks")]
UNKNOWN = b"%PDF-1.7\nnothing that can be read"


def send(client: Client, content: bytes, **extra: str) -> HttpResponse:
    return client.post("/verify/", {"document": SimpleUploadedFile("a.pdf", content, "application/pdf")}, **extra)


def text(response: HttpResponse) -> str:
    return compact(response.content.decode())


@pytest.mark.parametrize("content", [b"hello", b" " * 1020 + b"%PDF-1.7"])
def test_file_that_is_no_pdf_is_told_at_once(client: Client, content: bytes) -> None:
    response = send(client, content)
    assert (response.status_code, "<h1>Not a document of this portal</h1>" in text(response)) == (200, True)
    assert "The file is not a PDF. Every document of the portal is a PDF." in text(response)
    assert not Job.objects.exists()


def test_empty_file_is_told_at_once(client: Client) -> None:
    response = send(client, b"")
    assert (response.status_code, "The file is empty." in text(response)) == (400, True)


def test_known_files_wait_for_no_worker(client: Client, document: Document, example: Example, signed: bytes) -> None:
    for content, heading in (
        (signed, "Genuine and unchanged"),
        (example.rendered.content, "Unchanged, but not sealed"),
    ):
        assert f"<h1>{heading}</h1>" in text(send(client, content))
    assert not Job.objects.filter(kind__in=(Job.Kind.VERIFY, Job.Kind.REVERIFY)).exists()


def test_unknown_pdf_waits_and_has_its_result_at_an_address_of_its_own(client: Client) -> None:
    response = send(client, UNKNOWN)
    (row,) = FileVerification.objects.all()
    where = f"/verify/results/{row.key}/"
    assert (response.status_code, response["Location"]) == (302, where)
    waiting = client.get(where)
    assert (waiting.status_code, waiting["Cache-Control"]) == (202, "private, no-store")
    assert "“a.pdf” is waiting for verification. It is next in line." in text(waiting)
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in text(waiting)
    part = client.get(where, headers=HTMX)
    assert (part.status_code, "<h1>" in text(part)) == (202, False)
    work()
    assert client.get(where, headers=HTMX)["HX-Refresh"] == "true"
    result = client.get(where)
    assert (result.status_code, "<h1>Not a document of this portal</h1>" in text(result)) == (200, True)
    row.refresh_from_db()
    assert row.content is None


def test_result_is_at_no_other_address(client: Client) -> None:
    send(client, UNKNOWN)
    for key in ("1", "unknown", FileVerification.objects.get().sha256):
        assert client.get(f"/verify/results/{key}/").status_code == 404


def test_place_in_the_queue_is_shown_with_a_measured_time(client: Client) -> None:
    for number in range(3):
        send(client, UNKNOWN + b"%d" % number)
    first, _, third = FileVerification.objects.all()
    now = timezone.now()
    Job.objects.filter(subject=first.pk).update(state="done", started_at=now - timedelta(seconds=7), finished_at=now)
    shown = text(client.get(f"/verify/results/{third.key}/"))
    assert "1 file is ahead of it. It takes about 14 seconds." in shown


def test_same_bytes_are_not_verified_twice(client: Client) -> None:
    send(client, UNKNOWN)
    work()
    again = send(client, UNKNOWN)
    assert (again.status_code, FileVerification.objects.count()) == (200, 1)
    assert "<h1>Not a document of this portal</h1>" in text(again)


def test_caller_with_many_files_waits_and_others_are_served(client: Client, settings: Settings) -> None:
    settings.VERIFICATION_QUEUE_PER_CALLER = 2
    answers = [send(client, UNKNOWN + b"%d" % number) for number in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert "2 files from your network are already waiting for verification." in text(answers[2])
    assert send(client, UNKNOWN + b"other", REMOTE_ADDR="192.0.2.7").status_code == 302
    run_task(Job.objects.earliest("pk"))
    assert send(client, UNKNOWN + b"3").status_code == 302


def test_full_queue_is_refused_and_known_documents_are_answered(
    client: Client, settings: Settings, signed: bytes
) -> None:
    settings.VERIFICATION_QUEUE = 1
    assert send(client, UNKNOWN).status_code == 302
    refused = send(client, UNKNOWN + b"1", REMOTE_ADDR="192.0.2.7")
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (503, True)
    assert "<h1>Try again later</h1>" in text(refused)
    assert "<h1>Genuine and unchanged</h1>" in text(send(client, signed))


def test_bytes_that_wait_are_bounded(client: Client, settings: Settings) -> None:
    settings.ATTACHMENT_LIMIT = len(UNKNOWN)
    most = verification.MOST_BYTES
    callers = [f"192.0.2.{number}" for number in range(most + 1)]
    answers = [send(client, UNKNOWN[:-1] + b"%x" % place, REMOTE_ADDR=who) for place, who in enumerate(callers)]
    assert [answer.status_code for answer in answers] == [302] * most + [503]


def test_network_of_a_caller_is_an_address_or_a_64_bit_network() -> None:
    factory = RequestFactory()
    addresses = {"192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64"}
    for address, network in addresses.items():
        assert network_of(factory.get("/verify/", REMOTE_ADDR=address)) == network


def test_address_of_the_caller_is_not_stored(client: Client) -> None:
    send(client, UNKNOWN, REMOTE_ADDR="192.0.2.7")
    assert "192.0.2.7" not in str(FileVerification.objects.values().get())


def test_results_are_deleted_after_a_day_and_files_given_up_after_an_hour(client: Client) -> None:
    send(client, UNKNOWN)
    row = FileVerification.objects.get()
    assert verification.delete_old_files(row.created_at) == 0
    assert verification.delete_old_files(row.created_at + timedelta(hours=2)) == 1
    row.refresh_from_db()
    assert (row.content, row.result["difference"]) == (None, "The portal could not verify the file.")
    shown = text(client.get(f"/verify/results/{row.key}/"))
    assert "The portal could not verify the file." in shown
    assert verification.delete_old_files(row.created_at + timedelta(days=2)) == 1
    assert (FileVerification.objects.count(), Job.objects.count()) == (0, 0)


def test_file_whose_job_stopped_by_an_error_is_given_up(client: Client) -> None:
    send(client, UNKNOWN)
    Job.objects.update(state=Job.State.ERRORED)
    assert verification.delete_old_files(timezone.now()) == 1
    assert FileVerification.objects.get().content is None
