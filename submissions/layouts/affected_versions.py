"""The approved versions that a change of the rules affects, blocked or not.

For each version: the changes of the rules that it uses, their first day, the holds before and after, and the papers to
update. This only reports. Not here: what blocks (`filings.compliance`), the effect on one configuration
(`filings.rule_effects`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from games import registry
from games.rules.model import Answers, Chapter
from submissions.core.configurations import tables_of
from submissions.filings.compliance import change_days_of, group_words, read_snapshots, revision_of
from submissions.filings.rule_effects import RuleEffect, rule_effect
from submissions.filings.snapshot import JsonObject
from submissions.filings.versions import EffectivePeriod
from submissions.layouts.required_facts import UpdateReason, updates_required
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
    affected = (row for period in known for row in _changes(period))
    return tuple(sorted(affected, key=lambda row: row.since))


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
        papers = _papers(before, after, answers, odds_repeated=False)
        parts = {update.part for update in papers}
        repeated = tuple(
            update for update in _papers(before, after, answers, odds_repeated=True) if update.part not in parts
        )
        yield AffectedGroup(group_words(row), rule_effect(before, after, answers, tables), papers, repeated)


def _papers(before: Chapter, after: Chapter, answers: Answers, *, odds_repeated: bool) -> tuple[UpdateReason, ...]:
    return updates_required(after, answers, answers, odds_repeated=odds_repeated, chapter_before=before)
