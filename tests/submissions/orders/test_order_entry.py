"""Entering, replacing and ending orders: who may, what is refused, what the history keeps, who sees it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from submissions.audit.row_seals import rows_in
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.core import append_only
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings.orders.order_entry import end_order, enter_order
from submissions.filings.orders.order_periods import OrderState, order_periods
from submissions.models import Event, Order, OrderEnd, Organization, Person
from submissions.permissions import orders_visible_to
from tests.cast import person
from tests.submissions import files
from tests.submissions.orders.orders import content, waiver

pytestmark = pytest.mark.service("locks")

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture(autouse=True)
def _licensee(casino: Organization) -> None:
    """Casino East, whose slug the orders name."""


def state_of(order: Order, day: date) -> OrderState:
    (period,) = order_periods(Order.objects.filter(pk=order.pk))
    return period.state(day)


def test_order_is_a_row_and_one_event_that_seals_it(director: Person, casino: Organization) -> None:
    before = Event.objects.count()
    order = enter_order(director, content(), ("Order 12.pdf", files.pdf()))
    (event,) = Event.objects.filter(sequence__gt=before)
    assert (event.verb, event.actor, event.submission) == ("ordered", director, None)
    assert event.after == {"order": order.number, "kind": "waiver"}
    assert set(rows_in(event.rows)) == {"submissions_order", "submissions_storedfile"}
    assert (order.organization, order.all_licensees, order.document_name) == (casino, False, "Order 12.pdf")
    assert order.number == f"BO-{timezone.localdate().year}-00001"


def test_numbers_follow_each_other(director: Person) -> None:
    first, second = waiver(director), waiver(director)
    assert int(second.number[-5:]) == int(first.number[-5:]) + 1


@pytest.mark.parametrize("who", ["manager", "preparer", "reader", "analyst"])
def test_only_a_director_enters_orders(request: pytest.FixtureRequest, director: Person, who: str) -> None:
    order = waiver(director)
    with pytest.raises(Forbidden):
        waiver(request.getfixturevalue(who))
    with pytest.raises(Forbidden):
        end_order(request.getfixturevalue(who), order, from_day=timezone.localdate(), reason="No.")
    assert (Order.objects.count(), OrderEnd.objects.count()) == (1, 0)


def test_director_of_a_sandbox_enters_none(director: Person, board: Organization) -> None:
    copy = Organization.objects.create(kind="regulator", name="Board, test", slug="board-test", sandbox_of=board)
    tester = person(copy, director.role.__class__(director.role), "Director Test")
    with pytest.raises(Forbidden):
        waiver(tester)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"kind": "decree"}, "order-incomplete", "kind"),
        ({"kind": "condition"}, "order-scope", "kind"),
        ({"citation": "Chapter 686a"}, "order-incomplete", "citation"),
        ({"text": "  "}, "order-incomplete", "text"),
        ({"text": "x" * 4001}, "order-incomplete", "text"),
        ({"licensee": "north"}, "order-scope", "licensee"),
        ({"licensee": "board"}, "order-scope", "licensee"),
        ({"chapter": "999"}, "order-scope", "chapter"),
        ({"chapter": "", "rule": ""}, "order-scope", "chapter"),
        ({"tables": "8-3"}, "order-scope", "tables"),
        ({"rule": "686a.chapter-ended"}, "order-scope", "rule"),
        ({"rule": "", "option": "shuffler"}, "order-scope", "option"),
        ({"rule": ""}, "order-scope", "rule"),
        ({"last_day": date(2020, 1, 1)}, "order-days", "last_day"),
        ({"kind": "order", "rule": "", "licensee": "", "chapter_effect": "continues"}, "order-scope", "chapter"),
        (
            {"kind": "order", "rule": "", "chapter": "581", "chapter_effect": "continues"},
            "order-scope",
            "chapter_effect",
        ),
        (
            {"kind": "order", "rule": "", "licensee": "", "chapter": "581", "chapter_effect": "ends"},
            "order-days",
            "last_day",
        ),
    ],
)
def test_what_does_not_fit_is_refused_at_its_field(
    director: Person, changes: dict[str, Any], code: str, field: str
) -> None:
    with pytest.raises(Refusal) as refused:
        waiver(director, **changes)
    assert (refused.value.code, refused.value.option, bool(refused.value.fix)) == (code, field, True)
    assert not Order.objects.exists()


def test_tables_are_stored_in_one_form(director: Person) -> None:
    assert waiver(director, tables="8, 3 ,5-7,6").tables == "3, 5-8"


@pytest.mark.parametrize(
    ("name", "sent", "code"),
    [
        ("order.png", files.picture("PNG"), "attachment-kind"),
        ("order.pdf", b"not a PDF", "attachment-kind"),
        ("order.pdf", b"", "attachment-empty"),
    ],
)
def test_document_is_scanned_like_an_attachment(director: Person, name: str, sent: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        enter_order(director, content(), (name, sent))
    assert refused.value.code == code
    assert not Order.objects.exists()


def test_rows_cannot_be_changed(director: Person) -> None:
    order = waiver(director)
    end_order(director, order, from_day=timezone.localdate(), reason="Mistake.")
    for change in (
        lambda: Order.objects.update(text="Another text."),
        lambda: OrderEnd.objects.update(reason="Another reason."),
        lambda: OrderEnd.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


def test_row_that_is_changed_all_the_same_is_found(director: Person) -> None:
    begin_sealing()
    waiver(director)
    assert verify_history().good
    append_only.drop(connection)
    Order.objects.update(tables="1-99")
    append_only.create(connection)
    (found,) = verify_history().differences
    assert (found.table, found.column) == ("submissions_order", "tables")


def test_ended_order_is_neither_ended_nor_replaced_again(director: Person, other_director: Person, today: date) -> None:
    order = waiver(director)
    end_order(director, order, from_day=today + DAY, reason="The rack is there.")
    with pytest.raises(Conflict) as refused:
        end_order(other_director, order, from_day=today + DAY, reason="Again.")
    assert "ended by Director One" in refused.value.message
    with pytest.raises(Conflict):
        enter_order(director, content(), replaces=order)


def test_replaced_order_is_not_replaced_again(director: Person) -> None:
    first = waiver(director)
    second = enter_order(director, content(), replaces=first)
    with pytest.raises(Conflict) as refused:
        enter_order(director, content(), replaces=first)
    assert second.number in refused.value.message


@pytest.mark.parametrize("changes", [{"chapter": "581", "rule": "581.discard-rack-undecided"}, {"kind": "order"}])
def test_replacement_keeps_kind_and_chapter(director: Person, changes: dict[str, Any]) -> None:
    first = waiver(director)
    with pytest.raises(Refusal) as refused:
        enter_order(director, content(**changes), replaces=first)
    assert refused.value.code == "order-scope"


def test_nothing_ends_in_the_past(director: Person, today: date) -> None:
    order = waiver(director, first_day=today - 9 * DAY)
    with pytest.raises(Refusal) as refused:
        end_order(director, order, from_day=today - DAY, reason="Late.")
    assert (refused.value.code, refused.value.option) == ("order-days", "from_day")
    with pytest.raises(Refusal):
        enter_order(director, content(first_day=today - DAY), replaces=order)


def test_end_needs_a_reason(director: Person, today: date) -> None:
    with pytest.raises(Refusal) as refused:
        end_order(director, waiver(director), from_day=today, reason=" ")
    assert refused.value.code == "reason-missing"


def test_waiver_is_not_met(director: Person, today: date) -> None:
    with pytest.raises(Refusal) as refused:
        end_order(director, waiver(director), from_day=today, reason="Done.", met=True)
    assert (refused.value.code, refused.value.option) == ("order-scope", "met")


def test_states_of_an_order(director: Person, today: date) -> None:
    order = waiver(director, first_day=today + DAY, last_day=today + 2 * DAY)
    assert [state_of(order, today + number * DAY) for number in range(4)] == [
        OrderState.SCHEDULED,
        OrderState.IN_EFFECT,
        OrderState.IN_EFFECT,
        OrderState.OVER,
    ]
    ended, replaced = waiver(director), waiver(director)
    end_order(director, ended, from_day=today, reason="Mistake.")
    enter_order(director, content(), replaces=replaced)
    assert (state_of(ended, today), state_of(replaced, today)) == (OrderState.ENDED, OrderState.REPLACED)


def test_who_sees_which_order(
    director: Person, analyst: Person, manager: Person, stranger: Person, casino: Organization
) -> None:
    own, west, of_all = waiver(director), waiver(director, licensee="west"), waiver(director, licensee="")
    seen = {reader.name: set(orders_visible_to(reader)) for reader in (director, analyst, manager, stranger)}
    assert seen == {
        "Director One": {own, west, of_all},
        "Analyst One": {own, west, of_all},
        "Manager East": {own, of_all},
        "Manager West": {west, of_all},
    }
    copy = Organization.objects.create(kind="licensee", name="East, test", slug="east-test", sandbox_of=casino)
    assert set(orders_visible_to(person(copy, manager.role.__class__(manager.role), "Tester"))) == {of_all}


def test_order_without_scope_cannot_be_stored(director: Person, today: date) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Order.objects.create(
            number="BO-1", kind="order", citation="§ 601a.2", first_day=today, text="?", by=director, at=timezone.now()
        )
