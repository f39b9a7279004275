"""The versions that changed rules affect, as the page of changed rules shows them.

Not here: which they are (`layouts.affected_versions`), the rows of a change (`web.rule_changes`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from submissions.filings.effective_periods import EffectivePeriod
from submissions.layouts.affected_versions import AffectedGroup, affected_versions
from submissions.web.rule_changes import RuleChangeList, rule_change_list


@dataclass(frozen=True, slots=True)
class AffectedGroupRow:
    """A group of tables: what changes, and a sentence on the papers to update ("" for none)."""

    name: str
    changes: RuleChangeList
    papers: str


@dataclass(frozen=True, slots=True)
class AffectedRow:
    """A version, and one day from which something that it uses is another."""

    term: EffectivePeriod
    since: date
    is_coming: bool
    groups: tuple[AffectedGroupRow, ...]


def affected_rows(periods: Iterable[EffectivePeriod], day: date) -> list[AffectedRow]:
    """Of these versions, by day."""
    return [
        AffectedRow(row.term, row.since, row.is_coming(day), tuple(map(_group, row.groups)))
        for row in affected_versions(periods)
    ]


def _group(group: AffectedGroup) -> AffectedGroupRow:
    changes = rule_change_list(group.effect.differences, group.effect.holds)
    return AffectedGroupRow(group.name, changes, " ".join(_paper_sentences(group)))


def _paper_sentences(group: AffectedGroup) -> Iterator[str]:
    for update in group.papers:
        yield f"{update.part.label}: update required. {'; '.join(update.why)}."
    for update in group.odds_on_layout:
        yield f"{update.part.label}: update required if it prints the odds."
