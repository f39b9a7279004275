"""Who must file again under a published rulemaking, in words: on a licensee's task list and the rulemaking's page."""

from django.utils import timezone

from submissions.core.dates import date_text
from submissions.models import Person, Rulemaking
from submissions.rulemakings.refiling import Refiling, refiling_tasks_of, refilings_of

RefilingRow = tuple[Refiling, bool, str]
"""A licensee's game; whether it is late; its day in words."""


def refiling_tasks(person: Person) -> list[RefilingRow]:
    """What the person's licensee must file again."""
    return _rows(refiling_tasks_of(person))


def refiling_rows(rulemaking: Rulemaking) -> list[RefilingRow]:
    """Every licensee under the rulemaking."""
    return _rows(refilings_of(rulemaking))


def _rows(refilings: list[Refiling]) -> list[RefilingRow]:
    today = timezone.localdate()
    return [(row, row.is_late(today), date_text(row.due)) for row in refilings]
