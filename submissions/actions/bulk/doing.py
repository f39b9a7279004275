"""What each kind of item does: one call of the action that the pages call, and what came of it.

An item must not make anything wrong: where a page keeps a wrong answer and tells why, so that nothing typed is lost, a
program is told and nothing is kept. Lines that are still open are no wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.utils import timezone

from games.rules.compare import differences
from games.rules.evaluate import effective, judge
from games.rules.model import Answers, Chapter
from games.rules.registry import chapter as chapter_of
from submissions import workflow
from submissions.access import remarks_visible_to, visible_to
from submissions.actions import amendments, configurations, drafts, filing, groups, questions, remarks, review
from submissions.actions.bulk import filed
from submissions.actions.bulk.shapes import VERBS, Sent
from submissions.errors import Conflict, NotThere, Refusal
from submissions.models import Configuration, Person, Remark, Submission
from submissions.places import place_of
from submissions.typed import read

ATTESTATION = {
    "file": f"Of each Rules Submission that this batch files I attest: {filing.ATTESTATION}",
    "withdraw": "I withdraw the Rules Submissions named in this batch.",
    "recommend": "I have reviewed the Rules Submissions named in this batch, and recommend their approval.",
    "return": "I return the Rules Submissions named in this batch with the questions that are open.",
}


UNTOLD = ("seen", "filing")  # kept when an item was only checked: how its answers stood, and what filing them means


@dataclass(slots=True)
class Done:
    """What an item came to: the names and versions that the next call needs; the lines changed, in words."""

    made: dict[str, Any]  # and for the portal itself, what is `UNTOLD`
    changes: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Doer:
    """Who does it; whether its answers came as text, from a spreadsheet; and what was there when it was checked."""

    person: Person
    typed: bool = False
    seen: Mapping[str, Any] = field(default_factory=dict)


def do(doer: Doer, sent: Sent, submission: str) -> Done:
    """Do it. `submission` is the number that the item's reference stands for; "" where it names none."""
    if "submission" not in VERBS[sent.verb].needs:
        return _create(doer, sent)
    row = visible_to(doer.person).select_related("organisation").filter(number=submission[:40]).first()
    if row is None:
        raise NotThere(
            "not-found", f"There is no submission “{submission[:40]}”, or not for you.",
            fix="Look for its number in /api/v1/submissions/.", option="submission",
        )  # fmt: skip
    return _DO[sent.verb](doer, row, sent)


def _create(doer: Doer, sent: Sent) -> Done:
    submission = drafts.start(doer.person, sent.text("chapter"))
    return _begun(doer, submission, submission.configurations.get(), sent)


def _update(doer: Doer, submission: Submission, sent: Sent) -> Done:
    return _answered(doer, submission, sent, group=sent.number("group"), version=sent.number("version"))


def _amend(doer: Doer, submission: Submission, sent: Sent) -> Done:
    workflow.expect(submission, sent.number("version"))
    draft = amendments.amend(doer.person, submission)
    return _begun(doer, draft, configurations.configuration_of(draft, sent.number("group")), sent)


def _add_group(doer: Doer, submission: Submission, sent: Sent) -> Done:
    workflow.expect(submission, sent.number("version"))
    description = groups.Description(sent.text("name"), sent.text("tables"), sent.text("pit"))
    row = groups.add(doer.person, submission, description)
    return _begun(doer, submission, row, sent)


def _remove_group(doer: Doer, submission: Submission, sent: Sent) -> Done:
    row = configurations.configuration_of(submission, sent.number("group"))
    configurations.expect(row, sent.number("version"))
    groups.remove(doer.person, submission, row.position)
    return Done({"submission": submission.number, "version": submission.version})


def _answer(doer: Doer, submission: Submission, sent: Sent) -> Done:
    workflow.expect(submission, sent.number("version"))
    found = remarks_visible_to(doer.person, submission).filter(pk=sent.number("remark")).first()
    if found is None:
        raise NotThere(
            "not-found", f"{submission.number} has no remark {sent.number('remark')}, or not for you.",
            fix=f"Look for it in /api/v1/submissions/{submission.number}/remarks/.", option="remark",
        )  # fmt: skip
    questions.answer(doer.person, found, kind=sent.text("kind"), text=sent.text("text"))
    return Done({"submission": submission.number, "version": submission.version, "remark": found.pk})


