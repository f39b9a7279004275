"""Changed rules as pages show them.

They are the changes of a chapter from one day to another, by kind of record, texts marked by word; those until a
planned effective day; and the versions that they block or affect.

The checks of versions are kept until a thing that they are made of is another: what is stored for good (versions,
orders and their ends), the licensees and the rules. Not kept: results that wait for figures that a job computes. Not
here: the differences (`games.rules.differences`) and their effect on a configuration (`filings.rule_effects`), which
versions are blocked (`filings.compliance`) or affected (`layouts.affected_versions`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils import timezone

from games.registry import folders, words
from games.rules.differences import RuleDifference, TextPart, text_diff, word_differences
from submissions.core.caches import rows_seen
from submissions.filings.compliance import ComplianceReport, current_periods, judge_periods
from submissions.filings.rule_effects import HoldChange, planned_effect
from submissions.filings.versions import EffectivePeriod
from submissions.layouts.affected_versions import AffectedGroup, affected_versions
from submissions.models import Order, OrderEnd, Organization, Person, Submission, Version
from submissions.permissions import ReadScope, read_scope_of, versions_visible_to
from submissions.rules import chapter_on, chapters_on, published_changes, rules_day
from submissions.web.formatting import MINUS, SPACE

NOT_OFFERED, BEING_COMPUTED = "not offered", "being computed"
DIGITS = 4  # of a hold in percent
_WORDED = ("section", "label", "guide", "reading")  # kinds whose texts are long: marked word by word


@dataclass(frozen=True, slots=True)
class RuleChangeRow:
    """One part of one record; `words` is its text word by word where that is easier to read than before and after."""

    citation: str
    subject: str
    part: str
    before: str
    after: str
    words: tuple[TextPart, ...] = ()


@dataclass(frozen=True, slots=True)
class HoldRow:
    """A hold before and after in percent with four decimals, and the difference in percentage points."""

    wager: str
    paytable: str
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class RuleChangeList:
    """The rows by kind, in the order of the chapter, and the holds that they move."""

    kinds: tuple[tuple[str, tuple[RuleChangeRow, ...]], ...]
    holds: tuple[HoldRow, ...]
    is_computing: bool  # whether a job still computes one of the holds

    @property
    def count(self) -> int:
        return sum(len(rows) for _, rows in self.kinds)


def rule_change_list(differences: Sequence[RuleDifference], holds: Iterable[HoldChange] = ()) -> RuleChangeList:
    """Return the differences for a page."""
    kinds, moved = groupby(differences, key=lambda difference: difference.kind_name), tuple(holds)
    return RuleChangeList(
        tuple((name, tuple(map(_row, rows))) for name, rows in kinds),
        tuple(map(_hold_row, moved)),
        any(hold.is_computing for hold in moved),
    )


def _row(difference: RuleDifference) -> RuleChangeRow:
    is_worded = difference.kind in _WORDED and difference.before and difference.after
    return RuleChangeRow(
        difference.citation,
        "" if difference.kind == "section" else difference.subject,
        difference.part,
        difference.before or "none",
        difference.after or "none",
        text_diff(difference.before, difference.after) if is_worded else (),
    )


def _hold_row(hold: HoldChange) -> HoldRow:
    absent = BEING_COMPUTED if hold.is_computing else NOT_OFFERED
    before, after = (absent if side is None else f"{_points(side)}{SPACE}%" for side in (hold.before, hold.after))
    change = "–" if hold.change is None else f"{'+' if hold.change > 0 else ''}{_points(hold.change)}"
    return HoldRow(hold.name, hold.paytable, before, after, change)


def _points(share: Fraction) -> str:
    return f"{float(share) * 100:.{DIGITS}f}".replace("-", MINUS)


@dataclass(frozen=True, slots=True)
class PlannedChanges:
    """The day by whose rules the draft is judged; `changes` of the chapter from today until then, None for today."""

    day: date
    today: date
    changes: RuleChangeList | None

    @property
    def is_ahead(self) -> bool:
        return self.day > self.today


def planned_changes(submission: Submission) -> PlannedChanges:
    """Return the rule changes until the day by whose rules the draft is judged."""
    day, today = rules_day(submission), timezone.localdate()
    if day == today:
        return PlannedChanges(day, today, None)
    before, after = (chapter_on(submission.chapter, each) for each in (today, day))
    effect = planned_effect(before, after)
    differences = (*effect.differences, *word_differences(words(before), words(after)))
    return PlannedChanges(day, today, rule_change_list(differences, effect.holds))


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
    """Return the rows of the affected versions among these, by day."""
    return [
        AffectedRow(row.term, row.since, row.is_coming(day), tuple(map(_group, row.groups)))
        for row in affected_versions(periods)
    ]


def _group(group: AffectedGroup) -> AffectedGroupRow:
    changes = rule_change_list(group.effect.differences, group.effect.holds)
    papers = [f"{update.part.label}: update required. {'; '.join(update.why)}." for update in group.papers]
    papers += [f"{update.part.label}: update required if it prints the odds." for update in group.odds_on_layout]
    return AffectedGroupRow(group.name, changes, " ".join(papers))


MOST_KEPT = 40  # readers' organizations and days


@dataclass(frozen=True, slots=True)
class CheckedVersions:
    """The versions of a reader as of a day: those that do not comply, and those that are affected."""

    report: ComplianceReport
    affected: tuple[AffectedRow, ...]

    @property
    def is_computing(self) -> bool:
        """Whether a job still computes a figure of it."""
        changes = (group.changes for row in self.affected for group in row.groups)
        return any(change.is_computing for change in changes)


_kept_checks: dict[tuple[ReadScope, date], tuple[tuple[Any, ...], CheckedVersions]] = {}


def checked_versions(reader: Person, day: date) -> CheckedVersions:
    """Return the checks of all versions for the Board, of its own for a licensee."""
    reach = read_scope_of(reader)
    if reach is None:
        return _check(reader, day)
    made_of = _made_of(day)
    seen, checked = _kept_checks.get((reach, day), (None, None))
    if checked is None or seen != made_of:
        checked = _check(reader, day)
        if len(_kept_checks) >= MOST_KEPT:
            _kept_checks.clear()
        if not checked.is_computing:
            _kept_checks[reach, day] = (made_of, checked)
    return checked


def _check(reader: Person, day: date) -> CheckedVersions:
    periods = current_periods(versions_visible_to(reader), day)
    return CheckedVersions(judge_periods(periods, day), tuple(affected_rows(periods, day)))


def _made_of(day: date) -> tuple[Any, ...]:
    """Return all that the report follows from, but for the reader's scope and the day."""
    return (
        rows_seen(Version, "made_at"),
        rows_seen(Order, "at"),
        rows_seen(OrderEnd, "at"),
        tuple(Organization.objects.order_by("pk").values_list("pk", "name", "slug", "kind", "sandbox_of")),
        tuple(chapter.digest for chapter in chapters_on(day)),
        tuple(published_changes(number) for number in folders()),
    )
