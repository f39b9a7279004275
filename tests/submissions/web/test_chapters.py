"""The chapters on the pages: their index, and starting one of them from a licensee's first page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.maths.published import printed
from games.registry import chapter, chapters
from submissions.filings import drafts, filing
from submissions.filings.evidence import computations
from submissions.models import Document, Person, Status, StoredFile, Submission, Version
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.django_db


def words(fragment: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", fragment))).strip()


def rows_of(page: str) -> dict[str, str]:
    """The index: chapter's number → its row in words."""
    rows = [words(row) for row in page.split("<tbody>")[1].split("</tbody>")[0].split("<tr>")[1:]]
    return {row.split()[0]: row for row in rows}


def approve(submission: Submission, manager: Person) -> None:
    """An approved version with its document, without the review before it."""
    revision = filing.file_submission(manager, submission, version=submission.version, attested=True)
    signed = StoredFile.objects.create(sha256=revision.sha256, size=1, media_type="application/pdf", content=b"%")
    Document.objects.create(
        revision=revision, unsigned_sha256="0" * 64, signed=signed, pages=1, signer="The Board",
        signed_at=timezone.now(), verification={}, demo=True,
    )  # fmt: skip
    Submission.objects.filter(pk=submission.pk).update(status=Status.APPROVED)
    Version.objects.create(
        organization=submission.organization, chapter=submission.chapter, from_day=timezone.localdate(),
        revision=revision, by=manager, made_at=timezone.now(),
    )  # fmt: skip


def test_index_lists_every_chapter_in_order_with_its_standing() -> None:
    rows = rows_of(browser().get(reverse("chapters")).content.decode())
    assert list(rows) == [one.number for one in chapters()]
    assert rows["581"].endswith(f"Temporary Complete {len(chapter('581').readings)} No licensee today")
    assert "Final Incomplete" in rows["637a"]
    assert rows["686a"].endswith("No licensee today")


def test_index_names_who_offers_a_game_and_nothing_of_drafts(manager: Person, stranger: Person) -> None:
    approve(complete(manager, "686a"), manager)
    complete(stranger, "686a")
    complete(stranger, "687a")
    rows = rows_of(browser().get(reverse("chapters")).content.decode())
    assert rows["686a"].endswith("Casino East")
    assert rows["687a"].endswith("No licensee today")
    page = words(browser().get(reverse("chapter", args=["686a"])).content.decode())
    assert "Approved today at: Casino East." in page


@pytest.mark.parametrize(
    ("by", "first"),
    [("number", "581"), ("title", "683a"), ("readings", "688a"), ("nonsense", "581")],
)
def test_index_is_sorted_by_a_column(by: str, first: str) -> None:
    page = browser().get(reverse("chapters"), {"by": by}).content.decode()
    assert next(iter(rows_of(page))) == first
    assert page.count("aria-sort=") == 1


def test_incomplete_chapter_says_what_is_missing() -> None:
    page = words(browser().get(reverse("chapter", args=["637a"])).content.decode())
    assert f"Missing: {chapter('637a').missing}" in page.replace("\N{NO-BREAK SPACE}", " ")


def test_public_page_has_the_paytables_of_a_part_that_a_line_chooses() -> None:
    computations.compute_figures(chapter("682a"))
    page = browser().get(reverse("chapter", args=["682a"])).content.decode().replace("\N{NO-BREAK SPACE}", " ")
    part = words(page.split('id="paytables-of-bad_beat"')[1].split('id="paytables-of-prime"')[0])
    assert "Three-of-a-kind 2 to 1 5 to 1 5 to 1 10 to 1" in part  # § 682a.12(c)
    assert "Hold of the Ante Wager, per unit wagered 2.625 % 2.536 % 2.535 % 2.390 %" in part


def test_index_and_home_take_few_queries_whatever_they_show(
    preparer: Person, manager: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for one in chapters():
        drafts.start_submission(preparer, one.number)
    approve(complete(manager, "686a"), manager)
    nobody, somebody = browser(), browser(preparer)
    with django_assert_num_queries(2):
        nobody.get(reverse("chapters"))
    # The frame's (session; the account, its rows and their properties; notices); what is approved, what waits, all
    # of it, counted, its layouts; the batches to confirm; the answers of the drafts that wait, and of all;
    # what a rulemaking asks to file again; the other drafts, the Board's orders, what is sent to the manager, the games
    # filed before, and twice whether this preparer is stand-in for the manager; the open tables, the games in effect,
    # and four for the layouts, signs and guides to file.
    with django_assert_num_queries(25):
        somebody.get(reverse("home"))


def test_home_starts_every_game_after_what_waits(preparer: Person) -> None:
    drafts.start_submission(preparer, "581")
    page = browser(preparer).get(reverse("home")).content.decode()
    assert page.index('id="waiting"') < page.index('id="all"') < page.index('id="start"')
    started = re.findall(r'action="/submissions/start/(\w+)/"', page)
    assert sorted(started) == sorted(one.number for one in chapters())
    assert re.findall(r"<summary>([^<]+)</summary>", page) == [
        "Final rules (8)",
        "Temporary rules (10)",
        "Proposed rules (3)",
    ]


def test_reader_sees_the_games_but_starts_none(reader: Person) -> None:
    page = browser(reader).get(reverse("home")).content.decode()
    assert "/submissions/start/" not in page
    assert "Flop Poker" in page


def test_what_waits_is_shown_on_every_page_of_submissions(preparer: Person) -> None:
    first = drafts.start_submission(preparer, "581")
    for _ in range(51):
        Submission.objects.filter(pk=drafts.start_submission(preparer, "583").pk).update(status=Status.WITHDRAWN)
    page = browser(preparer).get(reverse("home")).content.decode()
    waiting = page.split('id="waiting"')[1].split("</section>")[0]
    assert first.number in waiting


def test_chapter_shows_what_the_board_printed_beside_ours() -> None:
    computations.compute_figures(chapter("686a"))
    page = words(browser().get(reverse("chapter", args=["686a"])).content.decode())
    told = page.split("Figures published by the Board")[-1].replace("\N{NO-BREAK SPACE}", " ")
    assert "98.95% payback 98.950157 % Reproduced" in told


def test_figure_without_ours_cannot_be_checked() -> None:
    rows = printed(chapter("687a"), [])
    assert len(rows) == len(chapter("687a").published)
    assert {(row.ours, row.reproduced, row.verdict) for row in rows} == {("", None, "cannot be compared")}
