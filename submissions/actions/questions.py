"""The Board's questions to the licensee: the answers to them, and what an open one stands in the way of.

Not here: how a question comes about and is settled (`remarks`), which lines it reopens (`submissions.reopening`).
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions import access, workflow
from submissions.actions.history import record
from submissions.actions.wording import clean_text
from submissions.errors import Forbidden, Refusal
from submissions.models import Decision, Person, Remark, Reply, Status, Submission
from submissions.reopening import asked_now, group_asked

AFTER = {
    Reply.Kind.ANSWERED: Remark.State.ANSWERED,
    Reply.Kind.DISPUTED: Remark.State.DISPUTED,
    Reply.Kind.RESOLVED: Remark.State.RESOLVED,
    Reply.Kind.REOPENED: Remark.State.OPEN,
}
VERBS = {Reply.Kind.SAID: "replied"}  # the others are the event's word as they stand


def answer(actor: Person, remark: Remark, *, kind: str, text: str = "") -> Reply:
    """The licensee's answer: `answered`, in words or by the line's change, or `disputed`; the last one counts."""
    with transaction.atomic():
        submission, remark = held(remark)
        if not access.remarks_visible_to(actor, submission).filter(pk=remark.pk).exists():
            raise Forbidden("not-allowed", "This question was put to another licensee.")
        if kind not in (Reply.Kind.ANSWERED, Reply.Kind.DISPUTED):
            raise Refusal("answer-kind", f"A question is answered or disputed, not {kind!r}.", fix="Choose one.")
        _refuse_closed(submission, remark)
        access.demand(actor, "answer", submission)
        text = clean_text(text, "The answer", option=remark.option)
        if not text and kind == Reply.Kind.DISPUTED:
            raise Refusal("reason-missing", "A dispute needs a reason.", fix="Say why in a sentence or two.")
        if not text and not is_changed(submission, remark):
            raise Refusal(
                "answer-missing",
                "The line is as it was filed, and nothing is said.",
                fix="Change the line, or say something.",
                option=remark.option,
            )
        return reply(actor, submission, remark, Reply.Kind(kind), text)


def refuse_unanswered(submission: Submission) -> None:
    """Nothing is filed again before each question of the return is answered or disputed."""
    if left := list(asked_now(submission).filter(state=Remark.State.OPEN)):
        raise Refusal(
            "question-open",
            f"{_count(left)} of the Board {'is' if len(left) == 1 else 'are'} not answered: {_names(left)}.",
            fix="Answer or dispute each one beside its line.",
            option=left[0].option,
        )


def unresolved(submission: Submission) -> list[Remark]:
    """The questions that the licensee was asked and the Board has not settled."""
    asked = Remark.objects.filter(revision__submission=submission, shown_with__kind=Decision.Kind.RETURN)
    return list(asked.exclude(state=Remark.State.RESOLVED).select_related("revision"))


def refuse_unresolved(submission: Submission) -> None:
    if left := unresolved(submission):
        raise Refusal(
            "question-unresolved",
            f"{_count(left)} of the Board {'is' if len(left) == 1 else 'are'} not resolved: {_names(left)}.",
            fix="Resolve each one whose answer you accept, or return the filing.",
            option=left[0].option,
        )


def line_of(remark: Remark) -> dict[str, Any]:
    """The line as it was filed, that the remark is about; empty for the whole filing."""
    lines = remark.revision.content["configurations"][remark.configuration]["lines"]
    found: dict[str, Any] = next((line for line in lines if line["key"] == remark.option), {})
    return found


def is_changed(submission: Submission, remark: Remark) -> bool:
    """Whether the line that the question is about no longer has the answer that was filed."""
    row = submission.configurations.filter(position=group_asked(remark)).first()
    if not remark.option or row is None:
        return False
    filed = remark.revision.content["configurations"][remark.configuration]["answers"]
    return bool(row.answers.get(remark.option) != filed.get(remark.option))


def about(remark: Remark) -> dict[str, Any]:
    """What an event says of a remark."""
    return {"remark": remark.pk, "option": remark.option, "configuration": remark.configuration}


def held(remark: Remark) -> tuple[Submission, Remark]:
    """The submission, held until the transaction ends, and the remark as it is now."""
    submission = workflow.locked(remark.revision.submission)
    return submission, Remark.objects.select_related("revision", "shown_with").get(pk=remark.pk)


def reply(actor: Person, submission: Submission, remark: Remark, kind: Reply.Kind, text: str) -> Reply:
    """Say it: the remark's new state, the event and the row, together."""
    before = remark.state
    remark.state = AFTER.get(kind, remark.state)
    remark.save(update_fields=["state"])
    state = {"before": {"state": before}, "after": {**about(remark), "state": remark.state}}
    record(actor, submission, VERBS.get(kind, str(kind)), reason=text, **state)
    return Reply.objects.create(remark=remark, kind=kind, text=text, by=actor, at=timezone.now())


def _refuse_closed(submission: Submission, remark: Remark) -> None:
    if remark.state == Remark.State.RESOLVED or not asked_now(submission).filter(pk=remark.pk).exists():
        when = "resolved" if remark.state == Remark.State.RESOLVED else "not asked any more"
        now = "" if submission.status == Status.RETURNED else f"; the submission is “{submission.get_status_display()}”"
        raise Refusal(
            "question-closed",
            f"This question is {when}{now}.",
            fix="Reload the page: it shows the questions that still want an answer.",
            option=remark.option,
        )


def _count(remarks: list[Remark]) -> str:
    return f"{len(remarks)} question{'s' if len(remarks) > 1 else ''}"


def _names(remarks: list[Remark]) -> str:
    return "; ".join(f"“{line_of(one).get('question', 'the whole filing')}”" for one in remarks)
