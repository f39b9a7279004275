"""Readiness for play: papers that match a filing's answers, the reasons if one does not, and papers still to file.

A part matches if it was approved for answers that call for the same facts (`required_facts`), at any tables.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import get_text_list

from games.registry import words as words_of
from games.rules.model import Answers, Chapter
from submissions.core.caches import remembered
from submissions.core.configurations import group_at, index_of_group
from submissions.filings.judging import filed_judgment
from submissions.filings.orders.temporary_chapters import TEMPORARY, chapter_decisions
from submissions.filings.versions import not_over
from submissions.layouts.paper_content import not_cleared_for_play
from submissions.layouts.required_facts import facts_shown, updates_required
from submissions.models import (
    OPEN_LAYOUTS,
    WITH_BOARD,
    LayoutFiling,
    LayoutRevision,
    LayoutStatus,
    Paper,
    Part,
    Person,
    Revision,
    Status,
    Submission,
    Version,
)
from submissions.permissions import PREPARER_ROLES, visible_to
from submissions.rules import (
    chapter_on,
    chapter_on_or_none,
    days_of_change,
    draft_chapter_or_none,
    filed_day,
    layout_chapter,
    rules_day,
)


class PaperState(models.TextChoices):
    APPROVED = "follows", "Approved"
    UNDER_WAY = "under-way", "Under way"
    UPDATE_REQUIRED = "must-follow", "Update required"  # another one was approved for the game
    NOT_APPROVED = "not-approved", "Not approved"  # rejected, and none was ever approved: the public reads this too
    NOT_FILED = "not-filed", "Not filed"


TO_FILE = (PaperState.UPDATE_REQUIRED, PaperState.NOT_APPROVED, PaperState.NOT_FILED)


@dataclass(frozen=True, slots=True)
class PaperReadiness:
    """One part at a group of tables."""

    part: Part
    state: PaperState
    filing: LayoutFiling | None = None  # the approved one, the one under way, or the rejected one
    paper: Paper | None = None  # signed
    why: tuple[str, ...] = ()  # the changes since the last approved one; empty for the first
    required_from: date | None = None  # the day from which changed rules call for another paper than the approved one
    coming: tuple[str, ...] = ()  # why they do


@dataclass(frozen=True, slots=True)
class GroupReadiness:
    """A group of tables, by its position in the draft, with its parts; `no_guide`: the reason for no guide."""

    group: int
    name: str
    tables: str
    parts: tuple[PaperReadiness, ...]
    no_guide: str = ""
    not_cleared_for_play: str = ""  # why sign and guide cannot be used at a table, even if they are approved

    @property
    def ready(self) -> bool:
        return not self.not_cleared_for_play and all(part.state is PaperState.APPROVED for part in self.parts)

    @property
    def missing(self) -> tuple[PaperReadiness, ...]:
        return tuple(part for part in self.parts if part.state in TO_FILE)

    @property
    def button(self) -> str:
        """Return "File layout, sign and guide"; "File updates" if all missing parts were approved for other answers."""
        if all(part.state is PaperState.UPDATE_REQUIRED for part in self.missing):
            return "File updates"
        return f"File {parts_in_words([part.part for part in self.missing])}"

    @property
    def under_way(self) -> LayoutFiling | None:
        return next((part.filing for part in self.parts if part.state is PaperState.UNDER_WAY), None)


def parts_in_words(parts: Collection[Part]) -> str:
    """Return "layout, sign and guide"."""
    return get_text_list([part.value for part in Part if part in parts], "and")


WORDS_CHANGED = "The portal corrected the wording of this paper. No rule and no answer changed."
DATA_CHANGED = (
    "The portal's data of the chapter changed after this paper was approved: its wording, a rule, or both. "
    "No answer changed."
)

Tables = tuple[int, str, str, Answers]  # group, name, tables and answers of a configuration
RulesOfDays = Mapping[date, Chapter]  # of the day asked about, then of each later day on which something changes


def approved_for(filed: LayoutRevision) -> tuple[Revision, int]:
    """Return the submission's revision (the last: nothing is filed after an approval) and place that it is for."""
    revision = filed.filing.submission.revisions.select_related("submission__organization").latest("number")
    place = index_of_group(revision.content, filed.filing.group)
    if place is None:
        raise LookupError(f"{revision.receipt} has no group {filed.filing.group}, which {filed.receipt} is for")
    return revision, place


def readiness_of_revision(revision: Revision, on: date | None = None) -> list[GroupReadiness]:
    """Return the groups of a revision, by the papers approved and the rules on the day `on`, or of its later filing.

    None: by all papers, and the rules of today.
    """
    content = revision.content
    day = max(on or timezone.localdate(), filed_day(content))
    rows = enumerate(content["configurations"])
    tables = [(group_at(content, place), row["name"], row["tables"], row["answers"]) for place, row in rows]
    return list(_groups(revision.submission, tables, day, on))


