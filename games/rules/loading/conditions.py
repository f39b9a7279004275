"""How the data files write a condition on answers.

    { bonus_wager = true }                              this answer
    { adjacent_boxes = { at_least = 2 } }               a range, with `at_least`, `at_most` or both
    { progressive_paytable = ["Paytable 4"] }           one of several answers
    { manual_shoe = true, from_hand = true }            all of these
    [{ manual_shoe = true }, { from_hand = true }]      any of these

Not here: whether a condition is true (`games.rules.conditions`), whether its options exist (`consistency`).
"""

from typing import Any

from games.rules.loading.fields import Fields
from games.rules.model import ALWAYS, Condition, Test


def read_condition(owner: Fields, key: str) -> Condition:
    """The condition under `key` of a data table; ALWAYS where there is none."""
    owner.read_keys.add(key)
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
        limits.refuse_unknown()
        if not value or (at_least is not None and at_most is not None and at_least > at_most):
            owner.refuse(f"the range of `{option}` is empty: {value!r}")
        return Test(at_least=at_least, at_most=at_most)
    values = value if isinstance(value, list) else [value]
    if not values or not all(type(entry) in (bool, str, int) for entry in values):
        owner.refuse(f"the test of `{option}` is {value!r}; an answer, a list of answers or a range is allowed")
    return Test(values=tuple(values))
