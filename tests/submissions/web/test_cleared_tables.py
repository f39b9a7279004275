"""Tables whose papers are approved: green only where the table list says so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.filings import versions
from submissions.models import Person, Revision
from tests import cast as people
from tests.submissions.approved import Cast
from tests.submissions.layout_rows import approved_papers
from tests.submissions.table_list.lists import enter
from tests.submissions.web.table_pages import GRAY, GREEN, RED, by_game, by_table, verdict, version_with_a_group

DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def approved(module_rows: None) -> Revision:
    """A version with two groups of tables, the papers of both approved."""
    cast = Cast(people.manager(), people.analyst(), people.director(), computes=False)
    revision = version_with_a_group(cast)
    for group in (0, 1):
        approved_papers(cast, revision, group=group)
    return revision


@pytest.fixture
def cleared(approved: Revision, db: None) -> Revision:
    return Revision.objects.get(pk=approved.pk)


def test_open_table_of_the_game_is_green_with_what_governs_it(cleared: Revision, preparer: Person) -> None:
    enter(preparer, ("3", "686a"), ("4", "686a"))
    for number, governed in (
        ("3", "the group <strong>High limit</strong>"),
        ("4", "<strong>all other tables</strong>"),
    ):
        for page in (by_game(number), by_table(number)):
            assert GREEN in page
            assert verdict(page) == (f"verdict {GREEN}", "Cleared for play")
            assert governed in page


def test_any_other_table_is_never_green(cleared: Revision, preparer: Person) -> None:
    enter(preparer, ("3", "686a", "", "closed"), ("5", "683a"))
    pages = {number: by_game(number) for number in ("3", "5", "99", "999")}
    assert {number: verdict(page) for number, page in pages.items()} == {
        "3": (f"verdict {RED}", "Not cleared for play: the table is closed"),
        "5": (f"verdict {GRAY}", "Not on the table list: listed for another game than Over/Under"),
        "99": (f"verdict {GRAY}", "Not on the table list"),
        "999": (f"verdict {GRAY}", "Not on the table list"),
    }
    assert (
        "Table 999 is not on Casino East&#x27;s table list. If it offers Over/Under, these rules apply." in pages["999"]
    )
    assert reverse("in-force-any-table", args=["east", "5"]) in pages["5"]


def test_casino_without_a_list_is_green_only_where_the_filing_names_the_table(cleared: Revision) -> None:
    named, unnamed = by_game("3"), by_game("4")
    for page in (named, unnamed):
        assert "The portal has no table list of this casino." in page
    assert (GREEN in named, GREEN in unnamed) == (True, False)


def test_discontinued_game_is_not_green_at_a_listed_table(cleared: Revision, manager: Person, preparer: Person) -> None:
    enter(preparer, ("3", "686a"))
    last = timezone.localdate() + 5 * DAY
    versions.discontinue(manager, cleared.submission, from_day=last, reason="Closed.")
    assert [GREEN in by_table("3", on=day.isoformat()) for day in (last - DAY, last)] == [True, False]