def readiness_of_draft(submission: Submission) -> list[GroupReadiness]:
    """Return the groups of a draft, by its current answers."""
    rows = list(submission.configurations.all())
    tables = [(row.position, row.display_name(several=len(rows) > 1), row.tables, row.answers) for row in rows]
    return list(_groups(submission, tables, rules_day(submission)))


@remembered
def digests(chapter: Chapter, answers: Answers) -> dict[str, frozenset[str]]:
    """Return the digests of each part, one of which an approved paper must have: with and without repeated odds."""
    repeated = facts_shown(chapter, answers)
    silent = facts_shown(chapter, answers, odds_repeated=False)
    return {part: frozenset({repeated[part].digest, silent[part].digest}) for part in Part}


def is_cleared_for_play(groups: Sequence[GroupReadiness]) -> bool:
    """Return whether every table has its layout, sign and guide; False for no tables."""
    return bool(groups) and all(group.ready for group in groups)


def _groups(
    submission: Submission, rows: Iterable[Tables], day: date, on: date | None = None
) -> Iterator[GroupReadiness]:
    number = submission.chapter
    later = (change for change in days_of_change(number) if change > day)
    rules = {each: chapter_on(number, each) for each in (day, *later)}
    chapter = rules[day]
    approved = list(_approved(submission, {"decisions__at__date__lte": on} if on else {}))
    begun = list(submission.layout_filings.filter(status__in=(*OPEN_LAYOUTS, LayoutStatus.REJECTED)))
    no_guide = words_of(chapter).guide.missing
    drawn = [part for part in Part if part is not Part.GUIDE or not no_guide]
    for row in rows:
        group, name, tables, answers = row
        called_for = digests(chapter, answers)
        parts = tuple(_part_readiness(rules, row, part, called_for[part], approved, begun) for part in drawn)
        yield GroupReadiness(group, name, tables, parts, no_guide, not_cleared_for_play(chapter, answers))


def _approved(submission: Submission, by_then: Mapping[str, date]) -> models.QuerySet[LayoutRevision]:
    """Return every approved filing of the licensee's game, the latest first."""
    of_game = Q(
        filing__submission__organization=submission.organization_id, filing__submission__chapter=submission.chapter
    )
    rows = LayoutRevision.objects.filter(of_game, decisions__kind="approve", **by_then)
    related = rows.select_related("filing__submission", "revision").prefetch_related("papers")
    return related.order_by("-filed_at", "-pk")


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
            since, coming = _coming(rules, row[3], part, approved)
            return PaperReadiness(part, PaperState.APPROVED, filed.filing, paper, required_from=since, coming=coming)
    of_part = [filing for filing in begun if filing.group == row[0] and part in filing.parts]
    filing = next((filing for filing in of_part if filing.status in OPEN_LAYOUTS), None)
    why = _why(next(iter(rules.values())), row, part, approved)
    if filing:
        return PaperReadiness(part, PaperState.UNDER_WAY, filing, why=why)
    if any(part in filed.shown for filed in approved):
        return PaperReadiness(part, PaperState.UPDATE_REQUIRED, why=why)
    rejected = next(iter(of_part), None)
    return PaperReadiness(part, PaperState.NOT_APPROVED if rejected else PaperState.NOT_FILED, rejected)


def _coming(
    rules: RulesOfDays, answers: Answers, part: Part, approved: Sequence[LayoutRevision]
) -> tuple[date | None, tuple[str, ...]]:
    """Return the first later day whose rules call for a paper that is not approved yet, and what changes on it."""
    (_, today), *later = rules.items()
    for day, chapter in later:
        called_for = digests(chapter, answers)[part]
        if not any(filed.shown.get(part) in called_for for filed in approved):
            updates = updates_required(chapter, answers, answers, chapter_before=today)
            return day, next((update.why for update in updates if update.part == part), ())
    return None, ()


def _why(chapter: Chapter, row: Tables, part: Part, approved: Sequence[LayoutRevision]) -> tuple[str, ...]:
    """Return the changes since the last paper that was approved for these tables, else for any tables."""
    group, _, _, answers = row
    papers = [filed for filed in approved if part in filed.shown]
    last = next((paper for paper in papers if paper.filing.group == group), papers[0] if papers else None)
    if last is None:
        return ()
    before = last.revision.content["configurations"][last.place]["answers"]
    was = layout_chapter(last.filing, last.revision)
    silent = facts_shown(was, before, odds_repeated=False)[part].digest == last.shown[part]
    updates = updates_required(chapter, before, answers, odds_repeated=not silent, chapter_before=was)
    # The digest of the rules covers no words of papers: the same digest means that only words changed.
    unchanged = WORDS_CHANGED if last.revision.rules_digest == chapter.digest else DATA_CHANGED
    return next((update.why for update in updates if update.part == part), (unchanged,))


CHAPTER_ENDED = "the chapter has ended"
TEXT_INCOMPLETE = "the text of the chapter is incomplete"


