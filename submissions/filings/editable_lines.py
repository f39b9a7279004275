"""Which lines of a returned filing the licensee may change, and which are locked. A question about a line unlocks that
line; a question about the whole filing unlocks every line. Also editable are lines that the filing did not ask (a
changed answer may add them) and lines that a blocking finding names now, so that one change can be followed by the
next. The Board sees every difference, line by line. Not here: who may edit at all (`permissions`), the answers to
questions (`filings.questions`).
"""

from collections.abc import Collection

from django.db.models import QuerySet

from games.rules.model import Answers
from submissions.core.configuration_index import group_at, index_of_group
from submissions.core.errors import Forbidden, Refusal
from submissions.filings.judging import judge_draft
from submissions.models import Configuration, Decision, Remark, Status, Submission
from submissions.rules.rules_day import draft_chapter


def open_questions(submission: Submission) -> QuerySet[Remark]:
    """The questions of the latest return; none after the submission is filed again."""
    questions = Remark.objects.filter(revision__submission=submission).select_related("by", "shown_with", "revision")
    if submission.status != Status.RETURNED:
        return questions.none()
    revision = submission.revisions.first()
    return questions.filter(shown_with__revision=revision, shown_with__kind=Decision.Kind.RETURN)


def is_fully_editable(submission: Submission) -> bool:
    """Whether every line may be changed, and table groups may be added, renamed and removed."""
    return submission.status != Status.RETURNED or open_questions(submission).filter(option="").exists()


def locked_lines(submission: Submission, position: int, answers: Answers) -> frozenset[str]:
    """The lines that the return left closed, of the configuration at `position` with these answers."""
    if is_fully_editable(submission) or not (revision := submission.revisions.first()):
        return frozenset()
    content = revision.content
    place = index_of_group(content, position)
    if place is None:
        return frozenset()
    filed = {line["key"] for line in content["configurations"][place]["lines"]}
    questioned = {question.option for question in open_questions(submission) if group_of_remark(question) == position}
    return frozenset(filed - questioned - _called_for(submission, position, answers))


def group_of_remark(remark: Remark) -> int:
    """The draft's position of the configuration that a remark is about."""
    return group_at(remark.revision.content, remark.configuration)


def locked_line_refusals(submission: Submission, row: Configuration, keys: Collection[str]) -> dict[str, Refusal]:
    """The refusal of each of these lines that the return left locked."""
    if not keys:
        return {}
    chapter, locked = draft_chapter(submission), locked_lines(submission, row.position, row.answers)
    return {
        line.key: Forbidden("line-not-reopened", option=line.key, citation=line.citation, question=line.question)
        for line in (chapter.option(key) for key in keys if key in locked)
    }


def refuse_locked(submission: Submission, row: Configuration, key: str) -> None:
    """Raise `Forbidden` if the return left this line locked."""
    for refusal in locked_line_refusals(submission, row, (key,)).values():
        raise refusal


def refuse_locked_groups(submission: Submission) -> None:
    """Raise `Forbidden` if the return left the groups of tables as they were filed."""
    if not is_fully_editable(submission):
        raise Forbidden("groups-not-reopened")


def _called_for(submission: Submission, position: int, answers: Answers) -> set[str]:
    chapter, rows = draft_chapter(submission), list(submission.configurations.all())
    row = next(row for row in rows if row.position == position)
    blocking = judge_draft(chapter, row, rows, answers).blocking
    return {key for finding in blocking for key in finding.options}
