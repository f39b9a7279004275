"""Who must file again under a published rulemaking, by when, and how far each licensee is.

A licensee whose version is affected has the task until a version that was filed under the new rules is approved for the
change's first day, or the game is no longer offered then. So it is with a version that is approved after the
publication, for a day before the change begins: its approval starts a job, which stores what the changes mean for it.
Not here: the versions that were there at the publication (`drafting`), the notices (`notifications.notices`).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions.audit.record import lock_history, record_event
from submissions.filings.versions import VersionState, effective_period
from submissions.jobs import leases
from submissions.models import (
    OPEN_STATUSES,
    WITH_BOARD,
    ChangeEffect,
    Event,
    Job,
    Organization,
    Person,
    Rulemaking,
    RulemakingChange,
    Submission,
    Version,
)
from submissions.permissions import PREPARER_ROLES, workflow
from submissions.rulemakings.rule_changes import before_and_after, differences
from submissions.rules import changes_rules, chapter_on_or_none, days_of_change, rule_change

Game = tuple[int, str]  # primary key of the licensee, chapter


class RefilingProgress(models.TextChoices):
    """How far a licensee is; in the order of the steps."""

    NOTHING_TO_DO = "nothing-to-do", "Nothing changes for it"
    PAPERS = "papers", "Papers to update, nothing to refile"
    NONE = "none", "Notified"
    DRAFT = "draft", "Draft begun"
    FILED = "filed", "Filed"
    APPROVED = "approved", "Approved"
    DISCONTINUED = "discontinued", "No longer offered"


DONE = (
    RefilingProgress.NOTHING_TO_DO,
    RefilingProgress.PAPERS,
    RefilingProgress.APPROVED,
    RefilingProgress.DISCONTINUED,
)


@dataclass(frozen=True, slots=True)
class Refiling:
    """One licensee's game under one change. `submission`: the one on its way, or approved."""

    change: RulemakingChange
    licensee: Organization
    affected: ChangeEffect
    progress: RefilingProgress
    submission: Submission | None

    @property
    def due(self) -> date:
        return self.change.effective

    @property
    def is_done(self) -> bool:
        return self.progress in DONE

    def is_late(self, day: date) -> bool:
        """Return whether the new rules are in effect and the licensee's version is still one of the old."""
        return not self.is_done and self.due <= day

    @property
    def notified_at(self) -> datetime:
        return self.affected.notified_at


def refilings_of(rulemaking: Rulemaking) -> list[Refiling]:
    """Return every licensee with a version under a change of the rulemaking, by change and name."""
    rows = ChangeEffect.objects.filter(change__rulemaking=rulemaking)
    return _refilings(rows.order_by("change__chapter", "change__effective", "version__organization__name", "pk"))


def refiling_tasks_of(person: Person) -> list[Refiling]:
    """Return the filings that the person's licensee must file again, the earliest day first; none for other people."""
    if not person.at_licensee or person.role not in PREPARER_ROLES or person.organization is None:
        return []
    rows = ChangeEffect.objects.filter(version__organization=person.organization)
    return [row for row in _refilings(rows.order_by("change__effective", "pk")) if not row.is_done]


def _refilings(rows: QuerySet[ChangeEffect]) -> list[Refiling]:
    """Return the refilings in four queries, however many there are."""
    affected = list(rows.select_related("change__rulemaking", "version__organization"))
    if not affected:
        return []
    chapters = {row.change.chapter for row in affected}
    licensees = {row.version.organization_id for row in affected}
    of_games = Q(organization__in=licensees, chapter__in=chapters)
    light = Version.objects.filter(of_games).select_related("revision__submission").defer("revision__snapshot")
    versions: dict[Game, list[Version]] = defaultdict(list)
    for version in light.order_by("from_day", "pk"):
        versions[version.organization_id, version.chapter].append(version)
    started: dict[Game, list[Submission]] = defaultdict(list)
    for submission in Submission.objects.filter(of_games, status__in=OPEN_STATUSES).order_by("pk"):
        started[submission.organization_id, submission.chapter].append(submission)
    merged: dict[tuple[int, int], ChangeEffect] = {}
    for row in affected:  # of several versions of one game, the last one in effect on the day counts
        key = (row.change_id, row.version.organization_id)
        version = row.version
        begins = (version.from_day, version.pk)
        if key not in merged or (
            version.from_day <= row.change.effective and begins > (merged[key].version.from_day, merged[key].version.pk)
        ):
            merged[key] = row
    refilings = []
    for row in merged.values():
        licensee, change = row.version.organization, row.change
        game = (licensee.pk, change.chapter)
        refilings.append(Refiling(change, licensee, row, *_progress(row, versions[game], started[game])))
    return refilings


