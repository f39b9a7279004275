"""What every address for reading has in common: pages that miss nothing, chosen fields, tags, and few queries."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from submissions.models import Attachment, Configuration, Organization, Person, Status, StoredFile, Submission
from tests.submissions import filing_rows
from tests.submissions.api.clients import made, system
from tests.submissions.api.world import approved

pytestmark = pytest.mark.service("queries")

ROWS = "/api/v1/submissions/"


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino).token)


def numbers(answer: Any) -> list[str]:
    return [row["number"] for row in answer.json()["results"]]


def test_pages_miss_nothing_and_tell_nothing_twice(client: Client, manager: Person) -> None:
    """Between two pages one submission is changed, and one begun."""
    for _ in range(5):
        filing_rows.draft(manager)
    first = client.get(f"{ROWS}?limit=2&fields=number")
    Submission.objects.order_by("pk").first().save()
    filing_rows.draft(manager)
    second = client.get(first.json()["next"])
    third = client.get(second.json()["next"])
    assert numbers(first) + numbers(second) + numbers(third) == [f"RS-2026-{place:05}" for place in range(1, 7)]
    assert third.json()["next"] is None
    assert set(third.json()["results"][0]) == {"number"}


def test_filters_are_those_of_the_search(client: Client, manager: Person, stranger: Person) -> None:
    found = filing_rows.filing(manager, answers={"adjacent_boxes": 3}).submission.number
    filing_rows.filing(manager, answers={"adjacent_boxes": 2}, status=Status.APPROVED)
    filing_rows.filing(stranger, answers={"adjacent_boxes": 3})
    for query in ("chapter=687a&option=adjacent_boxes&value=3", "status=filed", f"words={found}", "waiting=analyst"):
        assert numbers(client.get(f"{ROWS}?{query}")) == [found], query


def test_tag_saves_telling_again(client: Client, manager: Person) -> None:
    row = filing_rows.draft(manager)
    first = client.get(f"{ROWS}{row.number}/")
    again = client.get(f"{ROWS}{row.number}/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["RateLimit-Policy"] == first["RateLimit-Policy"]
    assert again["RateLimit"] != first["RateLimit"]
    Submission.objects.update(status=Status.WITHDRAWN)
    assert client.get(f"{ROWS}{row.number}/", headers={"If-None-Match": first["ETag"]}).status_code == 200
    assert first["Cache-Control"] == again["Cache-Control"] == "private, no-store"
    assert "Authorization" in first["Vary"]


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", ROWS, 200), ("GET", "/api/v1/chapters/", 200), ("GET", f"{ROWS}RS-2026-99999/", 404),
        ("POST", ROWS, 403), ("PUT", ROWS, 405), ("GET", f"{ROWS}?lost=1", 400),
    ],
)  # fmt: skip
def test_answer_to_a_credential_is_not_stored_on_the_way(
    client: Client, method: str, address: str, status: int
) -> None:
    answer = client.generic(method, address, b"{}", "application/json")
    assert (answer.status_code, answer["Cache-Control"]) == (status, "private, no-store")


@pytest.mark.django_db
def test_answer_to_a_wrong_credential_is_not_stored_on_the_way() -> None:
    answer = system("rsp_live_0123456789abcdef_" + "x" * 43).get(ROWS)
    assert (answer.status_code, answer["Cache-Control"]) == (401, "private, no-store")


@pytest.mark.django_db
def test_public_answer_is_asked_for_again() -> None:
    answer = system().get("/api/v1/chapters/")
    assert (answer.status_code, answer["Cache-Control"], "ETag" in answer) == (200, "no-cache", True)


def test_register_tells_what_the_page_does(manager: Person) -> None:
    revision = approved(manager)
    told = system().get("/api/v1/register/").json()["results"]
    page = system().get("/register/").content.decode()
    assert [one["receipt"] for one in told] == [revision.receipt]
    assert told[0]["standing"] == "in-force"
    assert told[0]["from_day"] == "2026-03-01"
    assert revision.receipt in page
    assert told[0]["document"] == f"{settings.PUBLIC_URL}/verify/{revision.document.signed_id}"


def test_in_force_is_asked_for_a_day(manager: Person) -> None:
    approved(manager)
    on = {day: system().get(f"/api/v1/in-force/?on={day}").json()["results"] for day in ("2026-02-28", "2026-03-01")}
    assert [len(rows) for rows in on.values()] == [0, 1]
    told = system().get("/api/v1/in-force/east/687a/?on=2026-03-01").json()["groups"][0]
    assert told["offers"] == [{"wager": "trips", "name": "Trips Wager", "paytable": "DJWT-05", "hold": "5.605 %"}]
    assert told["answers"] == [
        {"option": "adjacent_boxes", "citation": "§ 687a.2", "question": "How many?", "answer": "3"}
    ]
    assert system().get("/api/v1/in-force/east/687a/?on=2026-02-28").status_code == 404


def test_rule_model_is_that_of_a_day(client: Client) -> None:
    told = client.get(f"/api/v1/chapters/687a/?on={date(2026, 3, 1)}&fields=number,options").json()
    assert told["number"] == "687a"
    assert "adjacent_boxes" in [option["key"] for option in told["options"]]


@pytest.mark.parametrize(("address", "queries"), [(ROWS, 2), ("/api/v1/register/", 3), ("/api/v1/in-force/", 3)])
def test_queries_do_not_grow_with_the_rows(client: Client, manager: Person, address: str, queries: int) -> None:
    asked = []
    for _ in range(2):
        approved(manager)
        client.get(address)
        with CaptureQueriesContext(connection) as found:
            assert client.get(address).status_code == 200
        asked.append(len(found))
    assert asked == [queries, queries]


def test_submissions_changed_since_a_moment(client: Client, manager: Person) -> None:
    old, new = filing_rows.draft(manager), filing_rows.draft(manager)
    Submission.objects.filter(pk=old.pk).update(changed_at="2026-03-01T12:00:00Z")
    Submission.objects.filter(pk=new.pk).update(changed_at="2026-03-01T13:00:00Z")
    for moment, found in (
        ("2026-03-01T12:00:00Z", [old.number, new.number]),
        ("2026-03-01T07:30:00-05:00", [new.number]),
        ("2026-03-01T13:00:01Z", []),
    ):
        assert numbers(client.get(ROWS, {"changed_since": moment})) == found


def test_register_tells_what_was_made_since(manager: Person) -> None:
    revision = approved(manager)
    made_at = revision.version.made_at
    for moment, found in ((made_at, [revision.receipt]), (made_at + timedelta(seconds=1), [])):
        told = system().get("/api/v1/register/", {"made_since": moment.isoformat()}).json()["results"]
        assert [row["receipt"] for row in told] == found


@pytest.mark.parametrize("moment", ["yesterday", "2026-03-01", "2026-03-01T12:00:00", "1999-01-01T00:00:00Z"])
def test_moment_without_its_zone_is_refused(client: Client, moment: str) -> None:
    answer = client.get(ROWS, {"changed_since": moment})
    assert (answer.status_code, answer.json()["code"]) == (400, "no-moment")


def test_attachment_is_downloaded_and_never_shown(client: Client, manager: Person) -> None:
    row = filing_rows.draft(manager)
    stored = StoredFile.keep(b"<svg onload='alert(1)'/>", "image/svg+xml")
    Attachment.objects.create(submission=row, option="plan", name="plan.svg", stored=stored, uploaded_by=manager)
    (listed,) = client.get(f"{ROWS}{row.number}/attachments/").json()["results"]
    assert (listed["name"], listed["sha256"], listed["size"]) == ("plan.svg", stored.sha256, stored.size)
    answer = client.get(listed["address"].removeprefix(settings.PUBLIC_URL))
    assert answer.content == stored.content
    assert answer["Content-Disposition"] == 'attachment; filename="plan.svg"'
    assert (answer["X-Content-Type-Options"], answer["Content-Type"]) == ("nosniff", "image/svg+xml")
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_drafted_configuration_tells_the_version_that_an_update_names(client: Client, manager: Person) -> None:
    row = filing_rows.draft(manager)
    Configuration.objects.create(submission=row, version=4)
    filed = filing_rows.filing(manager, findings=[]).submission
    versions = [
        client.get(f"{ROWS}{number}/configurations/").json()["results"][0]["version"]
        for number in (row.number, filed.number)
    ]
    assert versions == [4, None]


def test_signed_document_is_downloaded_where_it_says(client: Client, manager: Person) -> None:
    number = approved(manager).submission.number
    (told,) = client.get(f"{ROWS}{number}/documents/").json()["results"]
    answer = system().get(reverse("verify-pdf", args=[told["sha256"]]))
    assert (answer.status_code, answer["Content-Type"], answer.content) == (200, "application/pdf", b"%PDF-")


def test_what_was_withdrawn_before_it_was_filed_is_told_as_drafted(client: Client, manager: Person) -> None:
    row = filing_rows.draft(manager)
    Configuration.objects.create(submission=row, version=4, answers={"adjacent_boxes": 7})
    Submission.objects.update(status=Status.WITHDRAWN)
    (told,) = client.get(f"{ROWS}{row.number}/configurations/").json()["results"]
    assert (told["version"], told["answers"]) == (4, {"adjacent_boxes": 7})
    assert client.get(f"{ROWS}{row.number}/findings/").json()["results"]


def test_file_has_a_tag_too(client: Client, manager: Person) -> None:
    row = filing_rows.draft(manager)
    stored = StoredFile.keep(b"%PDF-", "application/pdf")
    Attachment.objects.create(submission=row, option="plan", name="plan.pdf", stored=stored, uploaded_by=manager)
    address = reverse("api:attachment", args=[row.number, stored.sha256])
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
