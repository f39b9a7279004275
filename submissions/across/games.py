"""Which games are offered, by whom, and with which paytables: from the index over what was filed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count

from games.rules.model import Chapter
from games.rules.registry import chapters
from submissions.actions.versions import all_in_force
from submissions.models import Answered

Counted = tuple[tuple[str, int], ...]
"""(paytable, number of licensees), the most usual first."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that somebody offers: by whom, and what is chosen for each wager whose paytable can be chosen."""

    chapter: Chapter
    licensees: tuple[str, ...]
    paytables: tuple[tuple[str, Counted], ...]


def games(day: date) -> list[Game]:
    """Every game that somebody offers on the day, in the Code's order; two queries."""
    offered: dict[str, list[str]] = {}
    for number, name in all_in_force(day).order_by("organisation__name").values_list("chapter", "organisation__name"):
        offered.setdefault(number, []).append(name)
    chosen = _chosen(day)
    return [
        Game(chapter, tuple(offered[chapter.number]), tuple(_choices(chapter, chosen)))
        for chapter in chapters()
        if chapter.number in offered
    ]


def _chosen(day: date) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """(chapter, line) → the paytables chosen there, each with the number of licensees, the most usual first."""
    lines = {option.key for chapter in chapters() for option in chapter.options if option.kind == "paytable"}
    rows = Answered.objects.filter(revision__version__in=all_in_force(day), option__in=lines)
    counted = rows.values_list("revision__version__chapter", "option", "value")
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for number, option, value, count in counted.annotate(
        licensees=Count("revision__version__organisation", distinct=True)
    ).order_by("-licensees", "value"):
        found.setdefault((number, option), []).append((value, count))
    return found


def _choices(chapter: Chapter, chosen: dict[tuple[str, str], list[tuple[str, int]]]) -> Iterable[tuple[str, Counted]]:
    for option in chapter.options:
        if found := chosen.get((chapter.number, option.key)):
            yield chapter.wager(option.wager).name, tuple(found)
