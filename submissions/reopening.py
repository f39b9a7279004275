"""What a return reopens: the Board's questions that stand, and the lines that the licensee may change for them.

A question about a line reopens that line; one about the whole filing reopens everything. Free besides are lines that
the filing did not ask (an answer that changes may make them asked) and lines that a blocking finding names now: a
change that calls for another must not lead into a dead end. The Board sees whatever differs, line by line.

Not here: who may edit at all (`access`), what is said to a question (`actions.remarks`).
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone

from games.rules.evaluate import effective, judge
from games.rules.model import Answers
from games.rules.registry import chapter as chapter_of
from submissions.errors import Forbidden
from submissions.models import Configuration, Decision, Remark, Status, Submission
from submissions.places import group_of, place_of

NOTHING: frozenset[str] = frozenset()


def asked_now(submission: Submission) -> QuerySet[Remark]:
    """The questions of the return that stands; none once it was filed again."""
    asked = Remark.objects.filter(revision__submission=submission).select_related("by", "shown_with", "revision")
    if submission.status != Status.RETURNED:
        return asked.none()
    revision = submission.revisions.first()
    return asked.filter(shown_with__revision=revision, shown_with__kind=Decision.Kind.RETURN)


def is_all_open(submission: Submission) -> bool:
    """Whether every line may be changed, and groups of tables made, renamed and removed."""
    return submission.status != Status.RETURNED or asked_now(submission).filter(option="").exists()


def closed_lines(submission: Submission, position: int, answers: Answers) -> frozenset[str]:
    """The lines that the return left closed, of the configuration at `position` with these answers."""
    if is_all_open(submission):
        return NOTHING
    revision = submission.revisions.first()
    if revision is None:
        return NOTHING
    content = revision.content
    place = place_of(content, position)
    if place is None:
        return NOTHING
    filed = {line["key"] for line in content["configurations"][place]["lines"]}
    asked = {one.option for one in asked_now(submission) if group_asked(one) == position}
    return frozenset(filed - asked - _called_for(submission, answers))


def group_asked(remark: Remark) -> int:
    """The draft's position of the configuration that a remark is about."""
    return group_of(remark.revision.content, remark.configuration)


def refuse_closed(submission: Submission, row: Configuration, keys: Iterable[str]) -> None:
    """Raise `Forbidden` for the first of these lines that the return left closed."""
    closed = closed_lines(submission, row.position, row.answers)
    if key := next((one for one in keys if one in closed), ""):
        option = chapter_of(submission.chapter).option(key)
        raise Forbidden(
            "line-not-reopened",
            f"The Board returned this filing with questions about other lines; “{option.question}” stays as filed.",
            fix="Ask for it in the answer to a question: the Board can reopen it with the next return.",
            option=key,
            citation=option.citation,
        )


def refuse_closed_groups(submission: Submission) -> None:
    """Raise `Forbidden` if the return left the groups of tables as they were filed."""
    if not is_all_open(submission):
        raise Forbidden(
            "groups-not-reopened",
            "The Board returned this filing with questions about single lines; its groups of tables stay as filed.",
            fix="Ask for it in the answer to a question: the Board can reopen the whole filing with the next return.",
        )


def _called_for(submission: Submission, answers: Answers) -> set[str]:
    chapter, today = chapter_of(submission.chapter), timezone.localdate()
    blocking = judge(chapter, effective(chapter, answers, today), today).blocking
    return {key for finding in blocking for key in finding.options}
