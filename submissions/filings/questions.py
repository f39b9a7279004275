"""The Board's questions to the licensee: answering them, the steps that an open question blocks, the lines it unlocks.

A question about a line unlocks that line; a question about the whole filing unlocks every line. Also editable are lines
that the filing did not ask (a changed answer may add them) and lines that a blocking finding names now, so that one
change can be followed by the next. The Board sees every difference, line by line. Not here: who may edit at all
(`permissions`), asking and settling questions (`filings.review.comments`).
"""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.rules.model import Answers, Chapter
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.configurations import group_at, index_of_group
from submissions.core.errors import Forbidden, Refusal
from submissions.core.text import clean_text
from submissions.filings.judging import judge_draft
from submissions.models import Configuration, Decision, Person, Remark, Reply, Status, Submission
from submissions.permissions import workflow
from submissions.rules import draft_chapter

STATE_AFTER_REPLY = {
    Reply.Kind.ANSWER: Remark.State.ANSWER_GIVEN,
    Reply.Kind.DISPUTED: Remark.State.DISPUTED,
    Reply.Kind.RESOLVED: Remark.State.RESOLVED,
    Reply.Kind.REOPENED: Remark.State.OPEN,
}


def answer_question(actor: Person, remark: Remark, *, kind: str, text: str = "") -> Reply:
    """Record the licensee's reply: `answered`, with a text or a changed line, or `disputed`. The last reply counts."""
    with transaction.atomic():
        submission, remark = stored_reply(remark)
        if not permissions.remarks_visible_to(actor, submission).filter(pk=remark.pk).exists():
            raise Forbidden("not-allowed/question")
        if kind not in (Reply.Kind.ANSWER, Reply.Kind.DISPUTED):
            raise Refusal("answer-kind", kind=kind)
        _refuse_closed(submission, remark)
        permissions.require(actor, "answer", submission)
        text = clean_text(text, "The answer", option=remark.option)
        if not text and kind == Reply.Kind.DISPUTED:
            raise Refusal("reason-missing/dispute")
        if not text and not is_changed(submission, remark):
            raise Refusal("answer-missing", option=remark.option)
        return record_reply(actor, submission, remark, Reply.Kind(kind), text)


def refuse_unanswered(submission: Submission) -> None:
    """Refuse to file again before each question of the return is answered or disputed."""
    if left := list(open_questions(submission).filter(state=Remark.State.OPEN)):
        questions, verb, names = _listed(left)
        raise Refusal("question-open", option=left[0].option, questions=questions, verb=verb, names=names)


def unresolved_questions(submission: Submission) -> list[Remark]:
    """Return the questions to the licensee that the Board has not settled."""
    questions = Remark.objects.filter(revision__submission=submission, shown_with__kind=Decision.Kind.RETURN)
    return list(questions.exclude(state=Remark.State.RESOLVED).select_related("revision"))


def refuse_unresolved(submission: Submission) -> None:
    if left := unresolved_questions(submission):
        questions, verb, names = _listed(left)
        raise Refusal("question-unresolved", option=left[0].option, questions=questions, verb=verb, names=names)


def line_of(remark: Remark) -> dict[str, Any]:
    """Return the line as it was filed, that the remark is about; empty for the whole filing."""
    lines = remark.revision.content["configurations"][remark.configuration]["lines"]
    line: dict[str, Any] = next((line for line in lines if line["key"] == remark.option), {})
    return line


def is_changed(submission: Submission, remark: Remark) -> bool:
    """Return whether the line that the question is about no longer has the answer that was filed."""
    row = submission.configurations.filter(position=group_of_remark(remark)).first()
    if not remark.option or row is None:
        return False
    filed = remark.revision.content["configurations"][remark.configuration]["answers"]
    return bool(row.answers.get(remark.option) != filed.get(remark.option))


def question_subject(remark: Remark) -> dict[str, Any]:
    """Return the identification of a remark for an event: its key, line and configuration."""
    return {"remark": remark.pk, "option": remark.option, "configuration": remark.configuration}


def stored_reply(remark: Remark) -> tuple[Submission, Remark]:
    """Lock the submission until the transaction ends, and read the remark again."""
    submission = workflow.lock_row(remark.revision.submission)
    return submission, Remark.objects.select_related("revision", "shown_with").get(pk=remark.pk)


