"""Amounts of dollars as a licensee lists them: "1, 2" for several bets, "10: 1, 20: 2" for the steps of a rake.

Not here: a single amount (an option of kind money, `answers`).
"""

import re
from decimal import Decimal
from itertools import pairwise

_AMOUNT = re.compile(r"\$?(\d{1,7}(?:\.\d{1,2})?)")


def amounts(text: str) -> tuple[Decimal, ...]:
    """The amounts in their order; `ValueError` says in words what cannot be read."""
    return tuple(_amount(part) for part in text.split(","))


def steps(text: str) -> tuple[tuple[Decimal, Decimal], ...]:
    """(size of the pot, rake collected in all), rising; `ValueError` says in words what is wrong."""
    schedule = []
    for part in text.split(","):
        size, colon, taken = part.partition(":")
        if not colon:
            raise ValueError(f"“{part.strip()}” has no colon between pot and rake")
        schedule.append((_amount(size), _amount(taken)))
    for (pot, rake), (next_pot, next_rake) in pairwise(schedule):
        if next_pot <= pot or next_rake <= rake:
            raise ValueError(f"${next_rake} at ${next_pot} follows ${rake} at ${pot}, but both must rise")
    if above := next((step for step in schedule if step[1] > step[0]), None):
        raise ValueError(f"a rake of ${above[1]} is more than the pot of ${above[0]}")
    return tuple(schedule)


def _amount(text: str) -> Decimal:
    match = _AMOUNT.fullmatch(text.strip())
    if not match or not Decimal(match[1]):
        raise ValueError(f"“{text.strip()}” is not an amount in dollars")
    return Decimal(match[1])
