"""The planned effective day of a draft: choosing it, and what the day must be when the draft is filed and approved.

A draft is judged by the rules of that day (`rules`), and its filing freezes it. Not here: the effective date
of a version, which the Board decides (`versions`); what changes until the day (`rule_differences`).
"""

from datetime import date

from django.db import transaction
from django.utils import timezone

from games.rules.differences import chapter_differences
from submissions import permissions
from submissions.audit.record import NewEvent
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.filings.drafts import DraftChange, store_changes
from submissions.models import Person, Revision, Submission
from submissions.permissions import workflow
from submissions.rules import Content, chapter_on, filed_chapter, filed_day

NO_DAY = "none"
MOST_NAMED = 5  # differences that a refusal names


def plan_effective_day(actor: Person, submission: Submission, day: date | None) -> Submission:
    """File for this day; None: for the day of the approval."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        store_changes([set_effective_day(actor, submission, day)])
    return submission


def set_effective_day(actor: Person, submission: Submission, day: date | None) -> list[DraftChange]:
    """Give the submission the day in memory. Return what is to be stored: nothing for the day that it has already."""
    permissions.require(actor, "edit", submission)
    before = submission.takes_effect
    if day == before:
        return []
    refuse_past_day(day)
    submission.takes_effect = day
    was, now = {"takes_effect": _text(before)}, {"takes_effect": _text(day)}
    event = NewEvent(actor, submission, "planned", before=was, after=now, seals=(submission,))
    return [DraftChange(event, submission, {"takes_effect": day})]


def parse_planned_day(text: str) -> date | None:
    """Return the day as a program or a spreadsheet writes it; `NO_DAY` plans none."""
    if text.strip().casefold() == NO_DAY:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise Refusal("no-date/unreadable", option="takes_effect", text=text[:40]) from None


def approval_day(content: Content) -> date:
    """Return the effective day of an approval that names none: the planned day of the filing, not before today."""
    planned, today = content.get("takes_effect"), timezone.localdate()
    return max(date.fromisoformat(planned), today) if planned else today


def refuse_other_rules(revision: Revision, content: Content, from_day: date) -> None:
    """Refuse to put a filing in effect on a day whose rules are not those that it was judged by."""
    judged_by = filed_chapter(revision, content)
    if judged_by.digest != revision.rules_digest:  # the data was corrected
        raise Refusal("rules-changed/layout", chapter=judged_by.number, receipt=revision.receipt)
    chapter = chapter_on(judged_by.number, from_day)
    if chapter.digest != revision.rules_digest:
        differences = chapter_differences(judged_by, chapter)
        named = [f"{row.subject}: {row.part or row.kind_name.lower()}" for row in differences[:MOST_NAMED]]
        more = len(differences) - len(named)
        raise Refusal(
            "other-rules-on-day",
            option="from_day",
            receipt=revision.receipt,
            rules_on=date_text(filed_day(content)),
            from_day=date_text(from_day),
            number=chapter.number,
            what="; ".join([*named, *([f"{more} more"] if more else [])]),
        )


def refuse_past_day(day: date | None) -> None:
    """Refuse to plan, or to file for, a day that is over."""
    if day and day < (today := timezone.localdate()):
        raise Refusal(
            "planned-day-past", option="takes_effect", citation="§ 601a.2", day=date_text(day), today=date_text(today)
        )


def _text(day: date | None) -> str | None:
    return day.isoformat() if day else None
