"""The page of the security log: who reads which rows, filters, pages, and the table that is recorded itself."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from submissions.accounts.api_credentials import sandbox_of
from submissions.accounts.pages.security_log import PAGE
from submissions.models import AccessRecord, Organization, Person
from submissions.security_log.records import Access, Caller, record_access
from tests.submissions.security_log.rows import sign_in
from tests.submissions.web.clients import browser

PAGE_ADDRESS, TABLE = "/security-log/", "/security-log/export.csv"
ROW = re.compile(r"<tr><th scope=\"row\".*?</tr>", re.DOTALL)
Kind = AccessRecord.Kind


def administrator(person: Person) -> Person:
    Person.objects.filter(pk=person.pk).update(administrator=True)
    return Person.objects.get(pk=person.pk)


@pytest.fixture(autouse=True)
def _without_second_factor(settings: object) -> None:
    settings.SECOND_FACTOR = False


@pytest.fixture
def client(director: Person) -> Client:
    """The browser of an administrator of the Board."""
    return browser(administrator(director))


def shown(client: Client, query: str = "") -> list[str]:
    """The text of each row, newest first."""
    page = client.get(PAGE_ADDRESS + query)
    assert page.status_code == 200
    return [re.sub(r"<[^>]+>", " ", row) for row in ROW.findall(page.content.decode())]


def exported(client: Client, query: str = "") -> list[dict[str, str]]:
    content = b"".join(client.get(TABLE + query).streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


def names(rows: list[str], *people: Person) -> list[bool]:
    return [any(person.name in row for row in rows) for person in people]


def test_board_reads_all_and_a_licensee_its_own(
    client: Client, manager: Person, stranger: Person, analyst: Person, casino: Organization
) -> None:
    for person in (manager, stranger, analyst):
        sign_in(person)
    record_access(Caller("192.0.2.1"), Access(Kind.SIGN_IN_FAILED, "passphrase-wrong", account="x@nowhere.test"))
    assert names(shown(client), manager, stranger, analyst) == [True, True, True]
    assert any("passphrase or account wrong" in row for row in shown(client))
    own = browser(administrator(manager))
    assert names(shown(own), manager, stranger, analyst) == [True, False, False]
    assert {row["organization"] for row in exported(own)} == {"east"}
    assert not any("wrong" in row for row in shown(own))


def test_licensee_reads_the_rows_of_its_sandbox(manager: Person, stranger: Person, casino: Organization) -> None:
    sandbox = sandbox_of(casino)
    record_access(Caller("192.0.2.1"), Access(Kind.DOWNLOAD, organization=sandbox, credential="rsp_test_0123456789ab"))
    assert any("rsp_test_0123456789ab" in row for row in shown(browser(administrator(manager))))
    assert not any("rsp_test" in row for row in shown(browser(administrator(stranger))))


@pytest.mark.parametrize("address", [PAGE_ADDRESS, TABLE])
def test_only_administrators_with_their_factor_read_it(
    address: str, manager: Person, director: Person, settings: object
) -> None:
    assert browser(manager).get(address).status_code == 403
    assert browser(administrator(director)).get(address).status_code == 200
    settings.SECOND_FACTOR = True
    assert browser(administrator(director)).get(address).status_code == 403
    assert browser().get(address).status_code == 302


def test_filters_narrow_page_and_table_alike(client: Client, manager: Person, preparer: Person) -> None:
    now = timezone.now()
    sign_in(manager, now - timedelta(days=3))
    sign_in(preparer)
    record_access(Caller("198.51.100.20"), Access(Kind.KEY_REFUSED, "credential-wrong", credential="rsp_live_abc"))
    record_access(Caller("2001:db8::7"), Access(Kind.CONFIRMATION_FAILED, "confirmation-wrong", person=manager))
    day = timezone.localdate(now) - timedelta(days=3)
    expected = {
        "?person=manager": 2,
        "?person=east.example.test": 3,
        "?person=rsp_live_a": 1,
        "?kind=key-refused": 1,
        "?outcome=failure": 2,
        "?network=198.51.100.20": 1,
        "?network=198.51.0.0/16": 1,
        "?network=192.0.2.0/24": 2,
        "?network=2001:db8::/32": 1,
        "?network=0.0.0.0/0": 3,
        f"?first={day}&last={day}": 1,
        f"?last={day - timedelta(days=1)}": 0,
        "?person=manager&outcome=failure": 1,
    }
    assert {query: len(shown(client, query)) for query in expected} == expected
    del expected["?network=0.0.0.0/0"]  # which the exports themselves match
    assert {query: len(exported(client, query)) for query in expected} == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kind", "sign"), ("outcome", "maybe"), ("network", "10.0.0"), ("network", "10.0.0.0/33"), ("first", "soon"),
        ("last", "9999-12-31"), ("person", "x" * 101), ("person", "a\0b"),
    ],
)  # fmt: skip
def test_field_that_is_not_understood_is_marked_and_nothing_shown(client: Client, name: str, text: str) -> None:
    page = client.get(PAGE_ADDRESS, {name: text})
    assert page.status_code == 400
    html = page.content.decode()
    assert f'aria-describedby="{name}-fault"' in html
    assert ROW.findall(html) == []
    assert client.get(TABLE, {name: text}).status_code == 400


def test_pages_show_each_row_once_while_others_come(client: Client, manager: Person) -> None:
    for _ in range(PAGE + 10):
        sign_in(manager)
    page = client.get(PAGE_ADDRESS + "?kind=sign-in").content.decode()
    older = re.findall(r'<a href="(\?[^"]*before=\d+)">Older', page)[0].replace("&amp;", "&")
    sign_in(manager)
    both = ROW.findall(page) + ROW.findall(client.get(PAGE_ADDRESS + older).content.decode())
    assert len(both) == PAGE + 10 + 1  # with the sign-in of the director
    assert "kind=sign-in" in older


def test_table_has_every_column_in_order_and_is_recorded(client: Client, manager: Person, director: Person) -> None:
    sign_in(manager)
    (row,) = exported(client, "?person=manager")
    assert (row["kind"], row["person"], row["address"], row["agent"]) == (
        "sign-in", manager.email, "192.0.2.10", "Firefox",
    )  # fmt: skip
    record = AccessRecord.objects.latest("pk")
    assert (record.kind, record.person, record.object_reference) == (Kind.EXPORT, director, "security-log-export")
    assert record.details == {"filter": "person=manager", "rows": 1}


def test_what_a_caller_sends_is_escaped(client: Client) -> None:
    record_access(
        Caller("192.0.2.1", agent="<script>alert(1)</script>"),
        Access(Kind.KEY_REFUSED, "credential-wrong", object_reference="GET /<b>x"),
    )
    page = client.get(PAGE_ADDRESS).content.decode()
    assert "<script>alert" not in page
    assert "<b>x" not in page
    record_access(Caller("192.0.2.1", agent="=1+1"), Access(Kind.KEY_REFUSED, "credential-wrong"))
    assert exported(client)[0]["agent"] == "'=1+1"


def test_number_of_rows_changes_no_number_of_queries(
    client: Client, manager: Person, django_assert_num_queries: object
) -> None:
    sign_in(manager)
    client.get(PAGE_ADDRESS)
    with django_assert_num_queries(5):  # four are the frame's
        client.get(PAGE_ADDRESS)
    for _ in range(60):
        sign_in(manager)
    with django_assert_num_queries(5):
        client.get(PAGE_ADDRESS)