def why_not_cleared(revision: Revision, groups: Sequence[GroupReadiness], day: date) -> str:
    """Return "payout sign and gaming guide not approved", or "" if all tables of `groups` are cleared on the day."""
    number = revision.submission.chapter
    chapter = chapter_on_or_none(number, day)
    decision = chapter_decisions().get(number) if chapter and chapter.status == TEMPORARY else None
    if decision is not None and decision.has_ended(day):
        return CHAPTER_ENDED
    if waivers := ended_waivers(revision, groups, day):
        return f"waiver {get_text_list(waivers, 'and')} ended"
    if parts := parts_not_approved(groups):
        return f"{get_text_list([part.label.lower() for part in parts], 'and')} not approved"
    return TEXT_INCOMPLETE if any(group.not_cleared_for_play for group in groups) else ""


def parts_not_approved(groups: Iterable[GroupReadiness]) -> list[Part]:
    """Return the parts that lack an approval at a table of these groups, in the order of `Part`."""
    lacking = {row.part for group in groups for row in group.parts if row.state is not PaperState.APPROVED}
    return [part for part in Part if part in lacking]


def ended_waivers(revision: Revision, groups: Iterable[GroupReadiness], day: date) -> list[str]:
    """Return the numbers of waivers that these groups' answers need and that no longer cover them on the day."""
    content, ended = revision.content, []
    for group in groups:
        place = index_of_group(content, group.group)
        if place is None:
            continue
        findings = content["configurations"][place]["findings"]
        if waived := {finding["rule"]: finding["waiver"]["number"] for finding in findings if "waiver" in finding}:
            chapter = chapter_on(revision.submission.chapter, day)
            blocking = filed_judgment(chapter, content, place).on(chapter, day).blocking
            ended += [waived[finding.rule] for finding in blocking if finding.rule in waived]
    return list(dict.fromkeys(ended))


ApprovedDigests = Mapping[tuple[str, str], Collection[str]]  # chapter and part → digests of what was approved
Begun = Collection[tuple[int, int, str]]  # submission, group, part


@dataclass(frozen=True, slots=True)
class PapersToFile:
    """The parts at one group of tables for which nothing that matches is approved or under way."""

    submission: Submission
    group: str  # the name; "" if the submission has one group
    parts: tuple[Part, ...]
    is_update: bool  # each was approved for other answers of the game

    @property
    def words(self) -> str:
        """Return "layout, sign and guide" or "updated sign"."""
        return f"updated {parts_in_words(self.parts)}" if self.is_update else parts_in_words(self.parts)


def papers_to_file(person: Person) -> list[PapersToFile]:
    """List what the person's licensee must file, the oldest submission first, by four queries."""
    if not person.at_licensee or person.role not in PREPARER_ROLES:
        return []
    current = not_over(Version.objects.filter(organization=person.organization_id), timezone.localdate())
    in_effect = Q(status=Status.APPROVED, pk__in=current.values("revision__submission"))
    rows = visible_to(person).filter(in_effect | Q(status__in=WITH_BOARD))
    shown = rows.only("number", "chapter", "status", "takes_effect")
    submissions = list(shown.order_by("pk").prefetch_related("configurations"))
    if not submissions:
        return []
    filings = LayoutFiling.objects.filter(submission__organization=person.organization_id, status__in=OPEN_LAYOUTS)
    rows_begun = filings.order_by().values_list("submission", "group", "parts")
    begun = {(submission, group, part) for submission, group, parts in rows_begun for part in parts}
    approved = _approved_digests(person)
    return [missing for submission in submissions for missing in _papers_of_submission(submission, approved, begun)]


def _papers_of_submission(submission: Submission, approved: ApprovedDigests, begun: Begun) -> Iterator[PapersToFile]:
    chapter = draft_chapter_or_none(submission)
    if chapter is None:
        return
    rows, number = list(submission.configurations.all()), submission.chapter
    has_guide = not words_of(chapter).guide.missing
    for row in rows:
        called_for = digests(chapter, row.answers)
        parts = tuple(
            part
            for part in Part
            if (has_guide or part is not Part.GUIDE)
            and called_for[part].isdisjoint(approved[number, part])
            and (submission.pk, row.position, part) not in begun
        )
        if parts:
            name = row.display_name(several=True) if len(rows) > 1 else ""
            yield PapersToFile(submission, name, parts, is_update=all(approved[number, part] for part in parts))


def _approved_digests(person: Person) -> ApprovedDigests:
    """Return the digests approved at any of the licensee's tables, which count for all that call for equal facts."""
    rows = LayoutRevision.objects.filter(
        filing__submission__organization=person.organization_id, decisions__kind="approve"
    )
    approved: dict[tuple[str, str], set[str]] = defaultdict(set)
    for number, shown in rows.order_by().values_list("filing__submission__chapter", "shown"):
        for part, digest in shown.items():
            approved[number, part].add(digest)
    return approved
