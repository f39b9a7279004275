"""Which games are offered, by whom, and with which paytables: from the index over what was filed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

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
    filings: dict[int, tuple[str, str]] = {}
    for number, name, revision in versions.values_list("chapter", "organization__name", "revision"):
        offered.setdefault(number, []).append(name)
        filings[revision] = number, name
    chosen = _chosen(filings, chapters_on(day))
    return [
        BenchmarkGame(chapter, tuple(offered[chapter.number]), tuple(_choices(chapter, chosen)))
        for chapter in chapters_on(day)
        if chapter.number in offered
    ]


def _chosen(
    filings: Mapping[int, tuple[str, str]], chapters: Iterable[Chapter]
) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """(chapter, line) → the paytables chosen there, each with the number of licensees, the most usual first.

    `filings`: revision → (chapter, licensee).
    """
    lines = {option.key for chapter in chapters for option in chapter.options if option.kind == "paytable"}
    rows = IndexedAnswer.objects.filter(revision__in=filings, option__in=lines)
    licensees: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for revision, option, value in rows.values_list("revision", "option", "value"):
        number, name = filings[revision]
        licensees[number, option][value].add(name)
    return {
        line: sorted(((value, len(names)) for value, names in chosen.items()), key=lambda row: (-row[1], row[0]))
        for line, chosen in licensees.items()
    }


def _choices(chapter: Chapter, chosen: dict[tuple[str, str], list[tuple[str, int]]]) -> Iterable[tuple[str, Counted]]:
    for option in chapter.options:
        if paytables := chosen.get((chapter.number, option.key)):
            yield chapter.wager(option.wager).name, tuple(paytables)
