"""Changed rules as pages show them: of a chapter from one day to another, and the versions that they block or affect.

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
from games.rules.differences import RuleDifference, text_diff, word_differences
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


Row = dict[str, Any]  # of a list on a page


@dataclass(frozen=True, slots=True)
class RuleChangeList:
    """The rows by kind, in the order of the chapter, and the holds that they move."""

    kinds: tuple[tuple[str, tuple[Row, ...]], ...]
    holds: tuple[Row, ...]
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


def _row(difference: RuleDifference) -> Row:
    """Return one part of one record; `words` is its text word by word where that is easier than before and after."""
    is_worded = difference.kind in _WORDED and difference.before and difference.after
    return {
        "citation": difference.citation,
        "subject": "" if difference.kind == "section" else difference.subject,
        "part": difference.part,
        "before": difference.before or "none",
        "after": difference.after or "none",
        "words": text_diff(difference.before, difference.after) if is_worded else (),
    }


def _hold_row(hold: HoldChange) -> Row:
    """Return a hold before and after in percent with four decimals, and the difference in percentage points."""
    absent = BEING_COMPUTED if hold.is_computing else NOT_OFFERED
    before, after = (absent if side is None else f"{_points(side)}{SPACE}%" for side in (hold.before, hold.after))
    change = "–" if hold.change is None else f"{'+' if hold.change > 0 else ''}{_points(hold.change)}"
    return {
        "wager": hold.name,
        "paytable": hold.paytable,
        "before": before,
        "after": after,
        "change": change,
    }


def _points(share: Fraction) -> str:
    return f"{float(share) * 100:.{DIGITS}f}".replace("-", MINUS)


def planned_changes(submission: Submission) -> Row:
    """Return the day by whose rules the draft is judged, and the changes of the chapter from today until then."""
    day, today = rules_day(submission), timezone.localdate()
    changes = None
    if day != today:
        before, after = (chapter_on(submission.chapter, each) for each in (today, day))
        effect = planned_effect(before, after)
        differences = (*effect.differences, *word_differences(words(before), words(after)))
        changes = rule_change_list(differences, effect.holds)
    return {
        "day": day,
        "today": today,
        "is_ahead": day > today,
        "changes": changes,
    }


def affected_rows(periods: Iterable[EffectivePeriod], day: date) -> list[Row]:
    """Return the affected versions among these, each with a day from which something that it uses is another."""
    return [
        {
            "term": row.term,
            "since": row.since,
            "is_coming": row.is_coming(day),
            "groups": [_group(group) for group in row.groups],
        }
        for row in affected_versions(periods)
    ]


def _group(group: AffectedGroup) -> Row:
    """Return a group of tables: what changes, and a sentence on the papers to update ("" for none)."""
    changes = rule_change_list(group.effect.differences, group.effect.holds)
    papers = [f"{update.part.label}: update required. {'; '.join(update.why)}." for update in group.papers]
    papers += [f"{update.part.label}: update required if it prints the odds." for update in group.odds_on_layout]
    return {"name": group.name, "changes": changes, "papers": " ".join(papers)}


MOST_KEPT = 40  # readers' organizations and days


@dataclass(frozen=True, slots=True)
class CheckedVersions:
    """The versions of a reader as of a day: those that do not comply, and those that are affected."""

    report: ComplianceReport
    affected: tuple[Row, ...]

    @property
    def is_computing(self) -> bool:
        """Whether a job still computes a figure of it."""
        return any(group["changes"].is_computing for row in self.affected for group in row["groups"])


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
