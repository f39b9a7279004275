"""The Board's queue: its filters, sorting, counts, target days and saved views."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.filings.review.assignments import assign_work
from submissions.models import LayoutStatus, Part, Person, Revision, SavedFilter, Simulation, Status
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import layout_row
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.service("queries")


def ago(days: int) -> str:
    return f"{timezone.localdate() - timedelta(days)}T12:00"


@pytest.fixture
def three(manager: Person, stranger: Person) -> tuple[Revision, Revision, Revision]:
    """Filed 40, 20 and 5 days ago: 687a and 682a of Casino East, 687a of Casino West."""
    return (
        filing(manager, "687a", at=ago(40)),
        filing(manager, "682a", at=ago(20)),
        filing(stranger, "687a", at=ago(5)),
    )


def numbers(person: Person, **asked: Any) -> list[str]:
    answer = browser(person).get(reverse("home"), asked)
    assert answer.status_code == 200
    return [row.submission.number for row in answer.context["rows"]]


def places(three: tuple[Revision, ...], found: list[str]) -> list[int]:
    """0, 1, 2 for the rows of `three`."""
    return [[revision.submission.number for revision in three].index(number) for number in found]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, [0, 1, 2]),
        ({"chapter": "687a"}, [0, 2]),
        ({"licensee": "west"}, [2]),
        ({"overdue": "yes"}, [0]),
        ({"by": "due"}, [0, 1, 2]),
        ({"by": "chapter"}, [1, 0, 2]),
        ({"by": "licensee", "chapter": "687a"}, [0, 2]),
        ({"status": "filed"}, [0, 1, 2]),
        ({"status": "returned"}, []),
        ({"assigned": "none"}, [0, 1, 2]),
        ({"assigned": "me"}, []),
    ],
)
def test_queue_filtered_and_sorted(
    three: tuple[Revision, ...], analyst: Person, asked: dict[str, str], expected: list[int]
) -> None:
    for place, revision in enumerate(three):  # as the events of a filing would say
        type(revision.submission).objects.filter(pk=revision.submission.pk).update(
            created_at=revision.filed_at + timedelta(minutes=place)
        )
    assert places(three, numbers(analyst, **asked)) == expected


@pytest.mark.parametrize("status", [Status.FILED, Status.RECOMMENDED, Status.RETURNED])
def test_queue_shows_the_simulations_whoever_has_the_filing(manager: Person, analyst: Person, status: Status) -> None:
    for passed in (True, False, None):
        revision = filing(manager, at=ago(5), status=status)
        Simulation.objects.create(revision=revision, seed=1, rounds=1, block_rounds=1, passed=passed)
    answer = browser(analyst).get(reverse("home"), {"status": status})
    shown = {row.submission.number: row.simulation for row in answer.context["rows"]}
    assert [shown[number] for number in sorted(shown)] == ["Passed", "Does not agree", "Running"]


def test_queue_by_assignment(three: tuple[Revision, ...], analyst: Person, director: Person) -> None:
    assign_work(director, three[1].submission, analyst)
    assert places(three, numbers(analyst, assigned="me")) == [1]
    assert places(three, numbers(director, assigned=analyst.pk)) == [1]
    assert sorted(places(three, numbers(director, assigned="none"))) == [0, 2]
    page = browser(analyst).get(reverse("home"))
    links = {link.label: link.count for link in page.context["counts"]}
    assert links == {"All waiting": 3, "Assigned to me": 1, "Unassigned": 2, "Overdue": 1}


def test_queue_counts_by_game_and_licensee(three: tuple[Revision, ...], analyst: Person) -> None:
    text = browser(analyst).get(reverse("home")).content.decode()
    assert '<option value="687a">DJ Wild Stud Poker (687a) (2)</option>' in text
    assert '<option value="west">Casino West (1)</option>' in text


def test_queue_refuses_what_it_does_not_understand(three: tuple[Revision, ...], analyst: Person) -> None:
    for asked in ({"chapter": "999"}, {"licensee": "nowhere"}, {"assigned": "0"}, {"by": "luck"}):
        answer = browser(analyst).get(reverse("home"), asked)
        assert answer.status_code == 400
        assert "Part of the filter was not understood" in answer.content.decode()


def test_layouts_follow_the_filter(three: tuple[Revision, ...], analyst: Person, director: Person) -> None:
    late, new = (layout_row(three[0], at=ago(days), status=LayoutStatus.FILED, parts=(Part.SIGN,)) for days in (20, 1))
    assign_work(director, new, analyst)

    def shown(**asked: str) -> list[str]:
        rows = browser(analyst).get(reverse("home"), asked).context["layouts_waiting"]
        return [row.filing.number for row in rows]

    assert shown() == [late.number, new.number]
    assert shown(overdue="yes") == [late.number]
    assert shown(assigned="me") == [new.number]
    assert shown(chapter="682a") == []


def test_target_is_told_apart_from_the_statutory_days(three: tuple[Revision, ...], analyst: Person) -> None:
    layout_row(three[0], at=ago(1), status=LayoutStatus.FILED, parts=(Part.SIGN,))
    text = browser(analyst).get(reverse("home")).content.decode()
    assert "Overdue: the target was" in text
    assert ", 10 days left" in text
    assert "statutory: review within 15 calendar days (§ 601a.10)" in text


def test_no_target_means_nothing_is_overdue(three: tuple[Revision, ...], analyst: Person, settings: Any) -> None:
    settings.TARGET_DAYS = 0
    assert numbers(analyst, overdue="yes") == []


def test_decided_filing_has_no_target(manager: Person, analyst: Person) -> None:
    filing(manager, "687a", at=ago(99), status=Status.APPROVED)
    assert numbers(analyst, overdue="yes") == []


def test_view_saved_listed_and_deleted(three: tuple[Revision, ...], analyst: Person, director: Person) -> None:
    client = browser(analyst)
    answer = client.post(reverse("save-view"), {"query": "assigned=me&chapter=687a", "name": "Mine"}, follow=True)
    assert answer.redirect_chain == [("/?chapter=687a&assigned=me", 302)]
    assert '<a href="/?chapter=687a&amp;assigned=me">Mine</a>' in answer.content.decode()
    assert "Mine" not in client.get(reverse("search")).content.decode().split("Saved searches")[1]
    assert '">Mine</a>' not in browser(director).get(reverse("home")).content.decode()
    saved = SavedFilter.objects.get()
    assert client.post(reverse("forget-filter", args=[saved.pk])).headers["Location"] == "/"
    assert not SavedFilter.objects.exists()


def test_view_refused_with_a_filter_that_is_not_understood(analyst: Person, manager: Person) -> None:
    assert browser(analyst).post(reverse("save-view"), {"query": "by=luck", "name": "X"}).status_code == 400
    assert browser(manager).post(reverse("save-view"), {"query": "chapter=687a", "name": "X"}).status_code == 403
