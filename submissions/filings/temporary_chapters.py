"""The temporary chapters (4 Pa.C.S. § 13A03): what the Board decided of each, and the versions under it."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet
from django.utils import timezone

from games.rules.model import Chapter
from submissions.filings.effective_periods import EffectivePeriod, effective_periods, not_over
from submissions.models import Version
from submissions.orders.chapter_decisions import TEMPORARY, ChapterDecision, ChapterOutlook, chapter_decisions
from submissions.rules.effective_rules import chapters_on


@dataclass(frozen=True, slots=True)
class TemporaryChapter:
    """A chapter, the decision that counts (None: none was made), and its versions in effect or scheduled."""

    chapter: Chapter
    decision: ChapterDecision | None
    outlook: ChapterOutlook
    versions: tuple[EffectivePeriod, ...]


def temporary_chapters(rows: QuerySet[Version], day: date) -> list[TemporaryChapter]:
    """Every temporary chapter on the day, in the Code's order, with the rows that are under it; two queries."""
    temporary, decisions = _temporary(), chapter_decisions()
    versions = _current(rows.filter(chapter__in=[chapter.number for chapter in temporary]), day)
    return [
        TemporaryChapter(
            chapter,
            decision := decisions.get(chapter.number),
            decision.outlook(day) if decision else ChapterOutlook.UNDECIDED,
            tuple(versions[chapter.number]),
        )
        for chapter in temporary
    ]


def undecided_chapters(day: date) -> list[Chapter]:
    """The temporary chapters of which nothing is decided for the day; one query."""
    decisions = chapter_decisions()
    return [
        chapter
        for chapter in _temporary()
        if chapter.number not in decisions or decisions[chapter.number].outlook(day) == ChapterOutlook.UNDECIDED
    ]


def _temporary() -> list[Chapter]:
    return [chapter for chapter in chapters_on(timezone.localdate()) if chapter.status == TEMPORARY]


def _current(rows: QuerySet[Version], day: date) -> dict[str, list[EffectivePeriod]]:
    filed = not_over(rows, day).filter(revision__isnull=False).select_related("organization", "revision__submission")
    light = filed.defer("revision__snapshot", "revision__attestation").order_by("organization__name", "pk")
    versions: dict[str, list[EffectivePeriod]] = defaultdict(list)
    for period in effective_periods(light):
        versions[period.version.chapter].append(period)
    return versions
