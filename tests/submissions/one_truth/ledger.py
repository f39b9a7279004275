"""What is compared: the truth of one configuration as the commands print it, and the list of all contradictions.

The truth comes from `python -m games` (check, analyze, show), whose output is read back as text. A hold on a page is
compared within half of its last digit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

Place = tuple[str, str, str]  # wager, paytable, spot
Finding = tuple[str, str, str, str]  # severity, message, fix, citation
Cells = list[tuple[str, ...]]  # of a paytable: outcome, what each column pays; the envy bonus, where one is paid

SHOWN = re.compile(r"(?P<sign>[-−]?)(?P<digits>\d[\d,]*(?:\.(?P<decimals>\d+))?)")
NOISE = Fraction(1, 10**9)  # figures are stored with nine decimals
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Truth:
    """One configuration, as the commands print it."""

    number: str
    answers: Mapping[str, object]
    findings: frozenset[Finding]
    on_holds: frozenset[Finding]  # those of them that no snapshot has, since they follow from figures
    offered: tuple[str, ...]
    paytables: Mapping[str, str]  # wager → name of its paytable
    cells: Mapping[str, Cells]  # wager → the cells of that paytable
    envy: frozenset[str]  # wagers whose paytable has an envy bonus
    holds: Mapping[Place, Fraction]  # percent
    estimated: frozenset[Place]
    own_names: Mapping[str, str]  # wager → its name, without its parts
    rake: object

    def printed(self) -> dict[tuple[str, int, int], str]:
        """(wager, row, column) → the cell, of each paytable in use."""
        return flat(self.cells)


@dataclass(slots=True)
class Ledger:
    """Counts what is compared, and lists what is not the same."""

    number: str
    count: int = 0
    by_place: dict[str, int] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)
    configuration: str = ""

    def same(self, place: str, what: str, expected: Mapping[Any, object], found: Mapping[Any, object]) -> None:
        """Each value by its key; a key that only one of the two has is a contradiction."""
        for key in dict.fromkeys([*expected, *found]):
            self._count(place)
            pair = expected.get(key, NOTHING), found.get(key, NOTHING)
            if pair[0] != pair[1]:
                self._note(place, what, key, *pair)

    def one(self, place: str, what: str, expected: object, found: object) -> None:
        self.same(place, what, {"": expected}, {"": found})

    def each(self, place: str, what: str, expected: frozenset[Finding], found: frozenset[Finding]) -> None:
        """Two sets: both what is missing and what is there beyond it are contradictions. None is a statement, too."""
        self.one(place, f"number of {what}", len(expected), len(found))
        self.same(place, what, dict.fromkeys(expected, "there"), dict.fromkeys(found, "there"))

    def holds(self, place: str, expected: Mapping[Any, Fraction], found: Mapping[Any, str]) -> None:
        """Each hold, in the digits in which it is shown."""
        for key in dict.fromkeys([*expected, *found]):
            self._count(place)
            shown, exact = found.get(key, ""), expected.get(key)
            if exact is None or not is_shown(exact, shown):
                self._note(place, "hold", key, NOTHING if exact is None else f"{float(exact):.9f}", shown or NOTHING)

    def _count(self, place: str) -> None:
        self.count += 1
        self.by_place[place] = self.by_place.get(place, 0) + 1

    def _note(self, place: str, what: str, key: object, expected: object, found: object) -> None:
        self.contradictions.append(
            f"{self.number} {self.configuration}: {place}, {what} {key}: expected {expected!r}, found {found!r}"
        )


def flat(cells: Mapping[str, Cells]) -> dict[tuple[str, int, int], str]:
    return {
        (wager, place, column): cell
        for wager, rows in cells.items()
        for place, row in enumerate(rows)
        for column, cell in enumerate(row)
    }


def is_shown(exact: Fraction, text: str) -> bool:
    """Whether the text begins with this number, rounded to the digits that it shows."""
    match = SHOWN.search(text)
    if match is None:
        return False
    value = Fraction(Decimal(match["digits"].replace(",", "")))
    value = -value if match["sign"] else value
    return abs(exact - value) <= Fraction(1, 2 * 10 ** len(match["decimals"] or "")) + NOISE
