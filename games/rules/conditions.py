"""Whether a condition is true for the answers. Not here: how one is written in the data (`loading/conditions`)."""

from decimal import Decimal, InvalidOperation

from games.rules.model import Answer, Answers, Condition, Test


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
