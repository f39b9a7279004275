"""The planned effective day on the checklist page: choosing it, and what changes of the chapter until then."""

from dataclasses import dataclass
from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from games.registry import words
from games.rules.chapter_diff import word_differences
from submissions.core.dates import date_text
from submissions.filings.planned_day import plan_effective_day
from submissions.filings.rule_effects import planned_effect
from submissions.models import Submission
from submissions.rules.effective_rules import chapter_on
from submissions.rules.rules_day import rules_day
from submissions.search.field_parsing import day_of
from submissions.web.access_gate import person_of, submission_of
from submissions.web.rule_changes import RuleChangeList, rule_change_list

NO_DAY = "No day is planned. The submission takes effect when it is approved."


@dataclass(frozen=True, slots=True)
class PlannedChanges:
    """The day by whose rules the draft is judged; `changes` of the chapter from today until then, None for today."""

    day: date
    today: date
    changes: RuleChangeList | None

    @property
    def is_ahead(self) -> bool:
        return self.day > self.today


@require_POST
def plan(request: HttpRequest, number: str) -> HttpResponse:
    """Choose the planned effective day; an empty field plans none."""
    submission, text = submission_of(request, number), request.POST.get("takes_effect", "").strip()
    day = plan_effective_day(person_of(request), submission, day_of(text) if text else None).takes_effect
    messages.success(request, f"Planned for {date_text(day)}: the rules of that day apply." if day else NO_DAY)
    return redirect("checklist", number)


def planned_changes(submission: Submission) -> PlannedChanges:
    """What changes until the day by whose rules the draft is judged."""
    day, today = rules_day(submission), timezone.localdate()
    if day == today:
        return PlannedChanges(day, today, None)
    before, after = (chapter_on(submission.chapter, each) for each in (today, day))
    effect = planned_effect(before, after)
    differences = (*effect.differences, *word_differences(words(before), words(after)))
    return PlannedChanges(day, today, rule_change_list(differences, effect.holds))
