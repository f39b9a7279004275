"""The approved versions that a change of the rules affects, with the day, the holds before and after, and the papers.

This only reports. Not here: what blocks (`filings.compliance`), the effect on one configuration (`rule_effects`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from games import registry
from games.rules.model import Chapter
from submissions.core.configurations import tables_of
from submissions.filings.compliance import change_days_of, group_words, read_snapshots, revision_of
from submissions.filings.rule_effects import RuleEffect, rule_effect
from submissions.filings.snapshot import JsonObject
from submissions.filings.versions import EffectivePeriod
from submissions.layouts.required_facts import UpdateReason, updates_by_rules
from submissions.rules import chapter_on


@dataclass(frozen=True, slots=True)
class AffectedGroup:
    """A group of tables; `papers` must be updated, `odds_on_layout` only if the layout prints the odds, too."""

    name: str
    effect: RuleEffect
    papers: tuple[UpdateReason, ...]
    odds_on_layout: tuple[UpdateReason, ...]

    @property
    def is_affected(self) -> bool:
        return bool(self.effect or self.papers or self.odds_on_layout)


@dataclass(frozen=True, slots=True)
class AffectedVersion:
    """A version and a day on which something that it uses changes; a second change is a second record."""

    term: EffectivePeriod
    since: date
    groups: tuple[AffectedGroup, ...]

    def is_coming(self, day: date) -> bool:
        return self.since > day


def affected_versions(periods: Iterable[EffectivePeriod]) -> tuple[AffectedVersion, ...]:
    """Return those in effect or scheduled (`filings.compliance.current_periods`), by day, then in their order."""
    known = [period for period in periods if period.version.chapter in registry.folders() and change_days_of(period)]
    read_snapshots(known)
    return tuple(sorted((row for period in known for row in _changes(period)), key=lambda row: row.since))


def _changes(period: EffectivePeriod) -> Iterator[AffectedVersion]:
    """Yield the version for each day on which something that it uses changes, compared with the day before."""
    content, number = revision_of(period).content, period.version.chapter
    before = chapter_on(number, period.version.from_day)
    for day in change_days_of(period):
        after = chapter_on(number, day)
        if groups := tuple(group for group in _groups(before, after, content) if group.is_affected):
            yield AffectedVersion(period, day, groups)
        before = after


def _groups(before: Chapter, after: Chapter, content: JsonObject) -> Iterator[AffectedGroup]:
    rows = content["configurations"]
    for place, row in enumerate(rows):
        tables, answers = tables_of(place, [each["tables"] for each in rows]), row["answers"]
        certain, repeated = updates_by_rules(before, after, answers)
        parts = {update.part for update in certain}
        only_odds = tuple(update for update in repeated if update.part not in parts)
        yield AffectedGroup(group_words(row), rule_effect(before, after, answers, tables), certain, only_odds)
