"""Lists as streams of lines: every row of the list and no other, in bounded memory, and an end that cannot be mistaken.

Of each list, for each caller: `test_streamed_lists`. `make soak` streams 50,000 rows, the suite some thousands.
"""

from __future__ import annotations

import gzip
import json
import tracemalloc

import pytest
from django.db import connection
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from submissions.api.framework import pagination
from submissions.api.framework.pagination import STREAMED_AT_A_TIME
from submissions.api.framework.views import BaseView
from submissions.bulk import intake
from submissions.models import Event, Item, Organization, Person, Status, Submission
from tests.soak import SOAK
from tests.submissions import filing_rows
from tests.submissions.api.addresses import ADDRESSES
from tests.submissions.api.clients import made, system
from tests.submissions.api.streams import FEED, STREAM, SUBMISSIONS, streamed

pytestmark = [pytest.mark.django_db, pytest.mark.service("queries", "JSON")]
LISTS = [name for _, view, name in ADDRESSES if view.is_paged]
ROWS = 50_000 if SOAK else 3 * STREAMED_AT_A_TIME
MEGABYTE = 1 << 20


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino).token)


def drafts(owner: Person, count: int) -> list[Submission]:
    rows = [
        Submission(
            number=f"RS-2026-{place:05}", organization=owner.organization, chapter="687a", created_by=owner,
            status=Status.WITHDRAWN,
        )
        for place in range(count)
    ]  # fmt: skip
    return Submission.objects.bulk_create(rows, batch_size=500)


# Rows that change


def test_rows_that_become_hidden_during_the_stream_are_not_in_it(
    client: Client, manager: Person, other_casino: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part is read with the access of that moment."""
    rows = drafts(manager, STREAMED_AT_A_TIME + 2)
    lines = iter(client.get(f"{SUBMISSIONS}?fields=number", headers=STREAM))
    first = next(lines)
    Submission.objects.filter(pk=rows[-1].pk).update(organization=other_casino)
    text = (first + b"".join(lines)).decode()
    assert (rows[-2].number in text, rows[-1].number in text) == (True, False)


# What is asked for


def test_filters_and_fields_are_those_of_the_list(client: Client, manager: Person, stranger: Person) -> None:
    found = filing_rows.filing(manager, answers={"adjacent_boxes": 3}).submission.number
    filing_rows.filing(manager, answers={"adjacent_boxes": 2}, status=Status.APPROVED)
    filing_rows.filing(stranger, answers={"adjacent_boxes": 3})
    for query in ("chapter=687a&option=adjacent_boxes&value=3", "status=filed", f"words={found}", "waiting=analyst"):
        rows, _ = streamed(client, f"{SUBMISSIONS}?{query}&fields=number")
        assert rows == [{"number": found}], query


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("limit=5", "unknown-parameter"),
        ("colour=red", "unknown-parameter"),
        ("status=lost", "unknown-state"),
        ("cursor=after-0", "no-such-cursor"),
        ("fields=colour", "unknown-field"),
    ],
)
def test_wrong_request_is_refused_before_the_first_line(query: str, code: str, client: Client) -> None:
    for method in (client.get, client.head):
        answer = method(f"{SUBMISSIONS}?{query}", headers=STREAM)
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert client.get(f"{SUBMISSIONS}?{query}", headers=STREAM).json()["code"] == code


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, application/x-ndjson", "", "*/*;q=1"])
def test_list_is_json_unless_the_stream_is_asked_for(accept: str, client: Client) -> None:
    answer = client.get(SUBMISSIONS, headers={"Accept": accept} if accept else {})
    assert (answer["Content-Type"], "Accept" in answer["Vary"]) == ("application/json", True)


def test_stream_is_compressed_if_the_caller_wants_that(client: Client, manager: Person) -> None:
    drafts(manager, 300)
    answer = client.get(SUBMISSIONS, headers=STREAM | {"Accept-Encoding": "gzip"})
    content = answer.getvalue()
    assert (answer["Content-Encoding"], len(gzip.decompress(content).splitlines())) == ("gzip", 301)
    assert len(content) < len(gzip.decompress(content)) / 5


# The end


def test_stream_that_fails_in_the_middle_does_not_look_complete(
    client: Client, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts(manager, STREAMED_AT_A_TIME + 1)
    lines = iter(client.get(SUBMISSIONS, headers=STREAM))
    sent = next(lines)
    monkeypatch.setattr(BaseView, "paginate_queryset", lambda view, queryset: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        next(lines)
    assert len(sent.splitlines()) == STREAMED_AT_A_TIME
    assert not [line for line in sent.splitlines() if pagination.END in json.loads(line)]


def test_no_row_has_the_member_of_the_last_line() -> None:
    views = [view for _, view, name in ADDRESSES if name in LISTS]
    assert [view for view in views if pagination.END in view.serializer_class().fields] == []


# Many rows


def measured(answer: HttpResponse | StreamingHttpResponse) -> tuple[int, int]:
    """The lines of the answer, and the most memory that reading it took, in bytes."""
    lines = 0
    tracemalloc.start()
    for part in answer:
        lines += part.count(b"\n")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return lines, most


def test_memory_and_queries_of_many_submissions_are_bounded(client: Client, manager: Person) -> None:
    drafts(manager, ROWS)
    client.get(SUBMISSIONS)
    with CaptureQueriesContext(connection) as queries:
        lines, most = measured(client.get(SUBMISSIONS, headers=STREAM))
    assert lines == ROWS + 1
    assert most < 6 * MEGABYTE
    assert len(queries) <= 3 + 2 * (ROWS // STREAMED_AT_A_TIME + 1)


def test_memory_and_queries_of_many_events_are_bounded(
    client: Client, manager: Person, board: Organization, analyst: Person
) -> None:
    rows = filing_rows.filing(manager).submission, filing_rows.filing(manager).submission
    last = Event.objects.latest("sequence").sequence
    Event.objects.bulk_create(
        [
            Event(
                sequence=place, at=row.created_at, actor=manager, organization=row.organization, submission=row,
                verb="filed", digest=str(place), previous=str(place - 1),
            )
            for place in range(last + 1, last + ROWS + 1)
            for row in rows[place % 2 : place % 2 + 1]
        ],
        batch_size=500,
    )  # fmt: skip
    with CaptureQueriesContext(connection) as queries:
        lines, most = measured(client.get(FEED, headers=STREAM))
    assert lines == ROWS + 1
    assert most < 6 * MEGABYTE
    assert len(queries) <= 3 + 4 * (ROWS // STREAMED_AT_A_TIME + 1)


def test_items_of_a_large_batch_are_streamed(casino: Organization) -> None:
    program = made(casino, scopes=["read", "prepare"])
    upload = intake.Upload([{"action": "create"}] * (2 * STREAMED_AT_A_TIME), "json", "0" * 64)
    batch = intake.accept_upload(
        program.credential.service_account, upload, mode="validate", atomic=False, credential=program.credential
    )
    Item.objects.filter(batch=batch, place__lte=3).update(state="refused")
    client, address = system(program.token), f"/api/v1/bulk/{batch.number}/items/"
    rows, end = streamed(client, f"{address}?fields=place")
    assert (rows, end["rows"]) == ([{"place": place} for place in range(1, batch.total + 1)], batch.total)
    assert [row["place"] for row in streamed(client, f"{address}?state=refused&fields=place")[0]] == [1, 2, 3]
