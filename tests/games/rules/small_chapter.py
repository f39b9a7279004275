"""A chapter of a few lines, in memory: for tests of one rule of judging."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.rules.model import Chapter, Condition, Kind, Option, Pay, Paytable, Row, Test, Wager


def chapter(**fields: Any) -> Chapter:
    nothing: dict[str, Any] = dict.fromkeys(
        ("options", "wagers", "paytables", "requirements", "layout", "readings", "published"), ()
    )
    values = {"title": "Small", "status": "final", "complete": True, "missing": "", "source": "", "max_positions": 6}
    return Chapter(**{"number": "1", "sections": {}, **nothing, **values, **fields})


def line(key: str, kind: Kind = "yes_no", **fields: Any) -> Option:
    return Option(key, f"§ 1.{key}", f"{key}?", kind, "Lines", "form", **fields)


def wager(key: str, **fields: Any) -> Wager:
    return Wager(key, f"{key.title()} Wager", f"§ 1.{key}", "any", **fields)


def paytable(of: str, name: str, *odds: int, **fields: Any) -> Paytable:
    """One row for each of the odds, named by them."""
    rows = tuple(Row(str(each), (Pay(odds=Fraction(each), per="to", printed=f"{each} to 1"),)) for each in odds)
    return Paytable(of, name, f"§ 1.{name}", rows, **fields)


def where(key: str, *values: bool | str | int) -> Condition:
    return Condition((((key, Test(values=values)),),))


def between(key: str, at_least: str, at_most: str) -> Condition:
    return Condition((((key, Test(at_least=Decimal(at_least), at_most=Decimal(at_most))),),))
