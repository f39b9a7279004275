"""The day whose rules count: of a draft, of what was filed, of a version; and the chapter as it is on it.

    a draft       its planned effective day; without one, or once it has passed, today
    a filing      the day that its snapshot names (`rules_on`); an older snapshot, the day of its filing
    a version     each day asked about, not before its effective date

All days are Pennsylvania's. Resolved where a request, a command or a job begins, and passed on as a `Chapter`. Not
here: the chapter of a day (`effective_rules`), choosing the planned day (`filings.planned_day`).
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from games.rules.model import Chapter
from submissions.models import Revision, Submission, Version
from submissions.rules.effective_rules import chapter_on, chapter_on_or_none

Content = Mapping[str, Any]


def rules_day(submission: Submission) -> date:
    """The day by whose rules the draft is judged."""
    today = timezone.localdate()
    return max(submission.takes_effect or today, today)


def linked_day(day: date) -> date | None:
    """The day that addresses of sections name; None for today, which needs no name."""
    return day if day != timezone.localdate() else None


def draft_chapter(submission: Submission) -> Chapter:
    """The chapter by which the draft is judged; `UnknownChapter` if the portal no longer has it."""
    return chapter_on(submission.chapter, rules_day(submission))


def draft_chapter_or_none(submission: Submission) -> Chapter | None:
    """The same, or None for a chapter that the portal no longer has."""
    return chapter_on_or_none(submission.chapter, rules_day(submission))


def filed_day(content: Content) -> date:
    """The day by whose rules a snapshot was judged."""
    if day := content.get("rules_on"):
        return date.fromisoformat(day)
    return timezone.localdate(datetime.fromisoformat(content["filed"]["at"]))


def filed_chapter(revision: Revision, content: Content | None = None) -> Chapter:
    """The chapter by which the revision was judged, as the data says now; `content`: its snapshot, if already read."""
    content = content or revision.content
    return chapter_on(content["chapter"]["number"], filed_day(content))


def filed_chapter_or_none(content: Content) -> Chapter | None:
    """The same of a snapshot, or None for a chapter that the portal no longer has."""
    return chapter_on_or_none(content["chapter"]["number"], filed_day(content))


def paper_day(revision: Revision, requested: date | None = None) -> date:
    """The day by whose rules the papers of a filing are made: the one asked about, by default today; a filing for a
    later day is for that day."""
    return max(requested or timezone.localdate(), filed_day(revision.content))


def version_day(version: Version, day: date) -> date:
    """The day by whose rules a version is judged that is asked about on `day`: not before it is in effect."""
    return max(day, version.from_day)
