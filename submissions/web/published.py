"""What the Board printed of a chapter's wagers, beside ours: reproduced or not, and why not.

Not here: how ours come about (`submissions.analysis`), when two figures agree (`games.maths.published`).
"""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.model import Chapter, Published
from submissions.analysis import Figures


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed figure; `ours` is empty and `reproduced` None where nothing is computed to hold it against."""

    wager: str
    paytable: str
    figure: str
    source: str
    ours: str
    reproduced: bool | None
    note: str


def printed(chapter: Chapter, figures: Figures | None) -> list[Printed]:
    """Every printed figure in the chapter's order, once for each paytable that it speaks of."""
    return [row for figure in chapter.published for row in _rows(chapter, figure, figures or {})]


def _rows(chapter: Chapter, figure: Published, figures: Figures) -> list[Printed]:
    name, said = chapter.wager(figure.wager).name, f"{figure.value}% {figure.measure}"
    found = [
        Printed(name, one.paytable, each.figure, figure.source, each.ours, each.reproduced, each.note)
        for one in figures.values()
        for each in one.published
        if one.wager == figure.wager and figure.paytable in ("", one.paytable)
        if each.figure.startswith(said) and each.note == figure.note
    ]
    return found or [Printed(name, figure.paytable, said, figure.source, "", None, figure.note)]
