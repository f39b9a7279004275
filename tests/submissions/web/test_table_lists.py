"""The pages of the table lists: the list on a day, the form, the spreadsheet with its preview, the downloads."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pypdfium2
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.models import AccessRecord, Person, TableEntry
from tests.submissions.bulk.made import workbook
from tests.submissions.table_list.lists import enter, sheet_with_a_hidden_row
from tests.submissions.web.clients import browser

DAY = timedelta(days=1)
SHEET = "number,pit,game,open\n12,2,683a,yes\n13,,687a,no\n"


def own_list(client: Client, **query: str) -> str:
    return client.get(reverse("tables-of", args=["east"]), query).content.decode()


def sent(client: Client, **values: object) -> tuple[int, str]:
    values = {"from_day": timezone.localdate().isoformat(), **values}
    response = client.post(reverse("tables-upload"), values)
    return response.status_code, response.content.decode()


def hidden(page: str) -> dict[str, str]:
    """What the preview sends when it is applied."""
    values = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    return values | {"pasted": re.search(r'<textarea name="pasted" hidden>(.*?)</textarea>', page, re.DOTALL)[1]}


def test_list_of_a_day_is_narrowed_by_game_and_state(preparer: Person, reader: Person) -> None:
    enter(preparer, ("1", "683a", "2"), ("2", "687a"), ("3", "683a", "", "closed"))
    enter(preparer, ("1", "687a", "2"), from_day=timezone.localdate() + 4 * DAY)
    client = browser(reader)

    def shown(**query: str) -> list[str]:
        return re.findall(
            r'scope="row"><a href="[^"]*">Table ([\w-]+)', own_list(client, **query).split('id="later"')[0]
        )

    assert shown() == ["1", "2", "3"]
    assert shown(chapter="683a") == ["1", "3"]
    assert shown(chapter="683a", open="yes") == ["1"]
    assert shown(chapter="683a", on=(timezone.localdate() + 4 * DAY).isoformat()) == ["3"]
    assert "3 tables: 2 open, 1 closed" in own_list(client)
    assert "Changes on later days" in own_list(client)


def test_preview_names_what_the_workbook_hides(preparer: Person) -> None:
    client = browser(preparer)
    _, page = sent(client, sheet=SimpleUploadedFile("tables.xlsx", sheet_with_a_hidden_row()))
    assert "The file hides cells that count: row Sheet!3." in page
    assert client.post(reverse("tables-upload"), hidden(page)).status_code == 302
    assert sorted(TableEntry.objects.values_list("number", flat=True)) == ["12", "13"]


def test_reader_sees_the_list_without_its_forms(preparer: Person, reader: Person) -> None:
    enter(preparer, ("1", "683a"))
    assert reverse("table-change") in own_list(browser(preparer))
    page = own_list(browser(reader))
    assert (reverse("table-change") in page, "can change this list" in page) == (False, True)


def test_board_sees_every_licensees_list_in_numbers(preparer: Person, stranger: Person, analyst: Person) -> None:
    enter(preparer, ("1", "683a"), ("2", "683a"), ("3", "683a", "", "closed"))
    page = browser(analyst).get(reverse("tables")).content.decode()
    assert re.findall(r'data-label="Tables">([^<]*)<', page) == ["2 tables open, 1 closed", "No table list"]
    assert "Table 1" in own_list(browser(analyst))


def test_licensee_is_led_to_its_own_list(reader: Person, stranger: Person) -> None:
    for person, slug in ((reader, "east"), (stranger, "west")):
        assert browser(person).get(reverse("tables"))["Location"] == reverse("tables-of", args=[slug])


def test_table_is_added_changed_and_closed_by_the_form(preparer: Person) -> None:
    client, today = browser(preparer), timezone.localdate().isoformat()
    values = {"number": "12", "chapter": "683a", "pit": "2", "state": "open", "from_day": today, "seen": "0"}
    answer = client.post(reverse("table-change"), values)
    assert (answer.status_code, answer["Location"]) == (302, reverse("tables-of", args=["east"]))
    page = client.get(reverse("table-change"), {"table": "12"}).content.decode()
    assert "Change table 12" in page
    assert 'value="2"' in page
    seen = hidden(page + '<textarea name="pasted" hidden></textarea>')["seen"]
    closed = client.post(reverse("table-change"), {**values, "state": "closed", "seen": seen})
    assert closed.status_code == 302
    history = client.get(reverse("table", args=["east", "12"])).content.decode()
    assert re.findall(r'data-label="State">([^<]*)<', history) == ["Closed", "Open"]


def test_form_shows_the_refusal_at_its_field(preparer: Person) -> None:
    today = timezone.localdate().isoformat()
    values = {"number": "1-3", "chapter": "683a", "pit": "", "state": "open", "from_day": today, "seen": "0"}
    for field, bad in (("number", values), ("from_day", {**values, "number": "1", "from_day": "soon"})):
        answer = browser(preparer).post(reverse("table-change"), bad)
        assert (answer.status_code, f'id="id_{field}_error"' in answer.content.decode()) == (400, True)
    assert not TableEntry.objects.exists()


def test_form_on_an_old_page_is_refused_once(preparer: Person, manager: Person) -> None:
    client, today = browser(preparer), timezone.localdate().isoformat()
    values = {"number": "12", "chapter": "683a", "pit": "", "state": "open", "from_day": today, "seen": "0"}
    enter(manager, ("12", "687a"))
    answer = client.post(reverse("table-change"), values)
    assert answer.status_code == 409
    seen = re.search(r'name="seen" value="(\d+)"', answer.content.decode())[1]
    assert client.post(reverse("table-change"), {**values, "seen": seen}).status_code == 302


def test_spreadsheet_is_shown_before_it_is_applied(preparer: Person) -> None:
    client = browser(preparer)
    file = SimpleUploadedFile("tables.csv", SHEET.encode(), "text/csv")
    status, page = sent(client, sheet=file)
    assert (status, TableEntry.objects.exists()) == (200, False)
    assert re.findall(r'data-label="After">([^<]*)<', page) == [
        "Cajun Stud, pit 2, open", "DJ Wild Stud Poker, closed",
    ]  # fmt: skip
    assert client.post(reverse("tables-upload"), hidden(page)).status_code == 302
    rows = TableEntry.objects.order_by("number").values_list("number", "pit", "chapter", "state")
    assert list(rows) == [("12", "2", "683a", "open"), ("13", "", "687a", "closed")]


def test_whole_list_removes_what_is_not_in_it(preparer: Person) -> None:
    enter(preparer, ("12", "683a", "2"), ("99", "683a"))
    client = browser(preparer)
    _, page = sent(client, pasted=SHEET.replace(",", "\t"), whole="yes")
    assert re.findall(r'data-label="Change">([^<]*)<', page) == ["Add", "Remove"]
    assert client.post(reverse("tables-upload"), hidden(page)).status_code == 302
    shown = re.findall(r'scope="row"><a href="[^"]*">Table ([\w-]+)', own_list(client))
    assert shown == ["12", "13"]


def test_columns_that_sheets_leave_out_stay_as_they_are_until_they_are_applied(preparer: Person) -> None:
    enter(preparer, ("12", "683a", "2", "closed"), ("13", "683a", "4"), ("14", "683a", "5"))
    client = browser(preparer)
    book = workbook({
        "Games": [("number", "game"), ("12", "687a")],
        "Pits": [("number", "game", "pit"), ("13", "687a", "")],
        "Open": [("number", "game", "open"), ("14", "683a", "removed"), ("15", "683a", "no")],
    })  # fmt: skip
    _, page = sent(client, sheet=SimpleUploadedFile("tables.xlsx", book))
    assert re.findall(r'data-label="After">([^<]*)<', page) == [
        "DJ Wild Stud Poker, pit 2, closed", "DJ Wild Stud Poker, open", "Not on the list", "Cajun Stud, closed",
    ]  # fmt: skip
    assert client.post(reverse("tables-upload"), hidden(page)).status_code == 302
    rows = TableEntry.objects.order_by("-pk").values_list("number", "pit", "chapter", "state")[:4]
    assert sorted(rows) == [
        ("12", "2", "687a", "closed"), ("13", "", "687a", "open"), ("14", "5", "683a", "removed"),
        ("15", "", "683a", "closed"),
    ]  # fmt: skip


def test_form_shows_every_column_and_changes_them_all(preparer: Person) -> None:
    enter(preparer, ("12", "683a", "2"))
    client, seen = browser(preparer), str(TableEntry.objects.get().pk)
    page = client.get(reverse("table-change"), {"table": "12"}).content.decode()
    assert re.findall(r'<(?:input|select)[^>]* name="(\w+)"[^>]* id="id_', page) == [
        "number", "chapter", "pit", "state", "from_day",
    ]  # fmt: skip
    assert re.search(r'name="pit" value="2"[^>]* maxlength="80"', page)
    values = {"number": "12", "chapter": "683a", "pit": "", "state": "open", "seen": seen}
    assert client.post(reverse("table-change"), {**values, "from_day": timezone.localdate()}).status_code == 302
    assert TableEntry.objects.latest("pk").pit == ""


def test_wrong_rows_are_listed_together_and_nothing_is_changed(preparer: Person) -> None:
    status, page = sent(browser(preparer), pasted=SHEET + "1-3,,683a,yes\n15,,chess,yes\n")
    assert (status, TableEntry.objects.exists()) == (400, False)
    assert "2 rows cannot be read" in page
    assert "row 4, “number”" in page
    assert "row 5, “game” is “chess”" in page


@pytest.mark.parametrize(
    ("values", "status"),
    [({}, 400), ({"pasted": "number,game"}, 400), ({"pasted": SHEET, "from_day": "2020-01-01"}, 409)],
)
def test_upload_that_cannot_be_used_is_refused(preparer: Person, values: dict[str, str], status: int) -> None:
    assert sent(browser(preparer), **values)[0] == status


def test_list_that_changed_since_the_preview_is_not_overwritten(preparer: Person, manager: Person) -> None:
    client = browser(preparer)
    _, page = sent(client, pasted=SHEET)
    enter(manager, ("12", "687a"))
    assert client.post(reverse("tables-upload"), hidden(page)).status_code == 409
    assert TableEntry.objects.count() == 1


def test_downloads_are_exports_that_are_recorded(preparer: Person, analyst: Person) -> None:
    enter(preparer, ("12", "683a", "2"))
    for person, kind in ((preparer, "csv"), (analyst, "xlsx")):
        answer = browser(person).get(reverse("tables-download", args=["east", kind]))
        assert answer.status_code == 200
    content = b"".join(browser(preparer).get(reverse("tables-download", args=["east", "csv"])).streaming_content)
    assert content.decode("utf-8-sig").splitlines() == ["number,pit,game,open", "12,2,683a,yes"]
    assert AccessRecord.objects.filter(kind=AccessRecord.Kind.EXPORT).count() == 3


def test_qr_codes_lead_to_what_governs_each_open_table(preparer: Person, settings: Any) -> None:
    settings.PUBLIC_URL = "https://rules.example"
    enter(preparer, ("12", "683a"), ("BJ-4", "687a"), ("13", "683a", "", "closed"))
    address = reverse("tables-qr", args=["east"])
    pages = {
        query: _pdf_text(browser(preparer).get(address, {"table": query} if query else {})) for query in ("", "13")
    }
    shown = {query: re.findall(r"https://rules\.example(\S+)", text) for query, text in pages.items()}
    numbers = {"": ["12", "BJ-4"], "13": ["13"]}
    assert shown == {
        query: [reverse("in-force-any-table", args=["east", number]) for number in listed]
        for query, listed in numbers.items()
    }
    assert browser().get(shown[""][0]).status_code == 200
    assert browser(preparer).get(address, {"table": "999"}).status_code == 404


def _pdf_text(response: Any) -> str:
    """The words of a PDF, without the breaks within an address."""
    paper = pypdfium2.PdfDocument(b"".join(response.streaming_content))
    return "".join(page.get_textpage().get_text_range() for page in paper).replace("\r\n", " ")
