"""Every verb by its name: the one action it is, called the way the pages call it, for tests that try them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial

from django.utils import timezone

from submissions.filings import copies, drafts, filing, handover, questions, table_groups, versions
from submissions.filings.review import assignments, comments, decisions
from submissions.layouts import layout_filings
from submissions.models import Part, Person, Remark, Reply, Submission


@dataclass(frozen=True, slots=True)
class Saying:
    """What somebody says with a verb: read by those that take it."""

    version: int  # the submission's, as this person last saw it
    words: str = "Which shuffler stands at the tables?"
    day: date | None = None
    line: str = "adjacent_boxes"
    value: object = 1
    asked: str = "adjacent_boxes"  # the line of a remark; "" = the whole filing
    about: Remark | None = None  # the remark that is meant; else the latest
    audience: str = Remark.Audience.LICENSEE
    disputes: bool = False


Deed = Callable[[Person, Submission, Saying], object]


def edit(actor: Person, submission: Submission, said: Saying) -> None:
    seen = submission.configurations.get(position=0).answers
    drafts.save_answers(actor, submission, {said.line: said.value}, seen=seen, strict=True)


def file(actor: Person, submission: Submission, said: Saying) -> None:
    filing.file_submission(actor, submission, version=said.version, attested=True)


def withdraw(actor: Person, submission: Submission, said: Saying) -> None:
    filing.withdraw_submission(actor, submission, version=said.version, reason=said.words)


def decide(step: Callable[..., object], actor: Person, submission: Submission, said: Saying) -> None:
    step(actor, submission, version=said.version, reason=said.words)


def approve(actor: Person, submission: Submission, said: Saying) -> None:
    decisions.approve_submission(
        actor, submission, version=said.version, from_day=said.day, reason=said.words, confirmed=True
    )


def remark(actor: Person, submission: Submission, said: Saying) -> None:
    latest = submission.revisions.first()
    revision = latest.number if latest else 0
    comments.write_comment(
        actor, submission, revision=revision, text=said.words, audience=said.audience, option=said.asked
    )


def answer(actor: Person, submission: Submission, said: Saying) -> None:
    kind = Reply.Kind.DISPUTED if said.disputes else Reply.Kind.ANSWER
    questions.answer_question(actor, meant(submission, said), kind=kind, text=said.words)


def follow(deed: Callable[..., object], actor: Person, submission: Submission, said: Saying) -> None:
    deed(actor, meant(submission, said), text=said.words)


def meant(submission: Submission, said: Saying) -> Remark:
    return said.about or Remark.objects.filter(revision__submission=submission).latest("pk")


def regroup(actor: Person, submission: Submission, said: Saying) -> None:
    exception = submission.configurations.filter(position__gt=0).first()
    if exception:
        table_groups.remove_group(actor, submission, exception.position)
    else:
        table_groups.add_group(actor, submission, table_groups.GroupDescription("Pit 3", "12-15"))


def amend(actor: Person, submission: Submission, said: Saying) -> None:
    copies.start_amendment(actor, submission)


def discontinue(actor: Person, submission: Submission, said: Saying) -> None:
    versions.discontinue(actor, submission, from_day=said.day or timezone.localdate(), reason=said.words)


def lay_out(actor: Person, submission: Submission, said: Saying) -> None:
    layout_filings.start_layout_filing(actor, submission, 0, [Part.SIGN])


def send_to_manager(actor: Person, submission: Submission, said: Saying) -> None:
    handover.send_to_manager(actor, submission, version=said.version, note=said.words)


def send_back(actor: Person, submission: Submission, said: Saying) -> None:
    handover.send_back(actor, submission, version=said.version, note=said.words)


def comment(actor: Person, submission: Submission, said: Saying) -> None:
    handover.write_line_comment(actor, submission, option="adjacent_boxes", text=said.words)


def delete(actor: Person, submission: Submission, said: Saying) -> None:
    drafts.delete_draft(actor, submission, version=said.version)


def assign(actor: Person, submission: Submission, said: Saying) -> None:
    assignments.assign_work(actor, submission, Person.objects.get(name="Analyst One"))


VERBS: dict[str, Deed] = {
    "edit": edit,
    "remark": remark,
    "answer": answer,
    "resolve": partial(follow, comments.resolve_comment),
    "reopen": partial(follow, comments.reopen_comment),
    "file": file,
    "withdraw": withdraw,
    "return": partial(decide, decisions.return_to_licensee),
    "recommend": partial(decide, decisions.recommend_approval),
    "reject": partial(decide, decisions.reject_submission),
    "approve": approve,
    "regroup": regroup,
    "amend": amend,
    "discontinue": discontinue,
    "lay-out": lay_out,
    "send-to-manager": send_to_manager,
    "send-back": send_back,
    "delete": delete,
    "comment": comment,
    "assign": assign,
}
