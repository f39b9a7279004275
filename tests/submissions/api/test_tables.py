"""Table lists in the API: reading them on a day, changing one's own, and `on_table_list` of what is in effect."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.api.framework import bodies
from submissions.core.csv_export import BYTE_ORDER_MARK
from submissions.models import AccessRecord, Event, Organization, Person, TableEntry
from tests.submissions.api.clients import made, system
from tests.submissions.approved import Cast
from tests.submissions.table_list.lists import enter, sheet_with_a_hidden_row

DAY = timedelta(days=1)
ADDRESS = "/api/v1/tables/"


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare"]).token)


def sent(client: Client, *rows: dict[str, Any], **more: Any) -> Any:
    body = {"from_day": timezone.localdate().isoformat(), "tables": list(rows), **more}
    return client.post(ADDRESS, body, content_type="application/json", headers=more.pop("headers", None))


def numbers(client: Client, **query: str) -> list[str]:
    return [row["number"] for row in client.get(ADDRESS, query).json()["results"]]


def test_lists_are_those_that_the_caller_may_see(
    client: Client, preparer: Person, stranger: Person, board: Organization
) -> None:
    enter(preparer, ("12", "683a", "2"))
    enter(stranger, ("7", "687a"))
    (row,) = client.get(ADDRESS).json()["results"]
    assert row == {
        "licensee": "east", "number": "12", "pit": "2", "chapter": "683a", "title": "Cajun Stud", "state": "open",
        "from_day": timezone.localdate().isoformat(),
    }  # fmt: skip
    assert numbers(system(made(board).token)) == ["12", "7"]


def test_lists_are_narrowed_by_game_licensee_state_and_day(
    preparer: Person, stranger: Person, board: Organization
) -> None:
    enter(preparer, ("1", "683a"), ("2", "683a", "", "closed"), ("3", "687a"))
    enter(stranger, ("4", "683a"))
    tomorrow = timezone.localdate() + DAY
    enter(preparer, ("3", "683a"), from_day=tomorrow)
    caller = system(made(board).token)
    assert numbers(caller, chapter="683a", licensee="east") == ["1", "2"]
    assert numbers(caller, chapter="683a", open="yes") == ["1", "4"]
    assert sorted(numbers(caller, chapter="683a", licensee="east", on=tomorrow.isoformat())) == ["1", "2", "3"]
    assert caller.get(ADDRESS, {"open": "maybe"}).status_code == 400


def test_list_is_changed_by_a_program_once_for_each_key(client: Client, casino: Organization) -> None:
    rows = ({"number": "12", "game": "683a", "pit": "2"}, {"number": "13", "game": "Cajun Stud", "open": False})
    body = {"from_day": timezone.localdate().isoformat(), "tables": list(rows)}
    headers = {"Idempotency-Key": "first"}
    first, again = (client.post(ADDRESS, body, content_type="application/json", headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (200, 200, "true")
    assert [(row["number"], row["state"]) for row in first.json()["tables"]] == [("12", "open"), ("13", "closed")]
    assert (TableEntry.objects.count(), Event.objects.filter(verb="table-list-changed").count()) == (2, 1)
    assert sent(client, *rows).json() == {"tables": []}


def test_whole_list_removes_every_other_table(client: Client, preparer: Person) -> None:
    enter(preparer, ("1", "683a"), ("2", "683a"))
    changed = sent(client, {"number": "2", "game": "683a"}, {"number": "3", "game": "683a"}, whole=True)
    assert [(row["number"], row["state"]) for row in changed.json()["tables"]] == [("3", "open"), ("1", "removed")]
    assert numbers(client) == ["2", "3"]


def test_members_that_are_left_out_stay_as_they_are(client: Client, preparer: Person) -> None:
    enter(preparer, ("1", "683a", "2", "closed"), ("2", "683a", "2"))
    assert sent(client, {"number": "1", "game": "683a"}, {"number": "2", "game": "683a"}).json() == {"tables": []}
    rows = (
        {"number": "1", "game": "687a"},
        {"number": "2", "game": "683a", "pit": ""},
        {"number": "3", "game": "683a"},
    )
    found = [(row["number"], row["pit"], row["state"]) for row in sent(client, *rows).json()["tables"]]
    assert found == [("1", "2", "closed"), ("2", "", "open"), ("3", "", "open")]
    address = f"{ADDRESS}?from_day={timezone.localdate()}"
    answer = client.generic("POST", address, b"number,game\n1,683a\n2,687a\n", "text/csv").json()["tables"]
    assert [(row["pit"], row["state"]) for row in answer] == [("2", "closed"), ("", "open")]


@pytest.mark.parametrize(
    ("rows", "more", "code"),
    [
        ([{"number": "1", "game": "683a"}, {"number": "2", "game": "chess"}], {}, "table-row"),
        ([{"number": 1, "game": "683a"}], {}, "field-shape"),
        ([{"number": "1"}], {}, "field-shape"),
        ([{"number": "1", "game": "683a", "open": "yes"}], {}, "field-shape"),
        ([{"number": "1", "game": "683a", "color": "red"}], {}, "unknown-field"),
        ([{"number": "1", "game": "683a"}], {"color": "red"}, "unknown-field"),
        ([{"number": "1", "game": "683a"}], {"whole": 1}, "field-shape"),
        ([{"number": "1", "game": "683a"}], {"from_day": "2020-01-01"}, "table-day"),
        (["1"], {}, "field-shape"),
    ],
)
def test_nothing_is_changed_where_one_row_is_wrong(
    client: Client, rows: list[Any], more: dict[str, Any], code: str
) -> None:
    answer = sent(client, *rows, **more)
    assert (answer.status_code, answer.json()["code"]) == (409 if code == "table-day" else 400, code)
    assert not TableEntry.objects.exists()


def test_reading_key_and_the_board_change_nothing(casino: Organization, board: Organization) -> None:
    row = {"number": "1", "game": "683a"}
    for caller in (system(made(casino).token), system(made(board, scopes=["read", "review"]).token)):
        assert sent(caller, row).status_code == 403
    assert not TableEntry.objects.exists()


def test_what_is_in_effect_says_how_the_table_is_on_the_list(
    manager: Person, analyst: Person, director: Person
) -> None:
    Cast(manager, analyst, director, computes=False).version("686a")
    address = reverse("api:in-force-game", args=["east", "686a"])

    def status(**query: str) -> Any:
        return Client().get(address, query).json()["on_table_list"]

    assert (status(), status(table="12")) == (None, "no-list")
    enter(manager, ("12", "686a"), ("13", "686a", "", "closed"), ("14", "683a"))
    found = [status(table=number) for number in ("12", "13", "14", "999")]
    assert found == ["open", "closed", "other-game", "not-listed"]
    assert Client().get(address, {"table": "1-3"}).json()["code"] == "no-table"


# As files


def test_list_of_a_day_is_a_file_that_can_be_sent_back(
    client: Client, casino: Organization, preparer: Person, stranger: Person
) -> None:
    enter(preparer, ("12", "683a", "=2"), ("13", "687a", "", "closed"))
    enter(stranger, ("7", "687a"))
    sheet = client.get("/api/v1/tables/east/tables.csv")
    assert sheet["Content-Disposition"].endswith(f'filename="tables-east-{timezone.localdate()}.csv"')
    content = sheet.getvalue().decode()
    assert content.removeprefix(BYTE_ORDER_MARK) == "number,pit,game,open\r\n12,'=2,683a,yes\r\n13,,687a,no\r\n"
    book = client.get("/api/v1/tables/east/tables.xlsx").content
    for media_type, text in (("text/csv", b"number,game\r\n12,687a\r\n"), (bodies.WORKBOOK, book)):
        address = f"{ADDRESS}?from_day={timezone.localdate()}"
        changed = client.generic("POST", address, text, media_type)
        assert changed.status_code == 200, changed.content
        assert [row["number"] for row in changed.json()["tables"]] == ["12"]
    whole = client.generic(
        "POST", f"{ADDRESS}?from_day={timezone.localdate()}&whole=true", b"number,game\n1,683a\n", "text/csv"
    )
    assert whole.status_code == 200
    assert numbers(client) == ["1"]
    exported = AccessRecord.objects.filter(kind="export").order_by("pk").values_list("object_reference", "details")
    assert list(exported) == [
        ("api:tables-csv licensee=east", {"filter": "", "rows": 2}),
        ("api:tables-xlsx licensee=east", {"filter": "", "rows": 2}),
    ]


@pytest.mark.parametrize(
    ("query", "content", "status", "code"),
    [
        ("", b"number,game\n1,683a\n", 400, "field-shape"),
        ("?from_day=someday", b"number,game\n1,683a\n", 400, "no-date"),
        ("?from_day=2020-01-01", b"number,game\n1,683a\n", 409, "table-day"),
        ("?from_day={today}&whole=perhaps", b"number,game\n1,683a\n", 400, "field-shape"),
        ("?from_day={today}&include_hidden=1", b"number,game\n1,683a\n", 400, "field-shape"),
        ("?from_day={today}", b"number,game\n1,chess\n", 400, "table-row"),
        ("?from_day={today}", b"table\n1\n", 400, "sheet-header-missing"),
        ("?from_day={today}&color=red", b"number,game\n1,683a\n", 400, "unknown-parameter"),
    ],
)
def test_sheet_is_refused_as_on_the_page(client: Client, query: str, content: bytes, status: int, code: str) -> None:
    address = ADDRESS + query.format(today=timezone.localdate())
    answer = client.generic("POST", address, content, "text/csv")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not TableEntry.objects.exists()


def test_hidden_rows_of_a_workbook_count_only_if_the_caller_says_so(client: Client) -> None:
    address, content = f"{ADDRESS}?from_day={timezone.localdate()}", sheet_with_a_hidden_row()
    refused = client.generic("POST", address, content, bodies.WORKBOOK)
    assert (refused.status_code, refused.json()["code"]) == (400, "sheet-hidden")
    assert "row Sheet!3" in refused.json()["detail"]
    assert not TableEntry.objects.exists()
    changed = client.generic("POST", f"{address}&include_hidden=true", content, bodies.WORKBOOK)
    assert [row["number"] for row in changed.json()["tables"]] == ["12", "13"]


def test_list_of_another_licensee_is_no_file_but_for_the_board(
    client: Client, stranger: Person, board: Organization
) -> None:
    enter(stranger, ("7", "687a"))
    assert client.get("/api/v1/tables/west/tables.csv").status_code == 404
    assert b"7,,687a,yes" in system(made(board).token).get("/api/v1/tables/west/tables.csv").getvalue()
