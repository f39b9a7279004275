"""Whether the layouts, signs and guides match the answers of a filing, so that its tables are cleared for play.

A part matches if it was approved for answers that call for exactly the same facts (`staleness`), at any tables of the
licensee's game. Not here: the facts of each part (`required_facts`), filing them (`layout_filings`).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from django.db import models
from django.utils import timezone

from games.registry import words as words_of
from games.rules.model import Answers, Chapter
from submissions.core.configuration_index import group_at, index_of_group
from submissions.core.remembered import remembered
from submissions.layouts.layout_rules import layout_chapter
from submissions.layouts.paper_states import GroupReadiness, PaperReadiness, PaperState
from submissions.layouts.paytable_display import not_cleared_for_play
from submissions.layouts.required_facts import facts_shown
from submissions.layouts.staleness import updates_required
from submissions.models import OPEN_LAYOUTS, LayoutFiling, LayoutRevision, LayoutStatus, Part, Revision, Submission
from submissions.rules.effective_rules import chapter_on, days_of_change
from submissions.rules.rules_day import filed_day, rules_day

WORDS_CHANGED = "The portal corrected the wording of this paper. No rule and no answer changed."
DATA_CHANGED = (
    "The portal's data of the chapter changed after this paper was approved: its wording, a rule, or both. "
    "No answer changed."
)

Tables = tuple[int, str, str, Answers]  # group, name, tables and answers of a configuration


@dataclass(frozen=True, slots=True)
class RulesOfDays:
    """The chapter on the day asked about, and on each later day on which something of it changes."""

    chapter: Chapter
    later: tuple[tuple[date, Chapter], ...]

    @classmethod
    def from_day(cls, number: str, day: date) -> Self:
        later = tuple((change, chapter_on(number, change)) for change in days_of_change(number) if change > day)
        return cls(chapter_on(number, day), later)


def approved_for(filed: LayoutRevision) -> tuple[Revision, int]:
    """The revision of the Rules Submission that an approved layout filing belongs to, and its configuration's place.

    Both were approved for each other, and nothing is filed after an approval, so it is the last one.
    """
    revision = filed.filing.submission.revisions.select_related("submission__organization").latest("number")
    place = index_of_group(revision.content, filed.filing.group)
    if place is None:
        raise LookupError(f"{revision.receipt} has no group {filed.filing.group}, which {filed.receipt} is for")
    return revision, place


def readiness_of_revision(revision: Revision, on: date | None = None) -> list[GroupReadiness]:
    """The groups of a revision, by the papers that were approved by the end of the day `on`, and by the rules of that
    day; None: by all papers, and the rules of today. A filing for a later day is for the rules of that day."""
    content = revision.content
    day = max(on or timezone.localdate(), filed_day(content))
    rows = enumerate(content["configurations"])
    tables = [(group_at(content, place), row["name"], row["tables"], row["answers"]) for place, row in rows]
    return list(_groups(revision.submission, tables, day, on))


def readiness_of_draft(submission: Submission) -> list[GroupReadiness]:
    """The groups of a draft, by its current answers."""
    rows = list(submission.configurations.all())
    tables = [(row.position, row.display_name(several=len(rows) > 1), row.tables, row.answers) for row in rows]
    return list(_groups(submission, tables, rules_day(submission)))


@remembered
def digests(chapter: Chapter, answers: Answers) -> dict[str, frozenset[str]]:
    """Part → the digests, one of which an approved paper must have.

    A layout may repeat the odds of the sign, and then must match them; one that prints none need not.
    """
    repeated = facts_shown(chapter, answers)
    silent = facts_shown(chapter, answers, odds_repeated=False)
    return {part: frozenset({repeated[part].digest, silent[part].digest}) for part in Part}


def is_cleared_for_play(groups: Sequence[GroupReadiness]) -> bool:
    """Whether every table has its layout, sign and guide; False for no tables."""
    return bool(groups) and all(group.ready for group in groups)


def _groups(
    submission: Submission, rows: Iterable[Tables], day: date, on: date | None = None
) -> Iterator[GroupReadiness]:
    rules = RulesOfDays.from_day(submission.chapter, day)
    chapter = rules.chapter
    licensee, number = submission.organization_id, submission.chapter
    by_then = {"decisions__at__date__lte": on} if on else {}
    approved = list(_approved(licensee, number, **by_then))
    begun = list(submission.layout_filings.filter(status__in=(*OPEN_LAYOUTS, LayoutStatus.REJECTED)))
    no_guide = words_of(chapter).guide.missing
    drawn = [part for part in Part if part is not Part.GUIDE or not no_guide]
    for row in rows:
        group, name, tables, answers = row
        called_for = digests(chapter, answers)
        parts = tuple(_part_readiness(rules, row, part, called_for[part], approved, begun) for part in drawn)
        yield GroupReadiness(group, name, tables, parts, no_guide, not_cleared_for_play(chapter, answers))


def _approved(key: int, chapter: str, **of_approval: object) -> models.QuerySet[LayoutRevision]:
    """Every approved filing of a chapter of the licensee with this key, the latest first."""
    of_game = {"filing__submission__organization": key, "filing__submission__chapter": chapter}
    return (
        LayoutRevision.objects.filter(**of_game, decisions__kind="approve", **of_approval)
        .select_related("filing__submission", "revision")
        .prefetch_related("papers")
        .order_by("-filed_at", "-pk")
    )


def _part_readiness(
    rules: RulesOfDays,
    row: Tables,
    part: Part,
    called_for: Collection[str],
    approved: Sequence[LayoutRevision],
    begun: Sequence[LayoutFiling],
) -> PaperReadiness:
    for filed in approved:
        if filed.shown.get(part) in called_for:
            paper = next((paper for paper in filed.papers.all() if paper.part == part), None)
            since, coming = _change(rules, row[3], part, approved)
            return PaperReadiness(part, PaperState.APPROVED, filed.filing, paper, required_from=since, coming=coming)
    of_part = [filing for filing in begun if filing.group == row[0] and part in filing.parts]
    filing = next((filing for filing in of_part if filing.status in OPEN_LAYOUTS), None)
    why = _why(rules.chapter, row, part, approved)
    if filing:
        return PaperReadiness(part, PaperState.UNDER_WAY, filing, why=why)
    if any(part in filed.shown for filed in approved):
        return PaperReadiness(part, PaperState.UPDATE_REQUIRED, why=why)
    rejected = next(iter(of_part), None)
    return PaperReadiness(part, PaperState.NOT_APPROVED if rejected else PaperState.NOT_FILED, rejected)


def _change(
    rules: RulesOfDays, answers: Answers, part: Part, approved: Sequence[LayoutRevision]
) -> tuple[date | None, tuple[str, ...]]:
    """The first later day whose rules call for a paper that is not approved yet, and what changes on it."""
    for day, chapter in rules.later:
        called_for = digests(chapter, answers)[part]
        if not any(filed.shown.get(part) in called_for for filed in approved):
            updates = updates_required(chapter, answers, answers, chapter_before=rules.chapter)
            return day, next((update.why for update in updates if update.part == part), ())
    return None, ()


def _why(chapter: Chapter, row: Tables, part: Part, approved: Sequence[LayoutRevision]) -> tuple[str, ...]:
    """The changes since the last paper that was approved for these tables, else for any tables.

    The digest of the rules tells nothing of the words of papers: the same digest means that only words changed.
    """
    group, _, _, answers = row
    papers = [filed for filed in approved if part in filed.shown]
    last = next((paper for paper in papers if paper.filing.group == group), papers[0] if papers else None)
    if last is None:
        return ()
    before = last.revision.content["configurations"][last.place]["answers"]
    was = layout_chapter(last.filing, last.revision)
    silent = facts_shown(was, before, odds_repeated=False)[part].digest == last.shown[part]
    updates = updates_required(chapter, before, answers, odds_repeated=not silent, chapter_before=was)
    unchanged = WORDS_CHANGED if last.revision.rules_digest == chapter.digest else DATA_CHANGED
    return next((update.why for update in updates if update.part == part), (unchanged,))
