"""How far a draft is: how many of the lines that it asks are answered, over all its table groups."""

from dataclasses import dataclass

from games.rules.asked_lines import asked_lines, sound_answers
from games.rules.evaluate import effective
from submissions.models import Submission
from submissions.rules.rules_day import draft_chapter_or_none


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
    """By the rules of the day on which it takes effect; None for a chapter that the portal no longer has. Reads
    `configurations`, prefetched or not.
    """
    chapter = draft_chapter_or_none(submission)
    if chapter is None:
        return None
    answers = [row.answers for row in submission.configurations.all()]
    lines = sum(len(asked_lines(chapter, sound_answers(chapter, each))) for each in answers)
    return Completeness(sum(len(effective(chapter, each)) for each in answers), lines)