def _file(doer: Doer, submission: Submission, sent: Sent) -> Done:
    """Files what was confirmed: if an answer changed since the batch was checked, nothing is filed."""
    seen = _versions(submission)
    if doer.seen and doer.seen != seen:
        raise Conflict(
            "configuration-changed-meanwhile", f"Answers of {submission.number} were changed after this was checked.",
            theirs=seen, fix="Send it again: what is confirmed is what is filed.", option="version",
        )  # fmt: skip
    revision = filing.file(doer.person, submission, version=sent.number("version"), attested=True)
    submission.refresh_from_db()
    told, changes = filed.summary(revision)
    return Done(
        {
            "submission": submission.number, "version": submission.version, "receipt": revision.receipt,
            "sha256": revision.sha256, "seen": seen, "filing": told,
        },
        changes,
    )  # fmt: skip


def _withdraw(doer: Doer, submission: Submission, sent: Sent) -> Done:
    filing.withdraw(doer.person, submission, version=sent.number("version"), reason=sent.text("reason"))
    return _moved(submission)


def _remark(doer: Doer, submission: Submission, sent: Sent) -> Done:
    workflow.expect(submission, sent.number("version"))
    latest = submission.revisions.latest("number")
    place = place_of(latest.content, sent.number("group"))
    if place is None:
        raise configurations.no_such_group(submission, sent.number("group"))
    written: Remark = remarks.write(
        doer.person,
        submission,
        revision=sent.number("revision"),
        text=sent.text("text"),
        audience=sent.text("audience"),
        option=sent.text("option"),
        configuration=place,
    )
    return Done({"submission": submission.number, "version": submission.version, "remark": written.pk})


def _recommend(doer: Doer, submission: Submission, sent: Sent) -> Done:
    review.recommend(doer.person, submission, version=sent.number("version"), reason=sent.text("reason"))
    return _moved(submission)


def _return(doer: Doer, submission: Submission, sent: Sent) -> Done:
    review.send_back(doer.person, submission, version=sent.number("version"), reason=sent.text("reason"))
    return _moved(submission)


_DO: dict[str, Callable[[Doer, Submission, Sent], Done]] = {
    "update": _update,
    "amend": _amend,
    "add-group": _add_group,
    "remove-group": _remove_group,
    "answer": _answer,
    "file": _file,
    "withdraw": _withdraw,
    "remark": _remark,
    "recommend": _recommend,
    "return": _return,
}


def _moved(submission: Submission) -> Done:
    submission.refresh_from_db()
    return Done({"submission": submission.number, "version": submission.version})


def _begun(doer: Doer, submission: Submission, row: Configuration, sent: Sent) -> Done:
    """Something new, with the answers that came with it."""
    if sent.answers:
        return _answered(doer, submission, sent, group=row.position, version=row.version)
    return Done(_names(submission, row))


def _answered(doer: Doer, submission: Submission, sent: Sent, *, group: int, version: int) -> Done:
    """Write the answers, if they make nothing wrong."""
    chapter, changes = chapter_of(submission.chapter), sent.answers
    if doer.typed:
        changes = {key: _read(chapter, key, value) for key, value in changes.items()}
    changed = drafts.change_answers(doer.person, submission, changes, version=version, configuration=group)
    before, after = changed.before, changed.row.answers
    _refuse_wrong(chapter, before, after)
    found = differences(chapter, before, after)
    told = [asdict(one) for one in found if one.before != one.after]  # 50000 instead of 50000.00 says nothing new
    return Done(_names(submission, changed.row), told)


def _names(submission: Submission, row: Configuration) -> dict[str, Any]:
    return {
        "submission": submission.number,
        "version": submission.version,
        "group": row.position,
        "configuration_version": row.version,
    }


def _read(chapter: Chapter, key: str, value: Any) -> Any:
    """A cell as its line's answer; an unknown line is refused where it is written."""
    option = next((one for one in chapter.options if one.key == key), None)
    return read(option, value) if option and isinstance(value, str) else value


def _refuse_wrong(chapter: Chapter, before: Answers, after: Answers) -> None:
    """Whatever these answers break that was not broken before, by the rules of today."""
    today = timezone.localdate()
    found = [one for one in judge(chapter, effective(chapter, after, today), today).blocking if not one.unanswered]
    if found:
        known = judge(chapter, effective(chapter, before, today), today).blocking
        found = [one for one in found if one not in known]
    if found:
        more = f" ({len(found) - 1} more: see `findings`)" if len(found) > 1 else ""
        raise Refusal(
            "answers-not-allowed",
            f"{found[0].message}{more}",
            fix=found[0].fix,
            option=next(iter(found[0].options), ""),
            citation=found[0].citation,
            findings=found,
        )


def _versions(submission: Submission) -> dict[str, int]:
    """The configurations as they are: group → version."""
    return {
        str(position): version for position, version in submission.configurations.values_list("position", "version")
    }
