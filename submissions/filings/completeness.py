"""How far a draft is: how many of the lines that it asks are answered, over all its table groups."""

from dataclasses import dataclass

from django.utils import timezone

from games.registry import chapter_or_none
from games.rules.asked_lines import asked_lines, sound_answers
from games.rules.evaluate import effective
from games.rules.periods import in_force
from submissions.models import Submission


@dataclass(frozen=True, slots=True)
class Completeness:
    """Counts of lines; a line of two table groups counts twice."""

    answered_lines: int
    lines: int

    @property
    def is_complete(self) -> bool:
        return self.answered_lines == self.lines

    @property
    def words(self) -> str:
        """ "0 of 3 lines answered"."""
        return f"{self.answered_lines} of {self.lines} line{'' if self.lines == 1 else 's'} answered"


def completeness(submission: Submission) -> Completeness | None:
    """By the rules of today; None for a chapter that the portal no longer has. Reads `configurations`, prefetched or
    not.
    """
    chapter, today = chapter_or_none(submission.chapter), timezone.localdate()
    if chapter is None:
        return None
    rules, answers = in_force(chapter, today), [row.answers for row in submission.configurations.all()]
    lines = sum(len(asked_lines(rules, sound_answers(rules, each))) for each in answers)
    return Completeness(sum(len(effective(chapter, each, today)) for each in answers), lines)