def record_reply(actor: Person, submission: Submission, remark: Remark, kind: Reply.Kind, text: str) -> Reply:
    """Say it: the remark's new state, the row and the event, together."""
    before = remark.state
    remark.state = STATE_AFTER_REPLY.get(kind, remark.state)
    remark.save(update_fields=["state"])
    state: dict[str, Any] = {"before": {"state": before}, "after": {**question_subject(remark), "state": remark.state}}
    row = Reply.objects.create(remark=remark, kind=kind, text=text, by=actor, at=timezone.now())
    verb = "replied" if kind == Reply.Kind.SAID else str(kind)
    record_event(actor, submission, verb, reason=text, **state, seals=(remark, row))
    return row


def _refuse_closed(submission: Submission, remark: Remark) -> None:
    if remark.state == Remark.State.RESOLVED or not open_questions(submission).filter(pk=remark.pk).exists():
        when = "resolved" if remark.state == Remark.State.RESOLVED else "no longer open"
        now = "" if submission.status == Status.RETURNED else f"; the submission is “{submission.get_status_display()}”"
        raise Refusal("question-closed", option=remark.option, when=when, now=now)


def _listed(remarks: list[Remark]) -> tuple[str, str, str]:
    """Return the number of questions, the verb, and the lines in question: "2 questions", "are", "“…”; “…”"."""
    names = "; ".join(f"“{line_of(remark).get('question', 'the whole filing')}”" for remark in remarks)
    return ("1 question", "is", names) if len(remarks) == 1 else (f"{len(remarks)} questions", "are", names)


def open_questions(submission: Submission) -> QuerySet[Remark]:
    """Return the questions of the latest return; none after the submission is filed again."""
    questions = Remark.objects.filter(revision__submission=submission).select_related("by", "shown_with", "revision")
    if submission.status != Status.RETURNED:
        return questions.none()
    revision = submission.revisions.first()
    return questions.filter(shown_with__revision=revision, shown_with__kind=Decision.Kind.RETURN)


def is_fully_editable(submission: Submission) -> bool:
    """Return whether every line may be changed, and table groups may be added, renamed and removed."""
    return submission.status != Status.RETURNED or open_questions(submission).filter(option="").exists()


def locked_lines(chapter: Chapter, submission: Submission, position: int, answers: Answers) -> frozenset[str]:
    """Return the lines that the return left closed, of the configuration at `position` with these answers."""
    if is_fully_editable(submission) or not (revision := submission.revisions.first()):
        return frozenset()
    content = revision.content
    place = index_of_group(content, position)
    if place is None:
        return frozenset()
    filed = {line["key"] for line in content["configurations"][place]["lines"]}
    questioned = {question.option for question in open_questions(submission) if group_of_remark(question) == position}
    return frozenset(filed - questioned - _called_for(chapter, submission, position, answers))


def group_of_remark(remark: Remark) -> int:
    """Return the draft's position of the configuration that a remark is about."""
    return group_at(remark.revision.content, remark.configuration)


def locked_line_refusals(
    chapter: Chapter, submission: Submission, row: Configuration, keys: Collection[str]
) -> dict[str, Refusal]:
    """Return the refusal of each of these lines that the return left locked."""
    if not keys:
        return {}
    locked = locked_lines(chapter, submission, row.position, row.answers)
    return {
        line.key: Forbidden("line-not-reopened", option=line.key, citation=line.citation, question=line.question)
        for line in (chapter.option(key) for key in keys if key in locked)
    }


def refuse_locked(submission: Submission, row: Configuration, key: str) -> None:
    """Raise `Forbidden` if the return left this line locked."""
    for refusal in locked_line_refusals(draft_chapter(submission), submission, row, (key,)).values():
        raise refusal


def refuse_locked_groups(submission: Submission) -> None:
    """Raise `Forbidden` if the return left the groups of tables as they were filed."""
    if not is_fully_editable(submission):
        raise Forbidden("groups-not-reopened")


def _called_for(chapter: Chapter, submission: Submission, position: int, answers: Answers) -> set[str]:
    rows = list(submission.configurations.all())
    row = next(row for row in rows if row.position == position)
    blocking = judge_draft(chapter, row, rows, answers).blocking
    return {key for finding in blocking for key in finding.options}
