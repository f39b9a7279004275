"""Rulemakings of a test: what the Board has published of a chapter, beside what its folder says."""

from __future__ import annotations

from datetime import date

import pytest

from games.rules.changes import RuleChange, read_change
from submissions import rules

CELL = '[[paytable]]\nwager = "trips"\nname = "DJWT-05"\nchanged_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]\n'


def rulemaking(number: str, day: date, tables: str, title: str = "A rulemaking") -> RuleChange:
    """A change of the chapter from that day on; `tables` as in `games.rules.changes`."""
    head = f'number = "{number}"\neffective = {day.isoformat()}\ntitle = "{title}"\nsource = "The Board"\n'
    return read_change(head + tables, f"{number}-{day}.toml")


def publish(monkeypatch: pytest.MonkeyPatch, *changes: RuleChange) -> None:
    """From now on the portal has published these changes, and no others."""

    def published_changes(number: str) -> tuple[RuleChange, ...]:
        return tuple(change for change in changes if change.number == number)

    monkeypatch.setattr(rules, "published_changes", published_changes)
