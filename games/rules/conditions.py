"""Conditions on answers, and the way in which the answers say that cards are dealt.

The ways are by hand from a shoe, from the dealer's hand, by an automated shoe. Not here: how a condition is written in
the data (`files`).
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from games.rules.model import Answer, Answers, Condition, Test


def holds(condition: Condition, answers: Answers) -> bool:
    """Return True if any alternative has all its tests passed; an unanswered option passes none."""
    if not condition.alternatives:
        return True
    return any(all(passes(test, answers.get(key)) for key, test in tests) for tests in condition.alternatives)


def passes(test: Test, answer: Answer) -> bool:
    """Return True if the answer is one of the test's values, or a number within its range."""
    if answer is None:
        return False
    if test.values:
        return any(type(value) is type(answer) and value == answer for value in test.values)
    if isinstance(answer, bool) or not isinstance(answer, (int, str)):
        return False
    return within(answer, test.at_least, test.at_most)


def within(answer: int | str, at_least: Decimal | None, at_most: Decimal | None) -> bool:
    """Return True for a number from `at_least` to `at_most`, both included; False for other answers."""
    try:
        number = Decimal(answer)
    except InvalidOperation:
        return False
    return number.is_finite() and not (
        (at_least is not None and number < at_least) or (at_most is not None and number > at_most)
    )


Way = TypeVar("Way")


def way_dealt(ways: Mapping[str, Way], answers: Answers) -> Way:
    """Return the first of `ways` whose option is answered with yes; else the first of all."""
    first, *_ = ways
    return ways[next((option for option in ways if answers.get(option)), first)]
