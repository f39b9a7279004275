"""Layouts, signs and guides on the first page: the soonest due first, in a number of queries that is written here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.layouts.pages import layout_worklist
from submissions.models import LayoutDecision, LayoutFiling, LayoutStatus, Part, Person, Revision
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import decided, filed_again, layout_row
from tests.submissions.web.clients import browser

QUERIES = 29  # of the whole page at most; see `test_queue` for those without layouts
Kind = LayoutDecision.Kind


@pytest.fixture
def rules(manager: Person) -> Revision:
    return filing(manager, "682a")


def ago(days: int) -> str:
    return f"{timezone.localdate() - timedelta(days)}T00:00"


def row(rules: Revision, days: int, status: LayoutStatus = LayoutStatus.FILED) -> LayoutFiling:
    return layout_row(rules, at=ago(days), status=status, parts=(Part.SIGN, Part.GUIDE))


def waits(person: Person, **asked: str) -> list[tuple[str, str]]:
    """(number, days left) of each row that waits on the person."""
    answer = browser(person).get(reverse("home"), asked)
    return [(one.filing.number, one.days_left) for one in answer.context["layouts_waiting"]]


def test_overdue_is_on_top_and_the_soonest_due_follows(rules: Revision, analyst: Person) -> None:
    new, late, old, later = (row(rules, days).number for days in (0, 18, 12, 16))
    assert waits(analyst) == [(late, "−3"), (later, "−1"), (old, "3"), (new, "15")]
    assert "<strong>2 overdue</strong>" in browser(analyst).get(reverse("home")).content.decode()


def test_corrected_filing_is_due_by_the_days_that_are_left(rules: Revision, analyst: Person) -> None:
    corrected, other = row(rules, 20), row(rules, 10)
    decided(corrected, Kind.NOTICE, analyst, at=ago(15))  # four days were used: eleven are left from yesterday on
    filed_again(corrected, rules, at=ago(1))
    assert waits(analyst) == [(other.number, "5"), (corrected.number, "10")]


def test_each_state_waits_on_its_people(
    rules: Revision, manager: Person, analyst: Person, director: Person, other_director: Person
) -> None:
    filed, reported = row(rules, 1), row(rules, 2, LayoutStatus.RECOMMENDED)
    for status in (LayoutStatus.DEFICIENT, LayoutStatus.APPROVED, LayoutStatus.WITHDRAWN):
        row(rules, 3, status)
    decided(reported, Kind.RECOMMEND, director, at=ago(0))
    assert waits(analyst) == waits(director) == [(filed.number, "14")]
    assert waits(other_director) == [(reported.number, "13"), (filed.number, "14")]
    queue = browser(analyst).get(reverse("home")).content.decode()
    address = "?layouts=1"
    assert f'href="{address}#layouts-all"' in queue
    answer = browser(analyst).get(reverse("home") + address)
    assert len(answer.context["layouts"]) == 5


def test_queue_tells_what_it_is_and_the_clock_in_words(rules: Revision, analyst: Person) -> None:
    found = row(rules, 12)
    words = browser(analyst).get(reverse("home")).content.decode()
    due = timezone.localdate() + timedelta(3)
    assert f"Day 12 of 15 · due {due:%B} {due.day}, {due.year}" in words
    for told in (found.number, "Payout sign and gaming guide", "All tables", "Four Card Prime"):
        assert told in words


def test_draft_of_a_licensee_is_not_in_the_queue(rules: Revision, analyst: Person, manager: Person) -> None:
    draft = LayoutFiling.objects.create(
        number="LF-2026-00009", submission=rules.submission, parts=["sign"], created_by=manager
    )
    assert draft.number not in browser(analyst).get(reverse("home")).content.decode()
    mine = browser(manager).get(reverse("home"))
    assert [one.filing.number for one in mine.context["layouts"]] == [draft.number]
    assert "Not filed yet" in mine.content.decode()


def test_licensee_sees_its_own_the_deficient_first(
    rules: Revision, manager: Person, stranger: Person, analyst: Person
) -> None:
    deficient = row(rules, 5, LayoutStatus.DEFICIENT)
    decided(deficient, Kind.NOTICE, analyst, at=ago(2))
    others = [row(rules, 3, LayoutStatus.APPROVED), row(rules, 2)]
    layout_row(filing(stranger, "682a"))
    answer = browser(manager).get(reverse("home"))
    numbers = [one.filing.number for one in answer.context["layouts"]]
    assert numbers == [deficient.number, *(one.number for one in reversed(others))]
    assert [one.filing.number for one in answer.context["layouts_waiting"]] == [deficient.number]
    for told in ("13 days left", "Correct what the notice names and file again"):
        assert told in answer.content.decode()
    assert "You have no open tasks." not in answer.content.decode()


def test_what_waits_has_pages(rules: Revision, analyst: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_worklist, "PAGE", 1)
    later, sooner = row(rules, 1).number, row(rules, 2).number
    assert waits(analyst) == [(sooner, "13")]
    assert waits(analyst, **{"layouts-waiting": "2"}) == [(later, "14")]
    assert waits(analyst, **{"layouts-waiting": "x"}) == [(sooner, "13")]


@pytest.mark.parametrize("who", ["manager", "analyst", "director"])
def test_first_page_costs_the_same_with_thirty_layouts_as_with_three(
    request: pytest.FixtureRequest, rules: Revision, who: str, django_assert_max_num_queries: Any
) -> None:
    client = browser(request.getfixturevalue(who))
    for days in range(3):
        row(rules, days)
    with django_assert_max_num_queries(QUERIES) as few:
        client.get(reverse("home"))
    for days in range(27):
        row(rules, days)
    with django_assert_max_num_queries(len(few)):
        client.get(reverse("home"))
