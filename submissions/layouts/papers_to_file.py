"""The layouts, payout signs and gaming guides that a licensee must still file (§ 601a.10(a)), of all its games at once.

For Rules Submissions that wait for the Board, are in effect or scheduled; the answers of a returned one may still
change. Not here: the states of one submission with their reasons (`readiness`), the layout filings that are begun
(`review.worklist`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from games.registry import words as words_of
from submissions.filings.effective_periods import not_over
from submissions.layouts.paper_states import parts_in_words
from submissions.layouts.readiness import digests
from submissions.models import OPEN_LAYOUTS, LayoutFiling, LayoutRevision, Part, Person, Status, Submission, Version
from submissions.permissions import PREPARER_ROLES, visible_to
from submissions.rules.rules_day import draft_chapter_or_none

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
        """ "layout, sign and guide", "updated sign"."""
        return f"updated {parts_in_words(self.parts)}" if self.is_update else parts_in_words(self.parts)


def papers_to_file(person: Person) -> list[PapersToFile]:
    """List what the person's licensee must file, the oldest submission first; nothing for people who prepare nothing.

    Four queries, however many there are, beside the rulemakings, which a request reads once.
    """
    if not person.at_licensee or person.role not in PREPARER_ROLES:
        return []
    current = not_over(Version.objects.filter(organization=person.organization_id), timezone.localdate())
    in_effect = Q(status=Status.APPROVED, pk__in=current.values("revision__submission"))
    rows = visible_to(person).filter(in_effect | Q(status__in=(Status.FILED, Status.RECOMMENDED)))
    submissions = list(rows.order_by("pk").prefetch_related("configurations"))
    if not submissions:
        return []
    approved, begun = _approved(person), _begun(person)
    return [missing for submission in submissions for missing in _of_submission(submission, approved, begun)]


def _of_submission(submission: Submission, approved: ApprovedDigests, begun: Begun) -> Iterator[PapersToFile]:
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


def _approved(person: Person) -> ApprovedDigests:
    """Of all tables of the licensee: a part that was approved for some is good for all that call for the same."""
    rows = LayoutRevision.objects.filter(
        filing__submission__organization=person.organization_id, decisions__kind="approve"
    )
    approved: dict[tuple[str, str], set[str]] = defaultdict(set)
    for number, shown in rows.order_by().values_list("filing__submission__chapter", "shown"):
        for part, digest in shown.items():
            approved[number, part].add(digest)
    return approved


def _begun(person: Person) -> Begun:
    """The parts of the licensee's open layout filings."""
    rows = LayoutFiling.objects.filter(submission__organization=person.organization_id, status__in=OPEN_LAYOUTS)
    parts = rows.order_by().values_list("submission", "group", "parts")
    return {(submission, group, part) for submission, group, named in parts for part in named}
