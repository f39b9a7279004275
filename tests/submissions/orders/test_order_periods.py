"""The conditions by which lists find orders: those that have ended on a day, those on a chapter and a licensee."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from submissions.filings.orders.order_periods import OrderState, concerns, ended_on, is_for, order_periods
from submissions.models import Order, OrderEnd, Organization, Person

pytestmark = pytest.mark.django_db
FIRST = date(2026, 3, 2)
DAYS = range(-1, 5)  # from FIRST on
NEVER = 99
OPEN = (OrderState.SCHEDULED, OrderState.IN_EFFECT)


def order_row(by: Person, first: int = 0, last: int | None = None, **fields: Any) -> Order:
    scope = {"all_licensees": True} if "organization" not in fields else {}
    days = {"first_day": after(first), "last_day": None if last is None else after(last)}
    number = f"BO-2026-{Order.objects.count():05}"
    return Order.objects.create(number=number, kind="order", by=by, at=timezone.now(), **scope, **days, **fields)


def after(days: int) -> date:
    return FIRST + timedelta(days)


@pytest.mark.parametrize(
    ("order", "end", "successor", "ended_from"),
    [
        ({}, None, None, NEVER),
        ({"last": 2}, None, None, 3),
        ({}, 2, None, 2),
        ({}, None, 2, 2),  # replaced: ended on the first day of the one that replaces it
        ({"last": 2}, 1, None, 1),
        ({"first": 3}, None, None, NEVER),
        ({"first": 3}, 3, None, -1),  # ended before it begins: it never counts
        ({"first": 3}, None, 3, -1),
        ({"chapter_effect": "ends", "last": 1}, None, None, NEVER),  # a decision counts until it is ended or replaced
        ({"chapter_effect": "ends", "last": 3}, 1, None, 1),
        ({"chapter_effect": "ends", "last": 3}, None, 1, 1),
    ],
)
def test_order_ended_on_a_day_is_in_no_open_state(
    director: Person, order: dict[str, Any], end: int | None, successor: int | None, ended_from: int
) -> None:
    row = order_row(director, **order)
    if end is not None:
        OrderEnd.objects.create(order=row, outcome="ended", from_day=after(end), by=director, at=timezone.now())
    if successor is not None:
        order_row(director, successor, replaces=row)
    this = Order.objects.filter(pk=row.pk)
    (period,) = order_periods(this)
    expected = [day >= ended_from for day in DAYS]
    assert [this.filter(ended_on(after(day))).exists() for day in DAYS] == expected
    assert [period.state(after(day)) not in OPEN for day in DAYS] == expected


def test_orders_on_a_chapter_are_also_those_for_every_chapter(
    director: Person, casino: Organization, other_casino: Organization
) -> None:
    of_all = {order_row(director, chapter=chapter) for chapter in ("", "686a")}
    own = {order_row(director, organization=casino, chapter=chapter) for chapter in ("", "686a")}
    others = {order_row(director, organization=other_casino, chapter=chapter) for chapter in ("", "686a")}
    for organization in ({}, {"organization": casino}):
        order_row(director, chapter="581", **organization)
    assert set(Order.objects.filter(is_for("686a"))) == of_all | own | others
    assert set(Order.objects.filter(concerns("east", "686a"))) == of_all | own
    assert set(Order.objects.filter(concerns("", "686a"))) == of_all
