"""Changing a table list: who may, what is stored, what is refused, and what the list is on which day."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.utils import timezone

from submissions.audit.row_seals import rows_in
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings.tables import table_lists
from submissions.filings.tables.table_lists import (
    TableRow,
    change_table_list,
    entries_on,
    has_list,
    in_order,
    last_entry,
    open_tables,
    plan_changes,
    table_words,
)
from submissions.models import Event, Organization, Person, TableEntry
from submissions.permissions import published_tables, tables_visible_to
from tests.submissions.table_list.lists import enter, table_row

pytestmark = pytest.mark.service("locks")

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


def shown(casino: Organization, day: date) -> list[tuple[str, str, str, str]]:
    rows = in_order(entries_on(day).filter(organization=casino))
    return [(row.number, row.chapter, row.pit, row.state) for row in rows]


def test_list_is_in_the_order_of_the_numbers(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("BJ-12", "683a"), ("12", "683a", "2"), ("BJ-4", "687a"), ("003", "687a", "1", "closed"))
    assert shown(casino, today) == [
        ("3", "687a", "1", "closed"),
        ("12", "683a", "2", "open"),
        ("BJ-4", "687a", "", "open"),
        ("BJ-12", "683a", "", "open"),
    ]


def test_change_set_is_one_event_that_seals_its_rows(manager: Person, casino: Organization, today: date) -> None:
    entries = enter(manager, ("3", "683a"), ("4", "683a"), ("5", "687a"))
    event = Event.objects.get(verb="table-list-changed")
    assert (event.actor, event.organization, event.submission) == (manager, casino, None)
    assert event.after == {"from_day": today.isoformat(), "tables": "3-5", "count": 3}
    assert set(rows_in(event.rows)["submissions_tableentry"]) == {str(entry.pk) for entry in entries}


def test_table_that_changes_its_game_keeps_what_it_was_before(
    preparer: Person, casino: Organization, today: date
) -> None:
    enter(preparer, ("12", "683a", "2"))
    enter(preparer, ("12", "687a", "2"), from_day=today + 7 * DAY)
    enter(preparer, ("12", "687a", "2", "closed"), from_day=today + 9 * DAY)
    found = {days: shown(casino, today + days * DAY) for days in (-1, 0, 6, 7, 8, 9)}
    first, second = [("12", "683a", "2", "open")], [("12", "687a", "2", "open")]
    assert found == {-1: [], 0: first, 6: first, 7: second, 8: second, 9: [("12", "687a", "2", "closed")]}


def test_later_entry_for_the_same_day_counts(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("12", "683a"))
    enter(preparer, ("12", "687a"))
    assert shown(casino, today) == [("12", "687a", "", "open")]
    assert TableEntry.objects.count() == 2


def test_removed_table_is_not_on_the_list_and_there_still_is_one(
    preparer: Person, casino: Organization, today: date
) -> None:
    enter(preparer, ("12", "683a"))
    enter(preparer, ("12", "683a", "", "removed"), from_day=today + DAY)
    assert (len(shown(casino, today)), shown(casino, today + DAY)) == (1, [])
    assert [has_list(casino, today + days * DAY) for days in (-1, 0, 1)] == [False, True, True]


def test_open_tables_of_a_game(preparer: Person, casino: Organization, stranger: Person, today: date) -> None:
    enter(preparer, ("1", "683a"), ("2", "683a", "", "closed"), ("3", "687a"))
    enter(stranger, ("9", "683a"))
    assert [row.number for row in open_tables(casino, "683a", today)] == ["1"]


def test_game_may_be_named_by_its_title(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("1", "cajun  STUD"))
    assert shown(casino, today) == [("1", "683a", "", "open")]


def test_rows_that_change_nothing_are_left_out(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("1", "683a"), ("2", "683a"))
    assert [entry.number for entry in enter(preparer, ("1", "683a"), ("2", "687a"), ("3", "683a"))] == ["2", "3"]
    assert enter(preparer, ("1", "683a"), ("8", "683a", "", "removed")) == []
    assert Event.objects.filter(verb="table-list-changed").count() == 2


def test_plan_says_what_is_added_changed_and_removed(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("1", "683a", "2"), ("2", "683a"))
    enter(preparer, ("4", "683a"))
    rows = [table_row("1", "687a"), table_row("3", "683a"), table_row("4", "683a")]
    plan = plan_changes(casino, rows, today, whole=True)
    assert [(each.kind, each.after.number, table_words(each.before), table_words(each.after)) for each in plan] == [
        ("Change", "1", "Cajun Stud, pit 2, open", "DJ Wild Stud Poker, open"),
        ("Add", "3", "Not on the list", "Cajun Stud, open"),
        ("", "4", "Cajun Stud, open", "Cajun Stud, open"),
        ("Remove", "2", "Cajun Stud, open", "Not on the list"),
    ]


def test_what_a_row_leaves_out_stays_as_it_is_on_the_list(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("1", "683a", "2", "closed"), ("2", "683a", "2"))
    left_out = [TableRow("1", "687a"), TableRow("2", "683a"), TableRow("3", "683a")]
    assert [entry.number for entry in change_table_list(preparer, left_out, from_day=today)] == ["1", "3"]
    listed = [("1", "687a", "2", "closed"), ("2", "683a", "2", "open"), ("3", "683a", "", "open")]
    assert shown(casino, today) == listed
    emptied = [TableRow("1", "687a", details={"pit": ""}), TableRow("2", "683a", "closed")]
    change_table_list(preparer, emptied, from_day=today)
    assert shown(casino, today) == [("1", "687a", "", "closed"), ("2", "683a", "2", "closed"), listed[2]]


def test_what_is_left_out_is_that_of_the_day(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("1", "683a", "2"))
    enter(preparer, ("1", "683a", "3", "closed"), from_day=today + 5 * DAY)
    for days in (1, 6):
        change_table_list(preparer, [TableRow("1", "687a")], from_day=today + days * DAY)
    found = {days: shown(casino, today + days * DAY) for days in (1, 5, 6)}
    later = ("1", "683a", "3", "closed")
    assert found == {1: [("1", "687a", "2", "open")], 5: [later], 6: [("1", "687a", "3", "closed")]}


def test_table_that_returns_to_the_list_begins_anew(preparer: Person, casino: Organization, today: date) -> None:
    enter(preparer, ("1", "683a", "2", "closed"))
    change_table_list(preparer, [], from_day=today, whole=True)
    change_table_list(preparer, [TableRow("1", "683a")], from_day=today)
    assert shown(casino, today) == [("1", "683a", "", "open")]


@pytest.mark.parametrize(
    ("row", "code", "words"),
    [
        (TableRow("1-3", "683a"), "table-row", "ranges are of plain numbers"),
        (TableRow("", "683a"), "table-row", "“number”"),
        (TableRow("7", "600a", where="row 4"), "table-row", "row 4, “game” is “600a”"),
        (TableRow("7", "683a", details={"pit": "p" * 81}), "table-row", "81 characters; 80 are allowed"),
        (TableRow("7", "683a", "maybe", where="row 4"), "table-row", "row 4, “open” is “maybe”"),
    ],
)
def test_row_that_cannot_be_read_is_refused_by_its_cell(
    preparer: Person, today: date, row: TableRow, code: str, words: str
) -> None:
    with pytest.raises(Refusal) as refused:
        change_table_list(preparer, [TableRow("1", "683a"), row], from_day=today)
    assert (refused.value.code, words in refused.value.message) == (code, True), refused.value.message
    assert not TableEntry.objects.exists()


def test_table_in_two_rows_is_refused(preparer: Person, today: date) -> None:
    with pytest.raises(Refusal) as refused:
        enter(preparer, ("7", "683a"), ("07", "687a"))
    assert refused.value.code == "table-twice"


@pytest.mark.parametrize("days", [-1, 731])
def test_day_that_has_passed_or_is_far_away_is_refused(preparer: Person, today: date, days: int) -> None:
    with pytest.raises(Refusal) as refused:
        enter(preparer, ("7", "683a"), from_day=today + days * DAY)
    assert (refused.value.code, refused.value.option) == ("table-day", "from_day")


def test_day_is_that_of_pennsylvania(preparer: Person) -> None:
    with time_machine.travel(datetime.fromisoformat("2026-03-08T04:59:00+00:00"), tick=False):
        assert len(enter(preparer, ("7", "683a"), from_day=date(2026, 3, 7))) == 1


def test_list_has_at_most_so_many_tables(preparer: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_lists, "MOST", 2)
    enter(preparer, ("1", "683a"), ("2", "683a"))
    with pytest.raises(Refusal) as refused:
        enter(preparer, ("3", "683a"))
    assert refused.value.code == "table-list-too-long"


def test_tables_that_leave_the_list_make_room(preparer: Person, monkeypatch: pytest.MonkeyPatch, today: date) -> None:
    monkeypatch.setattr(table_lists, "MOST", 2)
    enter(preparer, ("1", "683a"), ("2", "683a"))
    change_table_list(preparer, [table_row("BJ-1", "683a"), table_row("BJ-2", "683a")], from_day=today, whole=True)
    assert {row.number for row in entries_on(today)} == {"BJ-1", "BJ-2"}


def test_list_that_another_person_changed_is_not_overwritten(
    preparer: Person, manager: Person, casino: Organization, today: date
) -> None:
    seen = last_entry(casino)
    enter(manager, ("1", "683a"))
    with pytest.raises(Conflict):
        change_table_list(preparer, [TableRow("1", "687a")], from_day=today, seen=seen)
    assert shown(casino, today) == [("1", "683a", "", "open")]


def test_who_may_change_a_list(
    reader: Person, analyst: Person, director: Person, preparer: Person, manager: Person
) -> None:
    for person in (reader, analyst, director):
        with pytest.raises(Forbidden):
            enter(person, ("1", "683a"))
    assert [len(enter(person, (str(place), "683a"))) for place, person in enumerate((preparer, manager), 1)] == [1, 1]


def test_who_sees_which_list(
    preparer: Person, reader: Person, stranger: Person, analyst: Person, casino: Organization
) -> None:
    (own,), (west,) = enter(preparer, ("1", "683a")), enter(stranger, ("1", "683a"))
    seen = [set(tables_visible_to(person)) for person in (preparer, reader, stranger, analyst)]
    assert seen == [{own}, {own}, {west}, {own, west}]
    Organization.objects.filter(pk=stranger.organization_id).update(sandbox_of=casino)
    assert set(published_tables()) == {own}


def test_lists_of_all_licensees_are_one_query(
    preparer: Person, stranger: Person, analyst: Person, today: date, django_assert_num_queries: object
) -> None:
    enter(preparer, ("1", "683a"), ("2", "683a"))
    enter(stranger, ("1", "683a"))
    with django_assert_num_queries(1):
        assert len(entries_on(today, tables_visible_to(analyst))) == 3


def test_entries_are_neither_changed_nor_deleted(preparer: Person) -> None:
    enter(preparer, ("1", "683a"))
    for statement in (lambda: TableEntry.objects.update(pit="2"), lambda: TableEntry.objects.all().delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            statement()
