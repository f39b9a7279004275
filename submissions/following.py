"""Which layouts, signs and guides follow the answers of a filing, and which still must: ready for the floor, or not.

A paper follows when it was approved for answers that call for exactly the same of it (`layouts.follows`), at any
tables of the licensee's game: another group may have the same. Not here: what each paper must show, and the filing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from games.rules.model import Answers, Chapter
from games.rules.registry import chapter as chapter_of
from submissions.layouts.follows import must_follow, shown
from submissions.layouts.told import told
from submissions.models import (
    OPEN_LAYOUTS,
    LayoutFiling,
    LayoutRevision,
    Paper,
    Part,
    Revision,
    Submission,
)
from submissions.places import group_of


class State(models.TextChoices):
    FOLLOWS = "follows", "Approved"
    UNDER_WAY = "under-way", "Under way"
    MUST_FOLLOW = "must-follow", "Must follow"


@dataclass(frozen=True, slots=True)
class Following:
    """One part at a group of tables. `why`: what changed since the last one that was approved; none = the first."""

    part: Part
    state: State
    filing: LayoutFiling | None = None  # the approved one, or the one under way
    paper: Paper | None = None  # signed
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A group of tables, by its position in the draft, with its parts; `no_guide` says why there is none of these."""

    group: int
    name: str
    tables: str
    parts: tuple[Following, ...]
    no_guide: str = ""

    @property
    def ready(self) -> bool:
        return all(one.state is State.FOLLOWS for one in self.parts)

    @property
    def missing(self) -> tuple[Following, ...]:
        return tuple(one for one in self.parts if one.state is State.MUST_FOLLOW)

    @property
    def under_way(self) -> LayoutFiling | None:
        return next((one.filing for one in self.parts if one.state is State.UNDER_WAY), None)


@dataclass(frozen=True, slots=True)
class Tables:
    """A configuration whose papers are asked for."""

    group: int
    name: str
    tables: str
    answers: Answers


def of_revision(revision: Revision) -> list[Group]:
    """The groups of a filing, as it was frozen."""
    content = revision.content
    rows = [_tables(content, place) for place in range(len(content["configurations"]))]
    return list(_groups(revision.submission, rows))


def of_draft(submission: Submission) -> list[Group]:
    """The groups of a draft, by its answers as they stand."""
    rows = list(submission.configurations.all())
    named = [Tables(one.position, one.called(several=len(rows) > 1), one.tables, one.answers) for one in rows]
    return list(_groups(submission, named))


def digests(chapter: Chapter, answers: Answers) -> dict[str, frozenset[str]]:
    """Part → the digests of which an approved paper must have one.

    A layout may repeat odds that a sign posts, and then follows them; one that prints none does not.
    """
    repeated = shown(chapter, answers)
    silent = shown(chapter, answers, odds_repeated=False)
    return {part: frozenset({repeated[part].digest, silent[part].digest}) for part in Part}


def ready(groups: Sequence[Group]) -> bool:
    """Whether every table has its layout, sign and guide; never for nothing."""
    return bool(groups) and all(one.ready for one in groups)


def _tables(content: dict[str, Any], place: int) -> Tables:
    row = content["configurations"][place]
    return Tables(group_of(content, place), row["name"], row["tables"], row["answers"])


def _groups(submission: Submission, rows: Iterable[Tables]) -> Iterator[Group]:
    chapter = chapter_of(submission.chapter)
    approved = list(_approved(submission))
    begun = list(submission.layout_filings.filter(status__in=OPEN_LAYOUTS))
    no_guide = told(chapter.number).missing
    drawn = [part for part in Part if part is not Part.GUIDE or not no_guide]
    for row in rows:
        called_for = digests(chapter, row.answers)
        parts = tuple(_following(chapter, row, part, called_for[part], approved, begun) for part in drawn)
        yield Group(row.group, row.name, row.tables, parts, no_guide)


def _approved(submission: Submission) -> models.QuerySet[LayoutRevision]:
    """Every approved filing of the licensee's game, the latest first."""
    return (
        LayoutRevision.objects.filter(
            filing__submission__organisation=submission.organisation,
            filing__submission__chapter=submission.chapter,
            decisions__kind="approve",
        )
        .select_related("filing", "revision")
        .prefetch_related("papers")
        .order_by("-filed_at", "-pk")
    )


def _following(
    chapter: Chapter,
    row: Tables,
    part: Part,
    called_for: Collection[str],
    approved: Sequence[LayoutRevision],
    begun: Sequence[LayoutFiling],
) -> Following:
    for one in approved:
        if one.shown.get(part) in called_for:
            paper = next((paper for paper in one.papers.all() if paper.part == part), None)
            return Following(part, State.FOLLOWS, one.filing, paper)
    filing = next((one for one in begun if one.group == row.group and part in one.parts), None)
    why = _why(chapter, row, part, approved)
    return Following(part, State.UNDER_WAY if filing else State.MUST_FOLLOW, filing, why=why)


def _why(chapter: Chapter, row: Tables, part: Part, approved: Sequence[LayoutRevision]) -> tuple[str, ...]:
    """What changed since the paper that was approved last for these tables, or else for any."""
    papers = [one for one in approved if part in one.shown]
    last = next((one for one in papers if one.filing.group == row.group), papers[0] if papers else None)
    if last is None:
        return ()
    before = last.revision.content["configurations"][last.place]["answers"]
    silent = shown(chapter, before, odds_repeated=False)[part].digest == last.shown[part]
    found = must_follow(chapter, before, row.answers, odds_repeated=not silent)
    return next((one.why for one in found if one.part == part), ("The rules of the chapter changed",))
