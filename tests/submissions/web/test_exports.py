"""Long exports: written by a job, with the rows done of all rows; killed, seen by others, downloaded, deleted."""

from __future__ import annotations

import re
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from submissions.accounts.pages import security_log
from submissions.filings.evidence.computations import delete_old_results
from submissions.jobs import export_files, leases
from submissions.models import AccessRecord, Computation, ExportPart, Job, Organization, Person, Submission
from submissions.public import exports
from submissions.public import pages as search_pages
from submissions.security_log import lists
from submissions.tasks import EXPORT_MAKERS, run_task
from tests.submissions.api.clients import administrator
from tests.submissions.filing_rows import filing
from tests.submissions.web.clients import HTMX, browser
from tests.submissions.web.test_search import sign

pytestmark = pytest.mark.service("queries")

ROWS, PART = 5, 2


@pytest.fixture(autouse=True)
def _short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five rows are a long export of three parts."""
    monkeypatch.setattr(search_pages, "MOST_AT_ONCE", ROWS - 1)
    for module, name in ((export_files, "PART_ROWS"), (exports, "AT_ONCE"), (lists, "PART_ROWS")):
        monkeypatch.setattr(module, name, PART)


@pytest.fixture
def five(manager: Person) -> list[Submission]:
    return [filing(manager).submission for _ in range(ROWS)]


def requested(client: Client, query: str = "", name: str = "export-csv") -> str:
    """The address of the export's page."""
    answer = client.get(f"{reverse(name)}?{query}")
    assert answer.status_code == 302
    return answer.url


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def job() -> Job:
    return Job.objects.filter(kind=Job.Kind.EXPORT).latest("pk")


def work() -> None:
    run_task(job())


def download(client: Client, address: str) -> bytes:
    answer = client.get(f"{address}file/")
    content = b"".join(answer.streaming_content)
    assert int(answer["Content-Length"]) == len(content)
    return content


def written_at_once(client: Client, monkeypatch: pytest.MonkeyPatch, query: str = "") -> bytes:
    with monkeypatch.context() as many:
        many.setattr(search_pages, "MOST_AT_ONCE", 1_000)
        return b"".join(client.get(f"{reverse('export-csv')}?{query}").streaming_content)


