"""What changes of the chapter until the planned effective day. Not here: choosing that day (`effective_day`)."""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from games.registry import words
from games.rules.chapter_diff import word_differences
from submissions.filings.rule_effects import planned_effect
from submissions.models import Submission
from submissions.rules.effective_rules import chapter_on
from submissions.rules.rules_day import rules_day
from submissions.web.rule_changes import RuleChangeList, rule_change_list


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
    """What changes until the day by whose rules the draft is judged."""
    day, today = rules_day(submission), timezone.localdate()
    if day == today:
        return PlannedChanges(day, today, None)
    before, after = (chapter_on(submission.chapter, each) for each in (today, day))
    effect = planned_effect(before, after)
    differences = (*effect.differences, *word_differences(words(before), words(after)))
    return PlannedChanges(day, today, rule_change_list(differences, effect.holds))
