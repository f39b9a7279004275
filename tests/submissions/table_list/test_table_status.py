"""How a table is on the list for a game on a day, in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from submissions.core.dates import date_text
from submissions.filings.tables.table_status import ListStatus, TableStatus, table_status
from submissions.models import Organization, Person
from tests.submissions.table_list.lists import enter

pytestmark = pytest.mark.service("queries")

DAY = timedelta(days=1)


def status_of(casino: Organization, number: str, days: int = 0, chapter: str = "683a") -> TableStatus:
    return table_status(casino, number, timezone.localdate() + days * DAY, chapter)


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    """No day ends while a test asks about days from today on."""
    with time_machine.travel(timezone.localtime().replace(hour=12)):
        yield


def test_only_a_table_that_is_open_for_the_game_is_confirmed(preparer: Person, casino: Organization) -> None:
    enter(preparer, ("12", "683a"), ("13", "683a", "", "closed"), ("14", "687a"))
    enter(preparer, ("12", "687a"), from_day=timezone.localdate() + 5 * DAY)
    found = [status_of(casino, *what) for what in (("12",), ("13",), ("14",), ("999",), ("12", -1), ("12", 5))]
    assert [row.status for row in found] == [
        ListStatus.OPEN, ListStatus.CLOSED, ListStatus.OTHER_GAME, ListStatus.NOT_LISTED, ListStatus.NO_LIST,
        ListStatus.OTHER_GAME,
    ]  # fmt: skip
    assert [row.is_confirmed for row in found] == [True, False, False, False, False, False]


def test_words_name_the_list_the_state_and_the_condition(preparer: Person, casino: Organization) -> None:
    since = date_text(timezone.localdate())
    assert status_of(casino, "999").words == (
        "The portal has no table list of this casino. If it offers Cajun Stud, these rules apply."
    )
    enter(preparer, ("12", "683a"), ("13", "683a", "", "closed"), ("14", "687a"))
    assert {number: status_of(casino, number).words for number in ("12", "13", "14", "999")} == {
        "12": f"Casino East's table list has table 12 for Cajun Stud, open since {since}.",
        "13": f"Casino East's table list has table 13 for Cajun Stud, closed since {since}. "
        "When it opens for Cajun Stud, these rules apply.",
        "14": f"Casino East's table list has table 14 for DJ Wild Stud Poker since {since}. "
        "If it offers Cajun Stud, these rules apply.",
        "999": "Table 999 is not on Casino East's table list. If it offers Cajun Stud, these rules apply.",
    }


def test_game_is_that_of_the_list_where_none_is_asked_about(preparer: Person, casino: Organization) -> None:
    enter(preparer, ("12", "683a"))
    assert status_of(casino, "12", chapter="").game == "Cajun Stud"
    assert status_of(casino, "999", chapter="").words == "Table 999 is not on Casino East's table list."
