"""Conditions on answers: whether one holds, and how it is written in the data.

{ bonus_wager = true }                              this answer
{ adjacent_boxes = { at_least = 2 } }               a range, with `at_least`, `at_most` or both
{ progressive_paytable = ["Paytable 4"] }           one of several answers
{ manual_shoe = true, from_hand = true }            all of these
[{ manual_shoe = true }, { from_hand = true }]      any of these
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from games.rules.loading.fields import Fields
from games.rules.model import ALWAYS, Answer, Answers, Condition, Test


def holds(condition: Condition, answers: Answers) -> bool:
    """Whether any alternative has all its tests passed; an unanswered option passes none."""
    if not condition.alternatives:
        return True
    return any(all(passes(test, answers.get(key)) for key, test in tests) for tests in condition.alternatives)


def passes(test: Test, answer: Answer) -> bool:
    """Whether the answer is one of the test's values, or a number within its range."""
    if answer is None:
        return False
    if test.values:
        return any(type(value) is type(answer) and value == answer for value in test.values)
    if isinstance(answer, bool) or not isinstance(answer, (int, str)):
        return False
    return within(answer, test.at_least, test.at_most)


def within(answer: int | str, at_least: Decimal | None, at_most: Decimal | None) -> bool:
    """Whether the number lies between the two, both included; what is no number does not."""
    try:
        number = Decimal(answer)
    except InvalidOperation:
        return False
    return number.is_finite() and not (
        (at_least is not None and number < at_least) or (at_most is not None and number > at_most)
    )


def read_condition(owner: Fields, key: str) -> Condition:
    """The condition under `key` of a data table; ALWAYS where there is none."""
    owner.asked.add(key)
    if not owner.has(key):
        return ALWAYS
    value = owner.table[key]
    tables = value if isinstance(value, list) else [value]
    if not tables or not all(isinstance(table, dict) and table for table in tables):
        owner.refuse(f"`{key}` is {value!r}; a table of tests, {{ option = answer }}, or a list of such is allowed")
    return Condition(
        tuple(tuple((option, _test(owner, option, table[option])) for option in table) for table in tables)
    )


def _test(owner: Fields, option: str, value: Any) -> Test:
    if isinstance(value, dict):
        limits = Fields(owner.file, f"{owner.where}, test of `{option}`", value)
        at_least, at_most = limits.decimal("at_least"), limits.decimal("at_most")
        limits.done()
        if not value or (at_least is not None and at_most is not None and at_least > at_most):
            owner.refuse(f"the range of `{option}` is empty: {value!r}")
        return Test(at_least=at_least, at_most=at_most)
    values = value if isinstance(value, list) else [value]
    if not values or not all(type(one) in (bool, str, int) for one in values):
        owner.refuse(f"the test of `{option}` is {value!r}; an answer, a list of answers or a range is allowed")
    return Test(values=tuple(values))
