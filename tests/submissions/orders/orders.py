"""Orders for tests: entered by the director through the action."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone

from submissions.filings.orders.order_entry import OrderContent, enter_order
from submissions.models import ChapterEffect, Order, OrderKind, Person

RULE = "686a.discard-rack-undecided"
WITHOUT_RACK = {"discard_rack_equal": False}
"""An answer that this requirement of 686a blocks."""


def content(**changes: Any) -> OrderContent:
    """A waiver of the rack of 686a for all of Casino East, from today on."""
    values: dict[str, Any] = {
        "kind": OrderKind.WAIVER,
        "citation": "§ 686a.2(f)",
        "text": "The casino may deal without a discard rack.",
        "first_day": timezone.localdate(),
        "licensee": "east",
        "chapter": "686a",
        "rule": RULE,
        "docket": "12-2026",
    }
    return OrderContent(**{**values, **changes})


def waiver(director: Person, **changes: Any) -> Order:
    return enter_order(director, content(**changes))


def chapter_order(
    director: Person, chapter: str, effect: str = ChapterEffect.ENDS, last_day: date | None = None
) -> Order:
    """Decision of a temporary chapter."""
    changes = {"licensee": "", "rule": "", "chapter": chapter, "citation": "4 Pa.C.S. § 13A03", "kind": OrderKind.ORDER}
    text = "The temporary regulation is not renewed."
    return enter_order(director, content(chapter_effect=effect, last_day=last_day, text=text, **changes))