def test_long_table_is_the_one_that_is_written_at_once(
    analyst: Person, five: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser(analyst)
    address = requested(client, "by=number")
    assert "Waiting for a worker" in text(client, address)
    assert client.get(f"{address}file/").status_code == 404
    work()
    assert "Download rules-submissions-" in text(client, address)
    assert ExportPart.objects.count() == 3
    assert download(client, address) == written_at_once(client, monkeypatch, "by=number")


def test_killed_job_goes_on_and_the_page_says_how_far_it_is(
    analyst: Person, five: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser(analyst)
    address, written = requested(client), []

    def make(person: Person, wanted: export_files.ExportRequest, part: int) -> str:
        if part == 2 and len(written) == 2:
            assert "Writing rows: 4 of 5 rows" in text(client, address)
            written.append(-1)
            raise leases.LeaseLost  # as if another worker had taken it over
        written.append(part)
        return exports.write_table_part(person, wanted, part)

    monkeypatch.setitem(EXPORT_MAKERS, exports.KIND, make)
    work()
    assert job().state == Job.State.RUNNING
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work()
    assert written == [0, 1, -1, 2]
    assert download(client, address) == written_at_once(client, monkeypatch)


def test_progress_is_a_part_for_the_script_and_a_refresh_without_it(analyst: Person, five: list[Submission]) -> None:
    client = browser(analyst)
    address = requested(client)
    assert '<meta http-equiv="refresh" content="5">' in text(client, address)
    part = client.get(address, headers=HTMX)
    assert (part.status_code, b"<html" in part.content, b"hx-get" in part.content) == (200, False, True)
    work()
    part = client.get(address, headers=HTMX)
    assert (part.status_code, b"hx-get" in part.content) == (286, False)
    assert "http-equiv" not in text(client, address)


def test_export_is_for_the_person_who_requested_it(
    analyst: Person, director: Person, manager: Person, five: list[Submission]
) -> None:
    address = requested(browser(analyst))
    work()
    for person in (director, manager):
        assert [browser(person).get(path).status_code for path in (address, f"{address}file/")] == [404, 404]


def test_rows_that_are_no_longer_seen_are_left_out(
    manager: Person, five: list[Submission], board: Organization
) -> None:
    client = browser(manager)
    address = requested(client)
    Submission.objects.filter(pk=five[0].pk).update(organization=board)
    work()
    lines = download(client, address).decode().splitlines()
    assert len(lines) == ROWS  # the heading, and four
    assert not any(line.startswith(five[0].number) for line in lines)


def test_same_export_is_not_written_twice_and_few_wait(analyst: Person, five: list[Submission]) -> None:
    client = browser(analyst)
    first = requested(client)
    assert requested(client) == first
    for query in ("by=number", "by=filed"):
        requested(client, query)
    refused = client.get(f"{reverse('export-csv')}?by=chapter")
    assert refused.status_code == 429
    assert "already preparing 3 of your exports" in refused.content.decode()
    assert Job.objects.filter(kind=Job.Kind.EXPORT).count() == 3
    work()
    assert requested(client, "by=filed") != first  # it is ready, so this is another one, as of now


def test_archive_has_its_table_and_a_known_size(analyst: Person, manager: Person, five: list[Submission]) -> None:
    for submission in five[:3]:
        sign(submission.revisions.get(), f"%PDF-1.7 {submission.number}".encode() * 1_000)
    client = browser(analyst)
    address = requested(client, name="export-zip")
    work()
    with zipfile.ZipFile(BytesIO(download(client, address))) as packed:
        assert packed.testzip() is None
        signed = [f"{submission.number}-R1.pdf" for submission in five[:3]]
        assert packed.namelist() == ["index.csv", *signed]
        assert packed.read("index.csv").decode("utf-8-sig").count(".pdf") == 3
    at_once = client.get(f"{reverse('export-zip')}?words={five[0].number}")
    assert len(at_once.getvalue()) == int(at_once["Content-Length"])


def test_download_is_in_the_security_log_with_its_filter(analyst: Person, five: list[Submission]) -> None:
    client = browser(analyst)
    address = requested(client, "by=number")
    assert not AccessRecord.objects.filter(kind="export").exists()
    work()
    download(client, address)
    (record,) = AccessRecord.objects.filter(kind="export")
    assert record.object_reference == f"export-file pk={re.sub(r'[^0-9]', '', address)}"
    assert (record.person, record.details) == (analyst, {"filter": "by=number", "rows": ROWS})


def test_long_security_log_is_written_by_the_job_too(board: Organization, monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser(administrator(board))
    for _ in range(ROWS):
        client.get(reverse("security-log-export"))
    monkeypatch.setattr(security_log, "MOST_AT_ONCE", 1)
    address = requested(client, "kind=export", "security-log-export")
    work()
    lines = download(client, address).decode("utf-8-sig").splitlines()
    assert lines[0] == ",".join(lists.COLUMNS)
    numbers = [int(line.partition(",")[0]) for line in lines[1:]]
    assert len(numbers) == ROWS
    assert numbers == sorted(numbers, reverse=True)


def test_export_is_deleted_after_a_day(analyst: Person, five: list[Submission]) -> None:
    client = browser(analyst)
    address = requested(client)
    work()
    delete_old_results(timezone.now() + timedelta(hours=23))
    assert client.get(address).status_code == 200
    delete_old_results(timezone.now() + timedelta(hours=25))
    assert client.get(address).status_code == 404
    assert not any(model.objects.exists() for model in (Computation, ExportPart))


def test_part_of_a_table_costs_the_same_queries_for_any_number_of_rows(
    analyst: Person, manager: Person, stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, counts = browser(analyst), []
    for count in (2, 7):
        for number in range(count):
            filing(stranger if number % 2 else manager, at=f"2026-0{number + 1}-02T12:00:00")
        with CaptureQueriesContext(connection) as queries, monkeypatch.context() as large:
            large.setattr(exports, "AT_ONCE", 500)
            large.setattr(search_pages, "MOST_AT_ONCE", 500)
            assert len(list(client.get(reverse("export-csv")).streaming_content)) > count
        counts.append(len(queries))
    assert counts[0] == counts[1]