def _progress(
    row: ChangeEffect, versions: Sequence[Version], started: Sequence[Submission]
) -> tuple[RefilingProgress, Submission | None]:
    if not row.effects:
        return RefilingProgress.NOTHING_TO_DO, None
    day = max(row.change.effective, timezone.localdate())
    current = next((version for version in reversed(versions) if version.from_day <= day), None)
    if current is None or current.revision is None:
        return RefilingProgress.DISCONTINUED, None
    if not changes_rules(row.change):
        return RefilingProgress.PAPERS, None
    if current.revision.rules_digest in _new_digests(row.change):
        return RefilingProgress.APPROVED, current.revision.submission
    if not started:
        return RefilingProgress.NONE, None
    latest = started[-1]
    return (RefilingProgress.FILED if latest.status in WITH_BOARD else RefilingProgress.DRAFT), latest


def _new_digests(change: RulemakingChange) -> set[str]:
    """Return the digests of the chapter's rules from the change's first day on."""
    days = {change.effective, *(day for day in days_of_change(change.chapter) if day > change.effective)}
    chapters = (chapter_on_or_none(change.chapter, day) for day in days)
    return {chapter.digest for chapter in chapters if chapter}


AFFECTS = "rulemaking-affects"


def try_new_versions(events: Sequence[Event], **_: object) -> None:
    """Start the job of a version that was just approved, if a published change begins later (`events_recorded`)."""
    for event in events:
        if event.verb == workflow.TRANSITIONS["approve"].done and event.submission:
            version = Version.objects.filter(revision__submission=event.submission).latest("pk")
            if _later_changes(version).exists():
                leases.enqueue(Job.Kind.RULE_EFFECTS, version.pk)


def run_rule_effects(lease: leases.Lease) -> None:
    """Run the job that stores, once and with one event, the effect of each published change on the version."""
    version = Version.objects.select_related("organization", "revision__submission").get(pk=lease.job.subject)
    effects_of = list(_effects(lease, version))
    with lease.commit():
        lock_history()  # no other version of the game is approved in between
        known = set(ChangeEffect.objects.filter(version=version).values_list("change", flat=True))
        now = timezone.now()
        rows = [
            ChangeEffect(change=change, version=version, effects=effects, notified_at=now)
            for change, effects in effects_of
            if change.pk not in known
        ]
        if not rows:
            return
        rows = ChangeEffect.objects.bulk_create(rows)
        after = {
            "version": version.pk,
            "receipt": version.revision.receipt if version.revision else "",
            "changes": [
                [row.change.rulemaking.number, row.change.chapter, row.change.effective.isoformat(), row.effects]
                for row in rows
            ],
        }
        record_event(None, None, AFFECTS, after=after, seals=rows, organization=version.organization)


def _effects(lease: leases.Lease, version: Version) -> Iterator[tuple[RulemakingChange, list[str]]]:
    """Each later change during which the version is in effect, with the kinds of effect on any table group."""
    from submissions.rulemakings.trials import ChapterTrial  # Start-up cost: NumPy, in every process

    changes = list(_later_changes(version))
    for place, row in enumerate(changes):
        lease.beat(place, len(changes))
        period = effective_period(version)
        if period.state(row.effective) != VersionState.IN_FORCE:
            continue
        change = rule_change(row.rulemaking.number, row.text)
        before, after = before_and_after(change)
        trial = ChapterTrial(change, before, after, differences(change), [period]).run(lambda: None)
        yield row, list(dict.fromkeys(kind for group in trial.rows for kind in group.effects))


def _later_changes(version: Version) -> QuerySet[RulemakingChange]:
    """Return the published changes of the chapter that begin after the version does."""
    rows = RulemakingChange.objects.filter(chapter=version.chapter, published_at__isnull=False)
    return rows.filter(effective__gt=version.from_day).select_related("rulemaking").order_by("effective", "pk")
