"""The Board's questions to the licensee: answering them, and what an open question blocks. Not here: asking and
settling questions (`review.comments`), which lines a question unlocks (`filings.editable_lines`).
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.errors import Forbidden, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.filings.editable_lines import group_of_remark, open_questions
from submissions.models import Decision, Person, Remark, Reply, Status, Submission
from submissions.permissions import workflow

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
        return reply(actor, submission, remark, Reply.Kind(kind), text)


def refuse_unanswered(submission: Submission) -> None:
    """Nothing is filed again before each question of the return is answered or disputed."""
    if left := list(open_questions(submission).filter(state=Remark.State.OPEN)):
        questions, verb, names = _listed(left)
        raise Refusal("question-open", option=left[0].option, questions=questions, verb=verb, names=names)


def unresolved_questions(submission: Submission) -> list[Remark]:
    """The questions to the licensee that the Board has not settled."""
    questions = Remark.objects.filter(revision__submission=submission, shown_with__kind=Decision.Kind.RETURN)
    return list(questions.exclude(state=Remark.State.RESOLVED).select_related("revision"))


def refuse_unresolved(submission: Submission) -> None:
    if left := unresolved_questions(submission):
        questions, verb, names = _listed(left)
        raise Refusal("question-unresolved", option=left[0].option, questions=questions, verb=verb, names=names)


def line_of(remark: Remark) -> dict[str, Any]:
    """The line as it was filed, that the remark is about; empty for the whole filing."""
    lines = remark.revision.content["configurations"][remark.configuration]["lines"]
    line: dict[str, Any] = next((line for line in lines if line["key"] == remark.option), {})
    return line


def is_changed(submission: Submission, remark: Remark) -> bool:
    """Whether the line that the question is about no longer has the answer that was filed."""
    row = submission.configurations.filter(position=group_of_remark(remark)).first()
    if not remark.option or row is None:
        return False
    filed = remark.revision.content["configurations"][remark.configuration]["answers"]
    return bool(row.answers.get(remark.option) != filed.get(remark.option))


def question_subject(remark: Remark) -> dict[str, Any]:
    """What an event records about a remark."""
    return {"remark": remark.pk, "option": remark.option, "configuration": remark.configuration}


def stored_reply(remark: Remark) -> tuple[Submission, Remark]:
    """Lock the submission until the transaction ends, and read the remark again."""
    submission = workflow.lock_row(remark.revision.submission)
    return submission, Remark.objects.select_related("revision", "shown_with").get(pk=remark.pk)


def reply(actor: Person, submission: Submission, remark: Remark, kind: Reply.Kind, text: str) -> Reply:
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
    """ "2 questions", "are", and what they are about."""
    names = "; ".join(f"“{line_of(remark).get('question', 'the whole filing')}”" for remark in remarks)
    return ("1 question", "is", names) if len(remarks) == 1 else (f"{len(remarks)} questions", "are", names)
