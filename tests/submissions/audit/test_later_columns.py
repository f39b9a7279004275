"""A column that is added to a sealed table: older rows are whole until the next preparation, which seals them again.
A sealed table that leaves: the events that sealed its rows stay in a history that verifies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from submissions.audit import row_verification
from submissions.audit.record import record_event
from submissions.audit.row_seals import SEALED_TABLES
from submissions.audit.row_verification import BEGUN, TABLES, begin_sealing, verify_history
from submissions.models import Event, Organization, Person

pytestmark = pytest.mark.service("migrations")

PEOPLE, ACCOUNT = "submissions_person", "account_id"


@pytest.fixture
def _before_the_column(preparer: Person, manager: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """A history that a version of the portal without `account_id` wrote."""
    table = SEALED_TABLES[PEOPLE]
    with monkeypatch.context() as earlier:
        earlier.setitem(SEALED_TABLES, PEOPLE, replace(table, unsealed=(*table.unsealed, ACCOUNT)))
        begin_sealing()
    assert SEALED_TABLES[PEOPLE] is table


@pytest.mark.usefixtures("_before_the_column")
def test_rows_sealed_before_the_column_are_no_difference() -> None:
    report = verify_history()
    assert (report.differences, report.broken) == ((), None)
    assert report.uncovered == (f"{PEOPLE}.{ACCOUNT}",)
    assert not report.good


@pytest.mark.usefixtures("_before_the_column")
def test_other_columns_of_such_rows_are_still_compared(preparer: Person) -> None:
    Person.objects.filter(pk=preparer.pk).update(role="table_games_manager")
    [difference] = verify_history().differences
    assert (difference.table, difference.key, difference.column) == (PEOPLE, str(preparer.pk), "role")


@pytest.mark.usefixtures("_before_the_column")
def test_preparation_seals_the_column(preparer: Person, manager: Person) -> None:
    assert begin_sealing() == 2  # the people; the organization has no such column
    assert begin_sealing() == 0
    assert verify_history().good
    Person.objects.filter(pk=preparer.pk).update(account=manager)
    [difference] = verify_history().differences
    assert (difference.key, difference.column) == (str(preparer.pk), ACCOUNT)


@pytest.mark.usefixtures("_before_the_column")
def test_row_written_after_the_column_is_compared_in_full(preparer: Person, manager: Person, reader: Person) -> None:
    record_event(None, None, "joined", after={}, seals=(reader,))
    Person.objects.filter(pk=reader.pk).update(account=manager)
    differences = verify_history().differences
    assert [(row.key, row.column) for row in differences] == [(str(reader.pk), ACCOUNT)]


def test_history_that_names_no_columns_is_prepared_once(
    preparer: Person, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the portal wrote it when its events did not say which columns they cover."""
    with monkeypatch.context() as earlier:
        table = SEALED_TABLES[PEOPLE]
        earlier.setitem(SEALED_TABLES, PEOPLE, replace(table, unsealed=(*table.unsealed, ACCOUNT)))
        rows = [*Organization.objects.all(), *Person.objects.all()]
        record_event(None, None, BEGUN, after={TABLES: sorted(SEALED_TABLES)}, seals=rows)
    report = verify_history()
    assert (report.differences, report.uncovered) == ((), (f"{PEOPLE}.{ACCOUNT}",))
    assert begin_sealing() == 2
    assert verify_history().good
    assert Event.objects.filter(verb=BEGUN).count() == 2
    assert begin_sealing() == 0
    assert Event.objects.filter(verb=BEGUN).count() == 2


def test_row_that_an_event_sealed_is_no_older_one_when_it_is_sealed_again(
    preparer: Person, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        table = SEALED_TABLES[PEOPLE]
        earlier.setitem(SEALED_TABLES, PEOPLE, replace(table, unsealed=(*table.unsealed, ACCOUNT)))
        begin_sealing()
        record_event(None, None, "joined", after={}, seals=(manager,))
    older = verify_history().older
    assert begin_sealing() == 2
    report = verify_history()
    assert (report.good, report.older) == (True, older)


def test_new_portal_needs_one_preparation(preparer: Person) -> None:
    assert begin_sealing() == 2
    assert begin_sealing() == 0
    assert verify_history().good
    covered = Event.objects.get(verb=BEGUN).after[row_verification.COLUMNS]
    assert {name: set(columns) for name, columns in covered.items()} == {
        name: set(table.columns) for name, table in SEALED_TABLES.items()
    }


def test_history_of_a_table_that_left_verifies(preparer: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_sealing()
    preparer.role = "table_games_manager"
    preparer.save()
    record_event(None, None, "errata-requested", after={"number": "ER-2026-00001"}, seals=(preparer,))
    monkeypatch.delitem(SEALED_TABLES, PEOPLE)
    assert begin_sealing() == 0
    assert verify_history().good
