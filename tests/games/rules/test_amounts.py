"""Lists of amounts: several bets, and the steps of an incremental rake."""

from decimal import Decimal

import pytest

from games.rules.lists import parse_amounts, parse_steps


@pytest.mark.parametrize("text", ["0.50, 1", "$0.50,$1.00", " 0.5 , 1 "])
def test_amounts_are_read_in_their_order(text: str) -> None:
    assert parse_amounts(text) == (Decimal("0.50"), Decimal(1))


@pytest.mark.parametrize(("text", "named"), [("1, two", "“two”"), ("1,", "“”"), ("0, 1", "“0”"), ("1; 2", "“1; 2”")])
def test_what_is_no_amount_is_named(text: str, named: str) -> None:
    with pytest.raises(ValueError, match=f"{named} is not an amount in dollars"):
        parse_amounts(text)


def test_steps_are_pairs_of_pot_and_rake() -> None:
    assert parse_steps("$10: 1, 20: 2.50") == ((Decimal(10), Decimal(1)), (Decimal(20), Decimal("2.50")))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("10", "no colon"),
        ("10: 1, 20", "“20” has no colon"),
        ("20: 2, 10: 3", "both must rise"),
        ("10: 2, 20: 2", "both must rise"),
        ("5: 6", "more than the pot"),
        ("10: 1:2", "“1:2” is not an amount"),
    ],
)
def test_steps_that_do_not_rise_or_cannot_be_read_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_steps(text)
