"""Which games are offered, by whom, and with which paytables: from the index over what was filed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count

from games.rules.model import Chapter
from submissions.filings.versions import all_versions_in_effect
from submissions.models import IndexedAnswer
from submissions.rules.effective_rules import chapters_on

Counted = tuple[tuple[str, int], ...]
"""(paytable, number of licensees), the most usual first."""


@dataclass(frozen=True, slots=True)
class BenchmarkGame:
    """A game that a licensee offers: by whom, and what is chosen for each wager whose paytable can be chosen."""

    chapter: Chapter
    licensees: tuple[str, ...]
    paytables: tuple[tuple[str, Counted], ...]


def benchmark_games(day: date) -> list[BenchmarkGame]:
    """Every game that a licensee offers on the day, in the Code's order; two queries."""
    offered: dict[str, list[str]] = {}
    versions = all_versions_in_effect(day).order_by("organization__name")
    for number, name in versions.values_list("chapter", "organization__name"):
        offered.setdefault(number, []).append(name)
    chosen = _chosen(day)
    return [
        BenchmarkGame(chapter, tuple(offered[chapter.number]), tuple(_choices(chapter, chosen)))
        for chapter in chapters_on(day)
        if chapter.number in offered
    ]


def _chosen(day: date) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """(chapter, line) → the paytables chosen there, each with the number of licensees, the most usual first."""
    lines = {option.key for chapter in chapters_on(day) for option in chapter.options if option.kind == "paytable"}
    rows = IndexedAnswer.objects.filter(revision__version__in=all_versions_in_effect(day), option__in=lines)
    counted = rows.values_list("revision__version__chapter", "option", "value")
    chosen: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for number, option, value, count in counted.annotate(
        licensees=Count("revision__version__organization", distinct=True)
    ).order_by("-licensees", "value"):
        chosen.setdefault((number, option), []).append((value, count))
    return chosen


def _choices(chapter: Chapter, chosen: dict[tuple[str, str], list[tuple[str, int]]]) -> Iterable[tuple[str, Counted]]:
    for option in chapter.options:
        if paytables := chosen.get((chapter.number, option.key)):
            yield chapter.wager(option.wager).name, tuple(paytables)
