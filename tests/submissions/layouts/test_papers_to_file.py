"""Layouts, signs and guides that a licensee must still file: its tasks, which agree with the state of each paper."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.filings import versions
from submissions.filings.review import decisions
from submissions.layouts import layout_filings, layout_review, readiness
from submissions.layouts.readiness import papers_to_file
from submissions.models import LayoutDecision, LayoutStatus, Part, Person, Submission
from tests.submissions.approved import Cast, set_apart
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import decided, layout_row
from tests.submissions.web.clients import browser

GAME = "682a"


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def tasks(person: Person) -> list[tuple[str, str, str]]:
    return [(task.submission.number, task.group, task.words) for task in papers_to_file(person)]


def by_readiness(submission: Submission) -> list[tuple[Part, ...]]:
    """The same parts by the states that the submission's page shows."""
    groups = readiness.readiness_of_revision(submission.revisions.latest("number"))
    return [parts for group in groups if (parts := tuple(part.part for part in group.missing))]


def test_task_lasts_from_the_filing_until_the_papers_are_filed(cast: Cast, manager: Person) -> None:
    draft = ready_to_file(manager, GAME)
    assert tasks(manager) == []
    cast.file(draft)
    assert tasks(manager) == [(draft.number, "", "layout, sign and guide")]
    filing = layout_filings.start_layout_filing(manager, draft, 0, [Part.LAYOUT, Part.SIGN])
    assert tasks(manager) == [(draft.number, "", "guide")]
    layout_filings.withdraw_layout(manager, filing, version=filing.version, reason="For other tables.")
    assert tasks(manager) == [(draft.number, "", "layout, sign and guide")]


def test_task_is_for_each_table_group_by_what_its_page_says(cast: Cast, manager: Person, director: Person) -> None:
    draft = ready_to_file(manager, GAME)
    set_apart(draft, "High limit room", "7-9", all_six_paytable="Paytable E")
    revision = cast.approve(draft)
    filing = layout_row(revision, status=LayoutStatus.RECOMMENDED, parts=[Part.SIGN])
    assert [task.parts for task in papers_to_file(manager)] == by_readiness(draft)
    decided(filing, LayoutDecision.Kind.APPROVE, director, at="2026-11-03T12:00")  # of a sign with other odds
    filing.status = LayoutStatus.APPROVED
    filing.save()
    assert [task.parts for task in papers_to_file(manager)] == by_readiness(draft) == [tuple(Part)] * 2
    assert [group for _, group, _ in tasks(manager)] == ["All other tables", "High limit room"]
    filing = layout_filings.start_layout_filing(manager, draft, 0, [Part.LAYOUT, Part.GUIDE])
    assert tasks(manager)[0] == (draft.number, "All other tables", "updated sign")


def test_returned_replaced_and_discontinued_versions_are_no_task(cast: Cast, manager: Person, analyst: Person) -> None:
    first = cast.version(GAME).submission
    second = cast.amend(first, all_six_paytable="Paytable E").submission
    assert [number for number, _, _ in tasks(manager)] == [second.number]
    returned = cast.file(ready_to_file(manager, "593")).submission
    returned.refresh_from_db()
    decisions.return_to_licensee(analyst, returned, version=returned.version, reason="Which dice?")
    versions.discontinue(manager, second, from_day=timezone.localdate(), reason="No demand.")
    assert tasks(manager) == []


def test_task_is_for_those_who_prepare_for_the_licensee(
    cast: Cast, manager: Person, preparer: Person, reader: Person, stranger: Person, analyst: Person
) -> None:
    cast.version(GAME)
    assert [len(tasks(one)) for one in (manager, preparer, reader, stranger, analyst)] == [1, 1, 0, 0, 0]


def test_receipt_and_first_page_name_the_papers_until_they_are_under_way(
    cast: Cast, manager: Person, analyst: Person
) -> None:
    draft = ready_to_file(manager, GAME)
    cast.file(draft)
    link = f'<a href="{reverse("submission", args=[draft.number])}#following">File the layout, sign and guide'
    pages = [browser(manager).get(reverse("receipt", args=[draft.number])), browser(manager).get(reverse("home"))]
    for page in (page.content.decode() for page in pages):
        assert link in page
        assert "§\N{NO-BREAK SPACE}601a.10" in page
    to_the_board = browser(analyst).get(reverse("receipt", args=[draft.number])).content.decode()
    assert "The licensee files the layout, sign and guide" in to_the_board
    assert link not in to_the_board
    layout_filings.start_layout_filing(manager, draft, 0, list(Part))
    for name, arguments in (("receipt", [draft.number]), ("home", [])):
        assert link not in browser(manager).get(reverse(name, args=arguments)).content.decode()


def test_panel_says_not_filed_where_nothing_ever_was(cast: Cast, manager: Person, director: Person) -> None:
    revision = cast.version(GAME)
    page = browser(manager).get(reverse("submission", args=[revision.submission.number])).content.decode()
    assert page.count('<span class="state state--not-filed">Not filed</span>') == 3
    assert ("File layout, sign and guide" in page, "File updates" in page, "Update required" in page) == (
        True,
        False,
        False,
    )
    filing = layout_row(revision)
    filing.refresh_from_db()
    layout_review.reject(director, filing, version=filing.version, reason="It is of another game.")
    page = browser(manager).get(reverse("submission", args=[revision.submission.number])).content.decode()
    assert page.count("The Board rejected this filing") == 3
