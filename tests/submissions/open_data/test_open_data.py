"""Open data: what is public and nothing else, as the dictionary says, for every day, and cheap to ask for again."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings as portal_settings
from django.test import Client
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.core.csv_export import BYTE_ORDER_MARK
from submissions.core.errors import Refusal
from submissions.models import Organization, Person, Revision, Version
from submissions.public.open_data import OPEN_TABLES
from tests.submissions import filing_rows
from tests.submissions.open_data.conftest import FIRST, SECOND, signed, version_of
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.service("views", "queries")

NAMES = tuple(OPEN_TABLES)


def address(name: str, kind: str = "json") -> str:
    return f"/open-data/{name}.{kind}"


def content(name: str, kind: str, **query: str) -> bytes:
    answer = Client().get(address(name, kind), query)
    sent: bytes = answer.getvalue()
    assert answer.status_code == 200, sent
    return sent


def rows(name: str, **query: str) -> list[dict[str, Any]]:
    """The rows of the JSON file; those of the CSV file must be the same."""
    answers = {kind: content(name, kind, **query) for kind in ("json", "csv")}
    received: list[dict[str, Any]] = json.loads(answers["json"])["rows"]
    text = answers["csv"].decode()
    assert text.startswith(BYTE_ORDER_MARK)
    lines = list(csv.DictReader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK))))
    assert lines == [{key: cell(value) for key, value in row.items()} for row in received]
    return received


def cell(value: object) -> str:
    return "" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("name", NAMES)
def test_columns_are_those_of_the_dictionary(name: str, approved: Revision) -> None:
    signed(approved)
    columns = [column.name for column in OPEN_TABLES[name].columns]
    received = rows(name)
    assert received
    assert {tuple(row) for row in received} == {tuple(columns)}
    described = [row["column"] for row in rows("data-dictionary") if row["table"] == name]
    assert described == columns
    assert all(column.meaning and column.source for column in OPEN_TABLES[name].columns)


def test_values_are_of_the_kinds_of_the_dictionary(approved: Revision) -> None:
    signed(approved)
    kinds = {"number": (int, float), "yes or no": bool}
    wrong = [
        (name, column.name, row[column.name])
        for name in NAMES
        for row in rows(name)
        for column in OPEN_TABLES[name].columns
        if row[column.name] is not None and not isinstance(row[column.name], kinds.get(column.kind, str))
    ]
    assert wrong == []


def test_wagers_have_their_paytable_hold_denominators_and_section(approved: Revision) -> None:
    ante, trips = rows("wagers", on=FIRST.isoformat())
    assert ante["section"] == "§ 687a.6"
    assert (ante["hold_pct"], ante["hold_fraction"], ante["method"], ante["paytable"]) == (3.5, "7/200", "exact", None)
    assert (ante["loss_per_ante_pct"], ante["loss_per_initial_pct"], ante["average_wagered"]) == (7.1, 3.55, 2.03)
    assert (trips["paytable"], trips["section"], trips["hold_pct"]) == ("DJWT-05", "§ 687a.12(d)", -0.031858)
    assert (trips["method"], trips["standard_error_pct"], trips["loss_per_ante_pct"]) == ("estimate", 0.002, None)
    assert {row["receipt"] for row in (ante, trips)} == {approved.receipt}


def test_paytables_have_every_row_as_printed(approved: Revision) -> None:
    received = [(row["row"], row["outcome"], row["pays"], row["envy_bonus"]) for row in rows("paytables")]
    assert received == [(1, "Five wilds", "2000 to 1", "$500"), (2, "Straight", "5 to 1", None)]


def test_register_and_versions_of_a_day_say_the_status(manager: Person, approved: Revision) -> None:
    document, second = signed(approved), version_of(manager, day=SECOND)
    first, last = rows("register")
    assert (first["receipt"], first["replaced_by"]) == (approved.receipt, second.receipt)
    assert (first["effective_from"], first["effective_to"]) == (FIRST.isoformat(), "2026-05-31")
    assert (first["status"], last["status"]) == ("superseded", "in-force")
    assert first["document_address"] == f"{portal_settings.PUBLIC_URL}/verify/{document.signed_id}"
    assert (first["document_is_demo"], last["document_sha256"], last["document_is_demo"]) == (True, None, None)
    in_effect = {day: rows("in-effect", on=day.isoformat()) for day in (date(2026, 2, 1), FIRST, SECOND)}
    assert [[row["receipt"] for row in received] for received in in_effect.values()] == [
        [],
        [approved.receipt],
        [second.receipt],
    ]
    assert {row["status"] for received in in_effect.values() for row in received} == {"in-force"}


def test_tables_are_narrowed_by_licensee_and_chapter(manager: Person, stranger: Person) -> None:
    for person, chapter in ((manager, "687a"), (manager, "683a"), (stranger, "687a")):
        version_of(person, chapter)
    both = {(row["licensee"], row["chapter"]) for row in rows("wagers", licensee="east", chapter="687a")}
    assert both == {("east", "687a")}
    assert len(rows("in-effect", chapter="687a")) == 2
    assert len(rows("register")) == 3


@pytest.mark.parametrize(
    ("name", "query", "code"),
    [
        ("wagers", {"on": "someday"}, "no-date"),
        ("wagers", {"licensee": "nobody"}, "unknown-licensee"),
        ("register", {"chapter": "999"}, "unknown-game"),
        ("register", {"on": "2026-03-01"}, "unknown-parameter"),
        ("data-dictionary", {"licensee": "east"}, "unknown-parameter"),
    ],
)
def test_wrong_address_is_refused_in_words(name: str, query: dict[str, str], code: str, approved: Revision) -> None:
    answer = Client().get(address(name), query)
    received = answer.json()
    assert (answer.status_code, answer["Content-Type"], received["code"]) == (400, "application/problem+json", code)
    assert received["detail"]
    assert received["fix"]


def test_only_approved_filings_of_licensees_are_public(manager: Person, casino: Organization) -> None:
    """Neither drafts nor filings, nor returned ones, nor anything of a sandbox, nor a row without an owner."""
    filed = filing_rows.filing(manager, "687a", {}, findings=[])
    filing_rows.draft(manager)
    tried = version_of(api_credentials.sandbox_signer(api_credentials.sandbox_of(casino)))
    Version.objects.create(organization=casino, chapter="683a", from_day=FIRST, by=manager, made_at=timezone.now())
    said = b"".join(content(name, kind) for name in NAMES for kind in ("json", "csv"))
    assert [word for word in (filed.receipt, tried.receipt, "sandbox", "683a") if word.encode() in said] == []
    assert all(rows(name) == [] for name in NAMES if name != "data-dictionary")


def test_formulas_are_no_formulas_and_numbers_stay_numbers(manager: Person) -> None:
    version_of(manager, name="=HYPERLINK(1)")
    lines = content("wagers", "csv").decode().splitlines()
    assert "'=HYPERLINK(1)" in lines[2]
    assert ",-0.031858," in lines[2]


@pytest.mark.parametrize("name", NAMES)
def test_file_may_be_kept_and_is_asked_for_again_with_its_tag(name: str, approved: Revision, manager: Person) -> None:
    first = Client().get(address(name), headers={"Origin": "https://news.example"})
    first.getvalue()
    assert first["Cache-Control"].startswith("public, max-age=300")
    assert first["Access-Control-Allow-Origin"] == "*"
    assert first["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Cookie" not in first.get("Vary", "")
    assert not first.cookies
    if name != "data-dictionary":
        assert first["Last-Modified"]
    again = Client().get(address(name), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    head = Client().head(address(name))
    assert (head.status_code, head["ETag"], head.getvalue()) == (200, first["ETag"], b"")
    version_of(manager, "683a")
    assert Client().get(address(name), headers={"If-None-Match": first["ETag"]}).getvalue()


def test_tag_changes_with_whatever_the_tables_show(approved: Revision, casino: Organization, settings: Any) -> None:
    def tag() -> str:
        answer = Client().head(address("register"))
        answer.getvalue()
        return str(answer["ETag"])

    tags = [tag()]
    signed(approved)
    tags.append(tag())
    casino.name = "Casino East and West"
    casino.save()
    tags.append(tag())
    settings.OPEN_DATA_TERMS = "Public domain."
    tags.append(tag())
    assert len(set(tags)) == len(tags)


def test_file_is_the_same_for_whoever_is_signed_in(approved: Revision, manager: Person, analyst: Person) -> None:
    seen = set()
    for person in (None, manager, analyst):
        answer = browser(person).get(address("register"))
        seen.add((answer.getvalue(), answer["Cache-Control"], answer.get("Vary")))
    assert len(seen) == 1


def test_page_explains_every_column_and_the_register_leads_there(approved: Revision, settings: Any) -> None:
    settings.OPEN_DATA_TERMS = "Use them as you like."
    page = Client().get("/open-data/").content.decode()
    missing = [
        column.name for table in OPEN_TABLES.values() for column in table.columns
        if table is not OPEN_TABLES["data-dictionary"] and f"<code>{column.name}</code>" not in page
    ]  # fmt: skip
    assert missing == []
    assert "Use them as you like." in page
    assert all(address(name, kind) in page for name in NAMES for kind in ("csv", "json"))
    for start in ("/register/", "/in-force/"):
        assert 'href="/open-data/"' in Client().get(start).content.decode()


def test_day_in_the_future_shows_what_is_scheduled(manager: Person, approved: Revision) -> None:
    day = timezone.localdate() + timedelta(days=30)
    coming = version_of(manager, day=day)
    assert [row["receipt"] for row in rows("in-effect", on=day.isoformat())] == [coming.receipt]
    assert [row["receipt"] for row in rows("in-effect")] == [approved.receipt]


def test_damaged_filing_is_not_published(approved: Revision, manager: Person) -> None:
    damaged = Revision.objects.create(
        submission=filing_rows.draft(manager, "683a"), number=1, receipt="RS-2026-00099-R1", sha256="0" * 64,
        snapshot=approved.snapshot, rules_digest="0" * 64, engine="games", filed_by=manager, filed_at=timezone.now(),
    )  # fmt: skip
    filing_rows.put_in_force(damaged, FIRST, manager)
    with pytest.raises(Refusal, match="RS-2026-00099-R1"):
        content("paytables", "csv")


def test_table_takes_its_slot_until_it_is_sent(approved: Revision) -> None:
    """A reader who takes a table slowly keeps no thread from the other pages, and no second one from being refused."""
    first = Client().get(address("register"))
    second = Client().get(address("wagers"))
    assert (second.status_code, int(second["Retry-After"]) > 0) == (503, True)
    assert Client().get("/register/").status_code == 200
    assert first.getvalue()
    assert json.loads(content("wagers", "json"))["rows"]
