"""Looking for submissions on the page: what stays typed, what is kept, what is taken away."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from datetime import date
from io import BytesIO, StringIO

import pytest
from django.urls import reverse
from django.utils import timezone
from lxml import html

from submissions.models import Document, Organization, Person, Revision, SavedFilter, Status, StoredFile
from submissions.public import exports
from submissions.public import pages as public_pages
from tests.submissions.filing_rows import computed, draft, filing, manager_of, put_in_force
from tests.submissions.web.clients import HTMX, browser

pytestmark = pytest.mark.service("queries")


def page(person: Person, query: str = "", **headers: object) -> tuple[int, str]:
    answer = browser(person, headers=headers).get(f"{reverse('search')}?{query}")
    return answer.status_code, answer.content.decode()


def rows(person: Person, query: str = "") -> list[dict[str, str]]:
    """The table that is taken away."""
    answer = browser(person).get(f"{reverse('export-csv')}?{query}")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text, newline="")))


def sign(revision: Revision, content: bytes) -> None:
    digest = hashlib.sha256(content).hexdigest()
    stored = StoredFile.objects.create(sha256=digest, media_type="application/pdf", size=len(content), content=content)
    Document.objects.create(
        revision=revision, unsigned_sha256="0" * 64, signed=stored, pages=1, signer="Demo",
        signed_at=timezone.now(), verification={}, demo=True,
    )  # fmt: skip


@pytest.fixture
def two(manager: Person, stranger: Person) -> list[Revision]:
    wagers = [{"key": "trips", "name": "Trips Bonus Wager"}]
    tables = [{"wager": "trips", "wager_name": "Trips Bonus Wager", "name": "DJWT-05"}]
    east = filing(manager, answers={"trips_paytable": "DJWT-05"}, wagers=wagers, paytables=tables)
    computed(east, trips=7.525704041)
    return [east, filing(stranger, "686a", status=Status.APPROVED)]


def test_board_sees_who_uses_a_paytable_on_a_day_and_with_what_hold(
    manager: Person, stranger: Person, director: Person
) -> None:
    people = (manager, stranger, manager_of("Casino North"))
    for by, name, hold in zip(people, ("DJWT-04", "DJWT-05", "DJWT-05"), (6.157, 7.526, None), strict=True):
        tables = [{"wager": "trips", "wager_name": "Trips Bonus Wager", "name": name}]
        wagers = [{"key": "trips", "name": "Trips Bonus Wager"}]
        revision = filing(by, answers={"trips_paytable": name}, wagers=wagers, paytables=tables)
        if hold:
            computed(revision, trips=hold)
        put_in_force(revision, date(2026, 3, 10), director)
    query = "chapter=687a&paytable=trips/DJWT-05&by=licensee&in_force="
    shown = html.fromstring(page(director, f"{query}2026-03-10")[1])
    cells = [[" ".join(cell.text_content().split()) for cell in row] for row in shown.xpath("//table/tbody/tr")]
    assert [(row[1], row[-1]) for row in cells] == [
        ("Casino North", "DJWT-05, not computed yet"), ("Casino West", "DJWT-05, 7.526 %"),
    ]  # fmt: skip
    assert "0 submissions found" in page(director, f"{query}2026-03-09")[1]


def test_page_shows_what_is_found_and_keeps_the_form(analyst: Person, two: list[Revision]) -> None:
    status, shown = page(analyst, "chapter=687a&paytable=trips/DJWT-05&words=east&filed_to=2026-03-03")
    assert status == 200
    assert "1 submission found" in shown
    assert ("RS-2026-00001" in shown, "RS-2026-00002" in shown) == (True, False)
    assert '<option value="trips/DJWT-05" selected>DJWT-05</option>' in shown
    assert 'value="2026-03-03"' in shown


def test_page_of_bad_fields_names_each_and_finds_nothing(analyst: Person, two: list[Revision]) -> None:
    status, shown = page(analyst, "chapter=686a&option=trips_paytable&filed_from=31.12.2026&words=" + "x" * 10_000)
    assert status == 400
    assert "3 fields have errors" in shown
    assert 'value="31.12.2026" aria-invalid="true" aria-describedby="filed_from-fault"' in shown
    assert "x" * 10_000 in shown
    assert "submissions found" not in shown


@pytest.mark.parametrize("asked", ["abc", "0", "99", "-1"])
def test_page_that_is_none_is_told(analyst: Person, two: list[Revision], asked: str) -> None:
    status, shown = page(analyst, f"page={asked}")
    assert (status, f"This search does not have a page “{asked}”." in shown) == (400, True)
    assert "2 submissions found" in shown


def test_choosing_a_game_offers_its_lines_and_paytables(analyst: Person) -> None:
    status, shown = page(analyst, "chapter=687a&option=adjacent_boxes&value=3&status=filed", **HTMX)
    assert status == 200
    assert '<optgroup label="Trips Bonus Wager">' in shown
    assert 'id="option"' in shown


def test_pages_go_on_with_the_same_search(manager: Person, analyst: Person) -> None:
    for _ in range(public_pages.SUBMISSIONS_PER_PAGE + 1):
        filing(manager, "686a")
    _, shown = page(analyst, "chapter=686a&by=number")
    assert "Page 1 of 2" in shown
    assert 'href="?chapter=686a&amp;by=number&amp;page=2"' in shown
    _, last = page(analyst, "chapter=686a&by=number&page=2")
    assert last.count('<th scope="row"') == 1


def test_words_of_others_are_shown_as_words(stranger: Person, analyst: Person) -> None:
    Organization.objects.filter(pk=stranger.organization_id).update(name="<b>West</b>")
    filing(stranger)
    assert "&lt;b&gt;West&lt;/b&gt;" in page(analyst)[1]


def test_licensee_neither_sees_nor_names_another(manager: Person, two: list[Revision]) -> None:
    _, shown = page(manager)
    assert "Casino West" not in shown
    assert page(manager, "licensee=west")[0] == 400


def test_search_is_saved_found_again_and_deleted(analyst: Person, director: Person, two: list[Revision]) -> None:
    client = browser(analyst)
    saved = client.post(reverse("keep-filter"), {"name": " What is  filed ", "query": "status=filed&words=east"})
    kept = SavedFilter.objects.get()
    assert (kept.person, kept.name, kept.query) == (analyst, "What is filed", "words=east&status=filed")
    assert saved["Location"] == "/search/?words=east&status=filed"
    assert 'href="/search/?words=east&amp;status=filed">What is filed</a>' in page(analyst)[1]
    assert "What is filed" not in page(director)[1]
    assert browser(director).post(reverse("forget-filter", args=[kept.pk])).status_code == 404
    assert client.post(reverse("forget-filter", args=[kept.pk])).status_code == 302
    assert not SavedFilter.objects.exists()


@pytest.mark.parametrize(
    ("name", "query", "words"),
    [
        ("", "status=filed", "The name of the search is missing."),
        ("  ", "status=filed", "The name of the search is missing."),
        ("x" * 81, "status=filed", "The name has 81 characters. The limit is 80."),
        ("Mine", "status=filed", "You already have a search named “Mine”."),
        ("New", "", "This search is empty."),
        ("New", "status=lost", "“lost” is not a known status."),
        ("a\x00b", "status=filed", "cannot be printed"),
    ],
)
def test_search_that_cannot_be_saved_keeps_its_name(analyst: Person, name: str, query: str, words: str) -> None:
    SavedFilter.objects.create(person=analyst, name="Mine", query="status=returned")
    answer = browser(analyst).post(reverse("keep-filter"), {"name": name, "query": query})
    assert (answer.status_code, words in answer.content.decode()) == (400, True)
    assert f'name="name" value="{name}"' in answer.content.decode()
    assert SavedFilter.objects.count() == 1


def test_table_has_a_row_for_each_that_is_found(analyst: Person, manager: Person, two: list[Revision]) -> None:
    sign(two[1], b"%PDF-1.7 west")
    east, west = rows(analyst, "by=number")
    assert east == {
        "Number": "RS-2026-00001",
        "Receipt": "RS-2026-00001-R1",
        "Licensee": "Casino East",
        "Chapter": "687a",
        "Game": "DJ Wild Stud Poker",
        "State": "Filed",
        "Filed at": "2026-03-03T12:00:00-05:00",
        "In effect from": "",
        "Paytables": "Trips Bonus Wager: DJWT-05",
        "Holds": "Trips Bonus Wager: 7.526 %",
        "Signed document": "",
    }
    assert west["Signed document"] == "RS-2026-00002-R1.pdf"
    assert [row["Number"] for row in rows(analyst, "words=west")] == ["RS-2026-00002"]
    assert [row["Number"] for row in rows(manager)] == ["RS-2026-00001"]


def test_table_has_all_pages_and_drafts_of_ones_own(manager: Person) -> None:
    for _ in range(60):
        filing(manager, "686a")
    draft(manager)
    assert len(rows(manager)) == 61
    assert rows(manager, "status=draft")[0]["Receipt"] == ""


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1+2", "@SUM(A1)", "\tx"])
def test_table_holds_no_formula(stranger: Person, analyst: Person, name: str) -> None:
    Organization.objects.filter(pk=stranger.organization_id).update(name=name)
    filing(stranger)
    assert rows(analyst)[0]["Licensee"] == f"'{name}"


@pytest.mark.parametrize("name", ["export-csv", "export-zip"])
def test_nothing_is_taken_away_by_a_search_that_is_not_understood(analyst: Person, name: str) -> None:
    answer = browser(analyst).get(f"{reverse(name)}?status=lost")
    assert (answer.status_code, "“lost” is not a known status." in answer.content.decode()) == (400, True)


def test_archive_has_the_signed_documents_and_their_table(
    analyst: Person, stranger: Person, two: list[Revision]
) -> None:
    sign(two[0], b"%PDF-1.7 east")
    sign(two[1], b"%PDF-1.7 west")
    answer = browser(analyst).get(f"{reverse('export-zip')}?words=west")
    with zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content))) as packed:
        assert packed.testzip() is None
        assert packed.namelist() == ["index.csv", "RS-2026-00002-R1.pdf"]
        assert packed.read("RS-2026-00002-R1.pdf") == b"%PDF-1.7 west"
        assert packed.read("index.csv").decode("utf-8-sig").count("RS-2026-") == 3  # number, receipt, document
    assert browser(stranger).get(f"{reverse('export-zip')}?words=east").status_code == 400


def test_archive_that_is_too_large_is_refused(
    analyst: Person, two: list[Revision], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, revision in enumerate(two):
        sign(revision, b"%PDF-1.7 " + str(place).encode())
    monkeypatch.setattr(exports, "MOST", 1)
    answer = browser(analyst).get(reverse("export-zip"))
    assert answer.status_code == 400
    assert "The search finds 2 signed documents" in answer.content.decode()
    assert browser(analyst).get(f"{reverse('export-zip')}?words=east").status_code == 200
