"""What was entered for an amount or a percentage is stored as that number, or as entered."""

from __future__ import annotations

import pytest

from games.registry import chapter
from submissions.filings.answer_values import parse_answer

NUMBERS = {
    "1,000": "1000",
    "$1,234,567.50": "1234567.50",
    "50000": "50000",
    "-1,000": "-1000",
    "2.5 %": "2.5",
    "1000.25": "1000.25",
}
KEPT = ("1,00", "0,500", "1.000,00", "10,00,000", "1,0000", ",5", "1,000,00", "NaN", "ten")


@pytest.fixture(scope="module")
def money() -> object:
    return next(option for option in chapter("683a").options if option.kind == "money")


@pytest.mark.parametrize(("entered", "stored"), NUMBERS.items())
def test_amount_is_stored_without_its_signs(money: object, entered: str, stored: str) -> None:
    assert parse_answer(money, entered) == stored


@pytest.mark.parametrize("entered", KEPT)
def test_ambiguous_amount_is_kept_as_entered(money: object, entered: str) -> None:
    assert parse_answer(money, entered) == entered
