"""Payouts are exact in every printed form."""

from decimal import Decimal
from fractions import Fraction

from games.registry import chapter


def test_odds_are_exact() -> None:
    straight = chapter("688a").paytable("progressive", "Paytable 4").rows[-1].pays[0]
    assert (straight.amount, straight.printed) == (Decimal("7.50"), "$7.50")
    top = chapter("688a").paytable("progressive", "Paytable 4").rows[1].pays[0]
    assert (top.amount, top.meter, top.printed) == (Decimal(5000), Fraction(1, 5), "$5,000/20% of meter")
    assert chapter("687a").paytable("blind", "Paytable").rows[0].pays[0].odds == Fraction(1000)
