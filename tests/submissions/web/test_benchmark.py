"""The licensees side by side: what is usual, who differs, on which day, and for whose eyes."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from games.registry import chapter
from submissions.models import Person, Revision
from submissions.search.benchmark.comparison import LicenseeComparison, compare_licensees, most_common
from submissions.search.benchmark.games import benchmark_games
from tests.submissions.filing_rows import computed, filing, manager_of, put_in_force
from tests.submissions.web.conftest import browser

DAY = date(2026, 3, 10)


def offered(by: Person, director: Person, paytable: str, hold: float, hand: str, from_day: date = DAY) -> Revision:
    """DJ Wild with the Trips Bonus Wager, in force."""
    revision = filing(
        by,
        answers={"trips_paytable": paytable},
        wagers=[{"key": "ante", "name": "Ante Wager"}, {"key": "trips", "name": "Trips Bonus Wager"}],
        paytables=[{"wager": "trips", "wager_name": "Trips Bonus Wager", "name": paytable}],
        lines=[{"key": "automated_shuffler", "citation": "§ 687a.5", "question": "A shuffler?", "answer": hand}],
    )
    computed(revision, ante=1.024, trips=hold)
    put_in_force(revision, from_day, director)
    return revision


@pytest.fixture
def three(manager: Person, stranger: Person, director: Person) -> None:
    """East differs from two others by its paytable and its shuffler."""
    offered(manager, director, "DJWT-04", 6.157, "No")
    offered(stranger, director, "DJWT-05", 7.526, "Yes")
    offered(manager_of("Casino North"), director, "DJWT-05", 7.526, "Yes")


def compared(day: date = DAY) -> LicenseeComparison:
    return compare_licensees(chapter("687a"), day)


def test_what_differs_from_most_is_marked(three: None) -> None:
    found = compared()
    ante, trips = found.columns
    assert [row.licensee for row in found.rows] == ["Casino East", "Casino North", "Casino West"]
    assert [cell.unlike for cell in ante.cells] == ["", "", ""]
    assert [(cell.offer.hold, cell.unlike, cell.alone) for cell in trips.cells] == [
        ("6.157 %", "DJWT-05", True),
        ("7.526 %", "", False),
        ("7.526 %", "", False),
    ]
    (line,) = found.lines
    assert (line.usual, line.other_answers, line.alone) == ("Yes", (("No", ("Casino East",)),), True)


def test_nothing_is_usual_where_equally_many_differ(manager: Person, stranger: Person, director: Person) -> None:
    offered(manager, director, "DJWT-04", 6.157, "No")
    offered(stranger, director, "DJWT-05", 7.526, "Yes")
    found = compared()
    assert [cell.unlike for column in found.columns for cell in column.cells] == [""] * 4
    assert found.lines[0].usual == ""


def test_same_paytable_with_another_hold_differs_by_the_hold(three: None, director: Person) -> None:
    offered(manager_of("Casino South"), director, "DJWT-05", 7.1, "Yes")
    south = compared().columns[1].cells[2]
    assert (south.offer.hold, south.unlike) == ("7.100 %", "7.526 %")


def test_day_decides(three: None, manager: Person, director: Person) -> None:
    offered(manager, director, "DJWT-05", 7.526, "Yes", from_day=date(2026, 4, 1))
    assert compared(date(2026, 3, 9)).rows == ()
    assert compared(date(2026, 3, 31)).columns[1].cells[0].unlike == "DJWT-05"
    assert compared(date(2026, 4, 1)).columns[1].cells[0].unlike == ""


def test_games_count_paytables_by_licensee(three: None) -> None:
    (game,) = benchmark_games(DAY)
    assert game.licensees == ("Casino East", "Casino North", "Casino West")
    assert game.paytables == (("Trips Bonus Wager", (("DJWT-05", 2), ("DJWT-04", 1))),)
    assert benchmark_games(date(2026, 3, 9)) == []


def test_licensee_with_several_groups_counts_once() -> None:
    assert most_common([("East", "a"), ("East", "a"), ("East", "a"), ("West", "b"), ("North", "b")]) == "b"
    assert most_common([]) is None


def test_page_says_it_in_words_and_in_a_plot(three: None, director: Person) -> None:
    shown = browser(director).get(f"{reverse('across-game', args=['687a'])}?on=2026-03-10").content.decode()
    assert "Only here; most: DJWT-05" in shown
    assert "Trips Bonus Wager: hold by licensee" in shown
    assert "Approved at 3 licensees on March 10, 2026" in shown
    index = browser(director).get(f"{reverse('across')}?on=2026-03-10").content.decode()
    assert "DJWT-05" in index
    assert "Casino East, Casino North, Casino West" in index


@pytest.mark.parametrize("address", ["/across/", "/across/687a/"])
def test_day_that_is_none_is_told(director: Person, three: None, address: str) -> None:
    answer = browser(director).get(f"{address}?on=yesterday")
    assert answer.status_code == 400
    assert "“yesterday” is not a valid date." in answer.content.decode()


def test_unknown_game_is_not_there(director: Person) -> None:
    assert browser(director).get("/across/999z/").status_code == 404
