"""A version that is approved after a rulemaking was published, for a day before the change begins: it was filed under
the old rules, and its licensee has the same task as those whose versions were in effect at the publication.

The approval starts a job, which tries the published changes on this one version and stores what they mean for it. Not
here: the versions that were there at the publication (`publication`), the notice (`notifications.rulemaking_notices`).
"""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils import timezone

from submissions.audit.record import lock_history, record_event
from submissions.filings.effective_periods import VersionState, effective_period
from submissions.jobs import leases
from submissions.models import ChangeEffect, Event, Job, RulemakingChange, Version
from submissions.permissions import workflow
from submissions.rulemakings.change_text import before_and_after, differences
from submissions.rules.effective_rules import rule_change

AFFECTS = "rulemaking-affects"


def try_new_version(event: Event) -> list[Job]:
    """Start the job of a version that was just approved, if a change that is published begins later; a subscriber of
    events."""
    if event.verb != workflow.TRANSITIONS["approve"].done or event.submission is None:
        return []
    version = Version.objects.filter(revision__submission=event.submission).latest("pk")
    if not _later_changes(version).exists():
        return []
    return [leases.enqueue(Job.Kind.RULE_EFFECTS, version.pk)]


def run_rule_effects(lease: leases.Lease) -> None:
    """The job: what each published change means for the version, stored once, with one event."""
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
    from submissions.rulemakings.trial import ChapterTrial  # Start-up cost: NumPy, in every process

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
    """The published changes of the chapter that begin after the version does."""
    rows = RulemakingChange.objects.filter(chapter=version.chapter, published_at__isnull=False)
    return rows.filter(effective__gt=version.from_day).select_related("rulemaking").order_by("effective", "pk")
