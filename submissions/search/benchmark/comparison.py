"""The licensees side by side: who offers a game with which paytables and holds, and where one differs from the rest.

What is usual is what most licensees offer, each counted once, even if only some of its tables have it; where two things
are offered by equally many, nothing is usual, and nothing is marked. Not here: what one filing offers (`offers`).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from games.rules.model import Chapter
from submissions.filings.offered_wagers import OfferedGroup, OfferedWager, analyses_of, offered_groups
from submissions.filings.versions import versions_in_effect
from submissions.models import Version

NOT_ASKED = "not asked"
_Value = TypeVar("_Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One group of tables of one licensee."""

    version: Version
    group: OfferedGroup
    several: bool  # whether the licensee has other groups

    @property
    def licensee(self) -> str:
        return self.version.organization.name

    @property
    def label(self) -> str:
        return f"{self.licensee}, {self.group.name}" if self.several else self.licensee

    def offer(self, wager: str) -> OfferedWager | None:
        return next((offer for offer in self.group.offers if offer.wager == wager), None)


@dataclass(frozen=True, slots=True)
class BenchmarkCell:
    """What one row has of a wager (None: it is not offered); `unlike` says what most have, "" where it has that."""

    offer: OfferedWager | None
    unlike: str
    alone: bool


@dataclass(frozen=True, slots=True)
class BenchmarkColumn:
    """A wager that a licensee offers, with a cell for each row."""

    wager: str
    name: str
    usual: str
    cells: tuple[BenchmarkCell, ...]


@dataclass(frozen=True, slots=True)
class BenchmarkLine:
    """A line that is not answered alike: what most say ("" = nothing is usual), and the rest with those who say it."""

    citation: str
    question: str
    usual: str
    other_answers: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def alone(self) -> bool:
        return any(len(labels) == 1 for _, labels in self.other_answers)


@dataclass(frozen=True, slots=True)
class LicenseeComparison:
    chapter: Chapter
    rows: tuple[BenchmarkRow, ...]
    columns: tuple[BenchmarkColumn, ...]
    lines: tuple[BenchmarkLine, ...]

    @property
    def licensees(self) -> int:
        return len({row.licensee for row in self.rows})


def compare_licensees(chapter: Chapter, day: date) -> LicenseeComparison:
    """The versions of one game in force on the day, in two queries."""
    rows = tuple(_rows(chapter, day))
    names = {offer.wager: offer.name for row in rows for offer in row.group.offers}
    order = {wager.key: place for place, wager in enumerate(chapter.wagers)}
    wagers = sorted(names, key=lambda key: order.get(key, len(order)))
    return LicenseeComparison(
        chapter,
        rows,
        tuple(_column(rows, wager, names[wager]) for wager in wagers),
        tuple(_lines(chapter, rows)),
    )


def _rows(chapter: Chapter, day: date) -> Iterable[BenchmarkRow]:
    versions = (
        versions_in_effect(day).filter(chapter=chapter.number).select_related("organization", "revision__submission")
    )
    ordered = list(versions.order_by("organization__name"))
    revisions = [version.revision for version in ordered if version.revision]
    analyses = analyses_of(revision.pk for revision in revisions)
    for version, revision in zip(ordered, revisions, strict=True):
        groups = offered_groups(revision.pk, revision.content, analyses)
        yield from (BenchmarkRow(version, group, len(groups) > 1) for group in groups)


def _column(rows: Sequence[BenchmarkRow], wager: str, name: str) -> BenchmarkColumn:
    offers = [row.offer(wager) for row in rows]
    said = [(row.licensee, _said(offer)) for row, offer in zip(rows, offers, strict=True)]
    usual = most_common(said)
    counts = Counter(value for _, value in set(said))
    cells = (
        BenchmarkCell(
            offer, "" if usual in (None, value) else _words(usual, value), counts[value] == 1 and usual is not None
        )
        for offer, (_, value) in zip(offers, said, strict=True)
    )
    return BenchmarkColumn(wager, name, " ".join(filter(None, usual or ())), tuple(cells))


def _said(offer: OfferedWager | None) -> tuple[str, str]:
    """What is compared: the paytable and the hold."""
    return (offer.paytable, offer.hold) if offer else ("not offered", "")


def _words(usual: tuple[str, str], value: tuple[str, str]) -> str:
    """What most have, as far as this is something else."""
    return usual[0] if usual[0] != value[0] else usual[1]


def _lines(chapter: Chapter, rows: Sequence[BenchmarkRow]) -> Iterable[BenchmarkLine]:
    """The lines answered differently, in the form's order. Free text, files and paytables are not compared here."""
    for option in chapter.options:
        if option.kind in ("text", "attachment", "paytable"):
            continue
        said = [(row, row.group.answers.get(option.key, ("", "", NOT_ASKED))[2]) for row in rows]
        if len({answer for _, answer in said}) < 2:
            continue
        usual = most_common([(row.licensee, answer) for row, answer in said])
        by_answer = {
            answer: tuple(row.label for row, said_answer in said if said_answer == answer) for _, answer in said
        }
        rest = tuple((answer, labels) for answer, labels in by_answer.items() if answer != usual)
        yield BenchmarkLine(option.citation, option.question, usual or "", rest)


def most_common(said: Iterable[tuple[str, _Value]]) -> _Value | None:
    """The value that most licensees have, of (licensee, value); None if there are two such values."""
    ordered = Counter(value for _, value in set(said)).most_common(2)
    if not ordered or (len(ordered) == 2 and ordered[0][1] == ordered[1][1]):
        return None
    return ordered[0][0]
