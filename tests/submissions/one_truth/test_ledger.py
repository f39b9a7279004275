"""The ledger finds what is not the same: a figure, a cell, a finding, a key that only one side has."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.submissions.one_truth.ledger import Ledger, is_shown

NOTE = ("note", "Two boxes.", "", "§ 686a.7(e)")


@pytest.mark.parametrize(
    ("exact", "text", "expected"),
    [
        (Fraction("5.6054"), "5.605 %", True),
        (Fraction("5.6056"), "5.605 %", False),
        (Fraction("-1.2344"), "about −1.234 % ± 0.1", True),
        (Fraction("1.2344"), "−1.234 %", False),
        (Fraction("12345.5"), "12,345.5", True),
        (Fraction(1), "computing…", False),
    ],
)
def test_hold_is_compared_in_the_digits_shown(exact: Fraction, text: str, expected: bool) -> None:
    assert is_shown(exact, text) is expected


def test_each_difference_is_counted_and_listed() -> None:
    ledger = Ledger("686a")
    ledger.same("sign", "cell", {1: "2 to 1", 2: "3 to 1"}, {1: "2 to 1", 2: "4 to 1", 3: "5 to 1"})
    ledger.holds("CSV", {"over": Fraction(5)}, {"under": "5.000 %"})
    ledger.each("judge", "findings", frozenset(), frozenset({NOTE}))
    assert ledger.count == 3 + 2 + 2
    assert len(ledger.contradictions) == 2 + 2 + 2
    assert ledger.by_place == {"sign": 3, "CSV": 2, "judge": 2}


def test_what_is_the_same_is_no_contradiction() -> None:
    ledger = Ledger("686a")
    ledger.same("sign", "cell", {1: "2 to 1"}, {1: "2 to 1"})
    ledger.holds("CSV", {"over": Fraction("5.0004")}, {"over": "5.000 %"})
    ledger.each("judge", "findings", frozenset({NOTE}), frozenset({NOTE}))
    assert (ledger.count, ledger.contradictions) == (4, [])
